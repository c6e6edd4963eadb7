// The page on which readers sort their own keys: what they choose, and the view of that sort.

const OWN = "own", IMAGE = "image", SCENE = "scene";
const PICTURES = [IMAGE, SCENE];  // each of their pixels is a texel
const KINDS = {
  [OWN]: "my own keys", random: "random", sorted: "sorted", reversed: "reversed", equal: "all equal", few: "four different keys", [SCENE]: "a picture of hills", [IMAGE]: "the pixels of an image",
};
const CHOSEN = ["kind", "network", "method", "dtype"];  // by menus
const EXAMPLE = "3 1 4 1 5 9 2 6";
const SIDE = 64;  // of the picture that is there
const FEW = 3;  // keys that a sentence names
const PLAYED = 16;  // passes a second, when the page opens

// A generator of numbers from 0 to 1 that a seed decides: mulberry32.
function random(state) {
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

// The pixels of a picture of two rows of hills before a low sun, as bytes.
function drawScene(side) {
  const mix = (from, to, share) => from.map((value, i) => value + share * (to[i] - value));
  const pixel = (x, y) => {
    if (y > 0.8 + 0.06 * Math.sin(9 * x + 1)) return [24, 44, 38];
    if (y > 0.62 + 0.09 * Math.sin(6 * x) + 0.03 * Math.sin(19 * x)) return [58, 84, 104];
    return Math.hypot(x - 0.66, y - 0.42) < 0.13 ? [255, 236, 170] : mix([44, 70, 150], [250, 160, 96], y / 0.7);
  };
  return new Uint8ClampedArray(Array.from({ length: side * side }, (_, i) => [...pixel((i % side) / side, i / side ** 2), 255]).flat());
}

function wholeNumber(text, low, high, what, more = "") {
  const number = Number(text);
  if (text === "" || !Number.isInteger(number) || number < low || number > high) throw new UserError(`“${text}” is not ${what}: it is a whole number from ${low} to ${numberText(high)}. ${more}`.trim());
  return number;
}

// Keys as words, which are read as exactly these keys.
const keyWords = (keys, dtype) => Array.from(keys, (key) => keyText(key, dtype).replaceAll("−", "-")).join(" ");

// Which keys are set aside, in a sentence; empty if none is.
function asideSentence({ nans, zeros, others }, dtype) {
  const infinite = others.filter((key) => Math.abs(key) === Infinity), tiny = others.filter(Number.isFinite);
  const some = (keys) => `(${keys.slice(0, FEW).map((key) => keyText(key, dtype)).join(", ")}${keys.length > FEW ? " …" : ""})`;
  const parts = [
    nans.length && countText(nans.length, "NaN"),
    infinite.length && `${countText(infinite.length, "infinity", "infinities")} ${some(infinite)}`,
    tiny.length && `${countText(tiny.length, "denormal")}, too close to 0 for some hardware ${some(tiny)}`,
  ].filter(Boolean);
  const list = [parts.slice(0, -1).join(", "), parts.at(-1)].filter(Boolean).join(" and "), count = nans.length + others.length;
  return [
    list && `${numberText(count)} of the keys ${count === 1 ? "is" : "are"} set aside, because hardware may change them, and put back after the last pass: ${list}.`,
    zeros && `${countText(zeros, "key −0 is", "keys −0 are")} drawn as 0, and put back as −0.`,
  ].filter(Boolean).join(" ");
}

// How a texture is filled up that has room for more keys, in a sentence; empty if it is full.
function fillSentence({ fills, fill }) {
  if (!fills) return "";
  return `The texture has ${countText(fills, "place")} more than there are keys. ` + (fill === null
    ? "The largest possible key fills them up, which is one of the keys, too: the two look alike."
    : "They are filled up with the largest possible key, shown as “fill”, and left out of the sorted keys.");
}

class SortPage {
  static kinds = KINDS;

  // `exported` is what Python exports: shaders, what is shown first (`usual`), how many keys are
  // accepted (`limits`), and whether the address restores what is seen (`linked`).
  constructor(root, exported) {
    Object.assign(this, exported, { root, sorter: null, film: null, image: null, ticket: 0 });
    this.findFilm = filmFinder(exported.films, exported.folder);
    this.link = new Link("link to what you see", (wanted) => this.follow(wanted));
    this.build();
    this.follow(Link.wanted, this.linked && !matchMedia("(prefers-reduced-motion: reduce)").matches);
  }

  build() {
    const sort = () => this.sort(), { networks, methods } = this.names;  // each with what it is
    this.menus = Object.fromEntries([this.constructor.kinds, ...[networks, methods, TYPES].map((each) => sameNames(Object.keys(each)))].map((options, i) => [CHOSEN[i], menu(options, sort)]));
    const [kind, network, method, dtype] = ["Keys", "Network", "Method", "Type"].map((name, i) => label(name, this.menus[CHOSEN[i]]));
    this.count = html("input", { "aria-label": "How many keys", type: "number", min: 1, max: this.limits.most, step: 1, onchange: sort });
    this.counted = html("label", {}, "how many ", this.count);
    this.seed = button("Other keys", () => { this.chosen.seed += 1; this.sort(); });
    this.words = html("textarea", { rows: 3, spellcheck: "false", "aria-label": "My own keys", placeholder: `${EXAMPLE}, or a column pasted from a table`, oninput: () => { clearTimeout(this.typing); this.typing = setTimeout(sort, 250); } });
    this.file = html("input", { type: "file", accept: "image/*", "aria-label": "An image", onchange: () => this.readImage() });
    this.hints = html("p", { class: "hints" });
    this.error = html("p", { class: "error", role: "alert" });
    this.why = html("p", { class: "why", role: "status" });
    this.stage = html("section", { "aria-label": "The sort, pass by pass", hidden: true });
    this.view = new PassView(this.stage, this.look, { heading: "h2", onshow: () => this.keepPlace() });
    this.result = html("textarea", { rows: 3, readonly: true, "aria-label": "Sorted keys" });
    const controls = html("div", { class: "controls" }, kind, this.counted, this.seed, network, method, dtype);
    this.root.replaceChildren(html("div", { class: "choose", role: "group", "aria-label": "What is sorted" }, controls, this.words, this.file, this.hints),  // no form: a frame may not send one
      this.error, this.why, this.stage,
      html("details", {}, html("summary", {}, "The sorted keys: the four sorted channels, merged"), this.result), this.linked ? html("p", {}, this.link.element) : "");
  }

  // Shows what the address says. A page may play at once, unless the address names a pass.
  follow(wanted, plays = false) {
    const { usual, menus } = this, own = wanted.get("keys"), kind = own === null ? wanted.get("kind") : OWN;
    for (const name of CHOSEN) {
      const value = name === "kind" ? kind : wanted.get(name), known = [...menus[name].options].some((option) => option.value === value && value !== IMAGE);
      menus[name].value = known ? value : usual[name];
    }
    this.count.value = Number(wanted.get("count")) || usual.count;
    this.chosen = { seed: Number(wanted.get("seed")) || usual.seed };
    if (menus.kind.value === OWN) this.words.value = own ?? (usual.keys ? keyWords(decodeArray(usual.keys), usual.dtype) : "");
    this.sort(wanted, plays && !wanted.has("pass"));
  }

  // A link restores what is chosen, and `more`.
  keepPlace(more = {}) {
    const { kind, count, seed, network, method, dtype } = this.chosen;
    const keys = kind === OWN ? { keys: this.words.value.trim() } : { kind, count, ...(seed === this.usual.seed ? {} : { seed }) };
    const text = `${new URLSearchParams({ ...keys, network, method, dtype, ...more })}&${this.view.place}`;
    this.link.lead(text, { shown: kind !== IMAGE, moving: this.view.player.playing });
  }

  keys() {
    const { kind, seed, dtype } = this.chosen, { most, name, more } = this.limits;
    if (kind === IMAGE && !this.image) throw new UserError("Choose an image: its red, green, blue and alpha are the four channels.");
    if (kind === IMAGE) return keysOf(this.image, dtype);
    if (kind === SCENE) return keysOf(drawScene(Math.min(SIDE, this.mostSide)), dtype);
    if (kind === OWN) {
      const keys = parseKeys(this.words.value, dtype);
      if (keys.length > most) throw new UserError(`These are ${numberText(keys.length)} keys: the ${name} sorts at most ${numberText(most)}. ${more}`);
      return keys;
    }
    this.chosen.count = wholeNumber(this.count.value, 1, most, "a number of keys", more);
    return keysOfKind(kind, this.chosen.count, seed, dtype);
  }

  // What the chosen network and method are, and where more is said of them.
  hint() {
    const { network, method } = this.chosen, { networks, methods } = this.names;
    const links = Object.entries(this.lessons).flatMap(([href, name]) => [" · ", html("a", { href }, name)]).slice(1);
    this.hints.replaceChildren(html("b", {}, network), `: ${networks[network]} `, html("b", {}, method), `: ${methods[method]} `, ...links);
  }

  // Sorts what is chosen, and shows it at the pass and the texel that a link names.
  async sort(wanted = new URLSearchParams(), plays = false) {
    for (const name of CHOSEN) this.chosen[name] = this.menus[name].value;
    const { kind } = this.chosen, ticket = ++this.ticket;
    if (kind === OWN && this.words.hidden) this.words.value ||= EXAMPLE;
    this.words.hidden = kind !== OWN;
    this.file.hidden = kind !== IMAGE;
    this.counted.hidden = kind === OWN || PICTURES.includes(kind);
    this.seed.hidden = kind !== "random" && kind !== "few";
    this.hint();
    try {
      this.sorter ??= new Sorter(this.glsl, this.findFilm, () => this.sortAgain());
      const keys = this.keys(), found = await this.sorter.sort(keys, this.chosen);
      if (ticket !== this.ticket) return found.film.run.release();  // something else was chosen meanwhile
      this.show(found, keys.length, wanted);
      if (plays) this.view.player.start(PLAYED);
      this.error.textContent = "";
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      this.fail(error);
    }
  }

  show({ film, sorted, why, method, aside }, count, wanted) {
    const { network, dtype, kind } = this.chosen;
    this.film?.run.release();
    this.film = Object.assign(film, { here: this.sorter.milliseconds(film), picture: PICTURES.includes(kind) });
    this.why.textContent = [why, asideSentence(aside, dtype), fillSentence(film)].filter(Boolean).join(" ");
    this.why.hidden = !this.why.textContent;
    this.stage.hidden = !film.length;
    this.view.load(film, `${network} by ${method}: ${numberText(count)} ${dtype} keys, ${film.width} × ${film.height} texels`);
    if (film.length) this.view.follow(wanted);
    this.result.value = keyWords(sorted, dtype);
  }

  // Says what is wrong; what was sorted before is still seen, unless nothing can be drawn.
  fail(error) {
    this.error.textContent = error.message;
    this.stage.hidden ||= !this.sorter;
  }

  // Draws everything anew, with a new context.
  sortAgain() {
    const wanted = new URLSearchParams(this.film ? this.view.place : "");
    Object.assign(this, { film: null, sorter: null });
    this.sort(wanted);
  }

  // The side of the largest square of texels whose keys are sorted here.
  get mostSide() {
    return 2 ** Math.floor(Math.log2(this.limits.most / 4) / 2);
  }

  // Each pixel of an image is a texel; it is made smaller until it fits.
  async readImage() {
    const [file] = this.file.files;
    if (!file) return;
    const bitmap = await createImageBitmap(file).catch(() => null);
    if (!bitmap) return this.fail(new UserError(`“${file.name}” is not an image that this browser can read: try a PNG or a JPEG.`));
    const side = Math.min(this.mostSide, 2 ** Math.ceil(Math.log2(Math.max(bitmap.width, bitmap.height))));
    const context = Object.assign(html("canvas"), { width: side, height: side }).getContext("2d", { willReadFrequently: true });
    context.drawImage(bitmap, 0, 0, side, side);
    this.image = context.getImageData(0, 0, side, side).data;
    bitmap.close();
    this.sort();
  }
}
