// The page on which readers sort their own keys: what they choose, and the player of that sort.

"use strict";

const OWN = "own";
const KINDS = {
  [OWN]: "my own keys", random: "random", sorted: "sorted", reversed: "reversed", equal: "all equal", few: "four different keys", image: "the pixels of an image",
};

// A generator of numbers from 0 to 1 that a seed decides: mulberry32.
function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

// Keys of a kind. Floats lie between 0 and 1, integers are numbered from 0.
function keysOfKind(kind, count, seed, dtype) {
  const draw = random(seed), float = isFloat(dtype), scale = float ? 1 / count : 1;
  const numbers = {
    random: () => (float ? draw() : Math.floor(draw() * 10 * count)),
    sorted: (i) => i * scale,
    reversed: (i) => (count - 1 - i) * scale,
    equal: () => (float ? 0.5 : 5),
    few: () => Math.floor(4 * draw()) * (float ? 0.25 : 1),
  }[kind];
  return keysOf(Array.from({ length: count }, (_, i) => numbers(i)), dtype);
}

const EXAMPLE = "3 1 4 1 5 9 2 6";
const PLAYED = 16;  // passes a second, when the page opens

class SortPage {
  // `exported` is what Python exports: shaders, what is shown first (`usual`), how many keys are
  // accepted (`limits`), and whether the address restores what is seen (`linked`).
  constructor(root, { look, names, lessons, usual, limits, linked, ...exported }, films) {
    Object.assign(this, { root, names, lessons, usual, limits, linked, exported, films, sorter: null, image: null, ticket: 0 });
    this.build();
    this.player = new Player(this.stage, look, { hash: false, heading: linked ? "h2" : "h1" });
    if (linked) {
      this.player.onshow = () => this.keepPlace();
      window.addEventListener("hashchange", () => location.hash !== this.hash && this.follow());
    }
    document.addEventListener("keydown", (event) => event.target === document.body && this.stage.hidden === false && this.player.press(event));
    this.follow({ plays: linked && !matchMedia("(prefers-reduced-motion: reduce)").matches });
  }

  // Without WebGL 2 the page has no sorter and no player. It asks anew when something else is chosen.
  open() {
    try {
      this.sorter = new Sorter(this.exported, this.films);
      this.sorter.onlost = () => this.again();
    } catch (error) {
      if (!(error instanceof NoWebGL)) throw error;
      this.stage.hidden = true;
    }
  }

  build() {
    const changed = () => this.sort();
    const select = (options, label) => {
      const box = made("select", { "aria-label": label, onchange: changed }, ...Object.entries(options).map(([value, text]) => made("option", { value }, text)));
      return [box, made("label", {}, `${label} `, box)];
    };
    const same = (names) => Object.fromEntries(names.map((name) => [name, name]));
    const { networks, methods } = this.names;  // each with what it is
    const labels = {};
    [this.kind, labels.kind] = select(KINDS, "Keys");
    [this.network, labels.network] = select(same(Object.keys(networks)), "Network");
    [this.method, labels.method] = select(same(Object.keys(methods)), "Method");
    [this.dtype, labels.dtype] = select(same(["float32", "float16", "int32", "uint32"]), "Type");
    this.count = made("input", { "aria-label": "How many keys", type: "number", min: 1, max: this.limits.most, step: 1, onchange: changed });
    this.counted = made("label", {}, "how many ", this.count);
    this.seed = made("button", { type: "button", onclick: () => { this.chosen.seed += 1; this.sort(); } }, "Other keys");
    this.words = made("textarea", { rows: 3, spellcheck: "false", "aria-label": "My own keys", placeholder: `${EXAMPLE}, or a column pasted from a table`, oninput: () => this.typed() });
    this.file = made("input", { type: "file", accept: "image/*", "aria-label": "An image", onchange: () => this.readImage() });
    this.error = made("p", { class: "error", role: "alert" });
    this.why = made("p", { class: "why", role: "status" });
    this.heading = made("h1", {}, document.title);  // of a page that has no other while nothing is sorted
    this.stage = made("section", { "aria-label": "The sort, pass by pass", hidden: true });
    this.result = made("textarea", { rows: 3, readonly: true, "aria-label": "Sorted keys" });
    this.link = new CopiedLink("link to what you see");
    const choices = made("div", { class: "choose", role: "group", "aria-label": "What is sorted" },  // no form: a frame may not send one
      made("div", { class: "controls" }, labels.kind, this.counted, this.seed, labels.network, labels.method, labels.dtype), this.words, this.file, this.hints = made("p", { class: "hints" }));
    this.root.replaceChildren(choices, this.error, this.why, this.stage,
      made("details", {}, made("summary", {}, "The sorted keys: the four sorted channels, merged"), this.result), this.linked ? made("p", {}, this.link.element) : "");
  }

  // ---- What is chosen, in the form and in the link.

  // Shows what the address says. A page may play at once, unless the address names a pass.
  follow({ plays = false } = {}) {
    this.noted = location.hash;
    const { usual } = this, wanted = new URLSearchParams(this.linked ? location.hash.slice(1) : ""), own = wanted.get("keys");
    const known = (name, list) => (list.includes(wanted.get(name)) ? wanted.get(name) : usual[name]);
    this.chosen = {
      kind: own !== null ? OWN : known("kind", Object.keys(KINDS).filter((kind) => kind !== "image")),
      count: Number(wanted.get("count")) || usual.count,
      seed: Number(wanted.get("seed")) || usual.seed,
      network: known("network", Object.keys(this.names.networks)),
      method: known("method", Object.keys(this.names.methods)),
      dtype: known("dtype", Object.keys(TYPES)),
    };
    if (this.chosen.kind === OWN) this.words.value = own ?? usual.words;
    for (const name of ["kind", "count", "network", "method", "dtype"]) this[name].value = this.chosen[name];
    const [x, y] = (wanted.get("texel") ?? "").split(",").map((text) => parseInt(text, 10));
    this.sort({ at: Number(wanted.get("pass")) || 0, texel: x >= 0 && y >= 0 ? [x, y] : null, plays: plays && !wanted.has("pass") });
  }

  keepPlace() {
    const { kind, count, seed, network, method, dtype } = this.chosen;
    const keys = kind === OWN ? { keys: this.words.value.trim() } : { kind, count, ...(seed === this.usual.seed ? {} : { seed }) };
    const text = new URLSearchParams({ ...keys, network, method, dtype }).toString();
    this.hash = `#${text}&${this.player.place()}`;
    this.link.href = this.hash;
    this.link.element.hidden = kind === "image" || this.hash.length > 8000;  // browsers cut longer addresses
    clearTimeout(this.noting);
    if (!this.link.element.hidden && !this.player.playing) this.noting = setTimeout(() => this.note(), 200);
  }

  // Writes the link into the address: not too often, or a browser complains.
  note() {
    if (location.hash !== this.noted) return;  // another address was entered, and is followed in a moment
    try {
      history.replaceState(null, "", this.hash);
      this.noted = location.hash;
    } catch (error) {
      if (error.name !== "SecurityError") throw error;  // in a frame without a place of its own
    }
  }

  typed() {
    clearTimeout(this.typing);
    this.typing = setTimeout(() => this.sort(), 250);
  }

  keys() {
    const { kind, count, seed, dtype } = this.chosen;
    if (kind === "image") {
      if (!this.image) return null;
      return keysOf(this.image.data, dtype);
    }
    const keys = kind === OWN ? parsedKeys(this.words.value, dtype) : keysOfKind(kind, count, seed, dtype);
    const { most, name, more } = this.limits;
    if (keys.length > most) throw new BadKeys(`These are ${numberText(keys.length)} keys: the ${name} sorts at most ${numberText(most)}. ${more}`);
    return keys;
  }

  // The number of keys that was typed.
  wantedCount() {
    const { most, more } = this.limits, { value } = this.count, count = Number(value);
    if (!Number.isInteger(count) || count < 1 || count > most) throw new BadKeys(`“${value}” is not a number of keys from 1 to ${numberText(most)}. ${count > most ? more : ""}`.trim());
    return count;
  }

  // What the chosen network and method are, and where more is told of them.
  hint() {
    const { network, method } = this.chosen, { networks, methods } = this.names;
    const links = Object.entries(this.lessons).flatMap(([href, name]) => [" · ", made("a", { href }, name)]).slice(1);
    this.hints.replaceChildren(made("b", {}, network), `: ${networks[network]} `, made("b", {}, method), `: ${methods[method]} `, ...links);
  }

  // ---- Sorting.

  async sort({ at = 0, texel = null, plays = false } = {}) {
    for (const name of ["kind", "network", "method", "dtype"]) this.chosen[name] = this[name].value;
    const { kind } = this.chosen, ticket = ++this.ticket;
    if (kind === OWN && this.words.hidden) this.words.value ||= EXAMPLE;
    this.words.hidden = kind !== OWN;
    this.hint();
    this.file.hidden = kind !== "image";
    this.counted.hidden = kind === OWN || kind === "image";
    this.seed.hidden = kind !== "random" && kind !== "few";
    if (!this.sorter) this.open();
    if (!this.sorter) return this.fail(NO_WEBGL);
    try {
      if (!this.counted.hidden) this.chosen.count = this.wantedCount();
      const keys = this.keys();
      if (keys === null) return this.fail("Choose an image: its red, green, blue and alpha are the four channels.");
      const prepared = await this.sorter.prepared(keys, this.chosen);
      if (ticket !== this.ticket) return prepared.film.release();  // something else was chosen meanwhile
      this.show(prepared, at, texel);
      if (plays && this.player.film) this.player.start(PLAYED);
      this.error.textContent = "";
    } catch (error) {
      if (!(error instanceof BadKeys || error instanceof WrongDriver || error instanceof FilmMissing)) throw error;
      this.fail(error.message);
    }
  }

  show({ film, sorted, why, method, aside, count }, at, texel) {
    this.prepared?.film.release();
    this.prepared = { film };
    film.here = this.sorter.milliseconds(film);
    film.picture = this.chosen.kind === "image";
    this.why.textContent = [why, toldAside(aside, this.chosen.dtype), toldFill(film)].filter(Boolean).join(" ");
    this.why.hidden = !this.why.textContent;
    const title = `${this.chosen.network} by ${method}: ${numberText(count)} ${this.chosen.dtype} keys, ${film.width} × ${film.height} texels`;
    this.showStage(film.length > 0);
    if (film.length) this.player.load(film, title, at);
    if (texel && texel[0] < film.width && texel[1] < film.height) this.player.keep(texel[1] * film.width + texel[0]);
    this.result.value = Array.from(sorted(), (key) => keyText(key, this.chosen.dtype).replace("−", "-")).join(" ");
  }

  fail(message) {
    this.error.textContent = message;
    this.showStage(!this.stage.hidden);
  }

  showStage(shown) {
    this.stage.hidden = !shown;
    if (shown || this.linked) this.heading.remove();
    else this.root.prepend(this.heading);
  }

  // The browser took the context away, as it does when a laptop sleeps: everything is drawn anew.
  again() {
    const { at } = this.player;
    Object.assign(this, { prepared: null, sorter: null });
    this.sort({ at });
  }

  // ---- An image: each pixel is a texel.

  async readImage() {
    const [file] = this.file.files;
    if (!file) return;
    let bitmap;
    try {
      bitmap = await createImageBitmap(file);
    } catch (error) {
      if (error.name !== "InvalidStateError") throw error;
      return this.fail(`“${file.name}” is not an image that this browser can read: try a PNG or a JPEG.`);
    }
    const largest = Math.max(bitmap.width, bitmap.height), most = 2 ** Math.floor(Math.log2(this.limits.most / 4) / 2);
    const side = Math.min(most, 2 ** Math.ceil(Math.log2(largest)));  // it is made smaller until it fits
    const context = made("canvas", { width: side, height: side }).getContext("2d", { willReadFrequently: true });
    context.drawImage(bitmap, 0, 0, side, side);
    this.image = { data: context.getImageData(0, 0, side, side).data };
    bitmap.close();
    this.sort();
  }
}
