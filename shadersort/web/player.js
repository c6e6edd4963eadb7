// A player of a sort, in an element of a page: each pass with its quads, its four channels and its
// keys; and, if the film has them, the lines that make the pass and the clocks that price it.

"use strict";

const ROLE = { UNTOUCHED: 0, COPIED: 1, MIN: 2, MAX: 3 };  // Role of shadersort/web/roles.py
const CHANNELS = ["red", "green", "blue", "alpha"];
const ROLE_NAMES = ["not drawn", "copied", "keeps the minimum", "keeps the maximum"];  // by role
const QUADS = -1, PICTURE = 4;  // panels that show no channel
const SPEEDS = [1, 2, 4, 8, 16, 32, 64];
const VIEWS = ["source", "before", "after"];
const VIEW_KEYS = { 1: "what is read", 2: "before", 3: "after" };

class Player {
  // `look` is what Python exports: colours of keys and roles, and the texts of files.
  constructor(root, look, { hash = true, heading = "h1" } = {}) {
    Object.assign(this, { root, look, hash, heading, film: null, at: 0, playing: false, view: "after", hovered: -1, kept: -1 });
    this.anchors = look.palette.map(rgb);
    this.palette = Uint32Array.from({ length: 256 }, (_, i) => pixel(mixed(this.anchors, i / 255)));
    this.roleColours = look.roles;
    this.fillPixel = pixel(rgb(look.fill));
    this.rolePixels = look.roles.map((colour) => pixel(rgb(colour)));
    this.small = document.createElement("canvas");  // a pixel a texel, then drawn large
    this.build();
    root.addEventListener("keydown", (event) => this.press(event));
    new ResizeObserver(() => this.film && this.panels.forEach((panel) => this.paint(panel))).observe(this.panelBox);
    if (hash) window.addEventListener("hashchange", () => this.followHash());
  }

  // ---- The elements.

  build() {
    const button = (name, symbol, label, action) => {
      this[name] = made("button", { type: "button", class: name, "aria-label": label, title: label, onclick: action }, symbol);
      return this[name];
    };
    this.title = made(this.heading);
    this.captionLine = made("p", { class: "caption", "aria-live": "polite" });
    this.slider = made("input", { type: "range", min: 0, step: 1, oninput: () => { this.playing = false; this.go(Number(this.slider.value)); } });
    this.speed = made("select", {}, ...SPEEDS.map((speed) => made("option", { selected: speed === 4 }, String(speed))));
    const controls = made("div", { class: "controls", role: "group", "aria-label": "Player" },
      button("first", "|◀", "First pass (Home)", () => this.step(-Infinity)),
      button("back", "◀", "One pass back (←)", () => this.step(-1)),
      button("play", "Play", "Play or pause (space)", () => this.toggle()),
      button("forward", "▶", "One pass forward (→)", () => this.step(1)),
      button("last", "▶|", "Last pass (End)", () => this.step(Infinity)),
      made("label", { class: "seek" }, "Pass ", this.slider),
      made("label", {}, "Passes a second ", this.speed));
    this.play.removeAttribute("aria-label");  // its text says what it does
    const group = `view${Player.count = (Player.count ?? 0) + 1}`;
    this.views = Object.fromEntries(VIEWS.map((view) => {
      const radio = made("input", { type: "radio", name: group, value: view, checked: view === this.view, onchange: () => this.see(view) });
      const label = made("span");
      return [view, { radio, label, whole: made("label", {}, radio, " ", label) }];
    }));
    const views = made("fieldset", {}, made("legend", { class: "hidden" }, "Which texture"), ...VIEWS.map((view) => this.views[view].whole));
    this.panels = ["quads drawn", ...CHANNELS].map((name, i) => this.panel(name, i - 1));
    this.panels.push(this.panel("all channels", PICTURE));
    this.panelBox = made("div", { class: "panels" }, ...this.panels.map(({ figure }) => figure));
    this.pointed = made("p", { class: "pointed" });
    this.texels = made("table");
    this.clocks = made("ul", { class: "clocks" });
    this.sources = made("div", { class: "sources" });
    this.link = new CopiedLink("link to this pass");
    const footer = made("footer", {}, ...keysTold(STEP_KEYS), ...keysTold(VIEW_KEYS),
      "point at a texel to see its keys and its partner, click to keep it, or move it by the arrow keys in its panel",
      ...(this.hash ? [" · ", this.link.element] : []));
    this.root.replaceChildren(made("header", {}, this.title, this.captionLine), controls, views, this.panelBox, this.legend(), this.clocks,
      this.pointed, made("div", { class: "texels", tabindex: 0, role: "region", "aria-label": "Keys of the texel" }, this.texels), this.sources, footer);
  }

  panel(name, channel) {
    const labels = { [QUADS]: "which texels keep minima and maxima", [PICTURE]: "the four channels as one picture" };
    const label = labels[channel] ?? `${name} channel, keys coloured by rank`;
    const canvas = made("canvas", { role: "img", tabindex: 0, "aria-label": `${label}; arrow keys choose a texel` });
    const panel = { canvas, channel, figure: made("figure", {}, canvas, made("figcaption", {}, name)) };
    canvas.addEventListener("pointermove", (event) => this.point(this.texelAt(panel, event)));
    canvas.addEventListener("pointerleave", () => this.point(-1));
    canvas.addEventListener("click", (event) => {
      const texel = this.texelAt(panel, event);
      this.keep(texel === this.kept ? -1 : texel);
    });
    return panel;
  }

  legend() {
    const entries = [ROLE.MIN, ROLE.MAX, ROLE.COPIED, ROLE.UNTOUCHED].map((role) => [this.roleColours[role], ROLE_NAMES[role], "swatch"]);
    entries.push([`linear-gradient(to right, ${this.look.palette.join(", ")})`, "smallest to largest key, by rank", "swatch scale"]);
    const entry = ([colour, name, kind]) => made("li", {}, made("span", { class: kind, style: `background: ${colour}` }), name);
    this.filled = entry([this.look.fill, "fill: no key, but a place left over", "swatch"]);
    return made("ul", { class: "legend" }, ...entries.map(entry), this.filled);
  }

  // ---- Which film, which pass.

  load(film, title, at = 0) {
    Object.assign(this, { film, at: 0, hovered: -1, kept: -1, playing: false });
    clearTimeout(this.timer);
    this.small.width = film.width;
    this.small.height = film.height;
    this.slider.max = Math.max(0, film.length - 1);
    this.title.textContent = title;
    for (const { canvas, figure, channel } of this.panels) {
      canvas.style.aspectRatio = `${film.width} / ${film.height}`;
      figure.hidden = channel === PICTURE && !film.picture;
    }
    this.filled.hidden = (film.fill ?? null) === null;
    this.sources.replaceChildren();
    this.texels.parentElement.style.minHeight = "";
    this.go(at);
  }

  go(to) {
    this.at = Math.max(0, Math.min(this.film.length - 1, to));
    this.show();
  }

  step(by) {
    this.playing = false;
    this.go(this.at + by);
  }

  // Plays from where it is, at a speed of the list.
  start(speed) {
    this.speed.value = String(speed);
    if (!this.playing) this.toggle();
  }

  toggle() {
    this.playing = !this.playing;
    clearTimeout(this.timer);
    if (this.playing && this.at === this.film.length - 1) this.at = 0;
    this.show();
    if (this.playing) this.await();
  }

  await() {
    this.timer = setTimeout(() => {
      if (!this.playing) return;
      if (this.at + 1 >= this.film.length - 1) this.playing = false;
      this.go(this.at + 1);
      if (this.playing) this.await();
    }, 1000 / Number(this.speed.value));
  }

  see(view) {
    this.view = view;
    this.views[view].radio.checked = true;
    this.show();
  }

  faster(by) {
    this.speed.selectedIndex = Math.max(0, Math.min(SPEEDS.length - 1, this.speed.selectedIndex + by));
  }

  keep(texel) {
    this.kept = texel;
    this.show();
  }

  point(texel) {
    if (texel === this.hovered) return;
    this.hovered = texel;
    this.show();
  }

  texelAt({ canvas }, event) {
    const box = canvas.getBoundingClientRect(), { width, height } = this.film;
    const x = Math.floor(((event.clientX - box.left) / box.width) * width);
    const y = Math.floor(((event.clientY - box.top) / box.height) * height);
    return x >= 0 && y >= 0 && x < width && y < height ? y * width + x : -1;
  }

  get chosen() {
    return this.hovered >= 0 ? this.hovered : this.kept;
  }

  press(event) {
    const { target, key } = event, keys = {
      ...stepActions(this),
      1: () => this.see("source"),
      2: () => this.see("before"),
      3: () => this.see("after"),
    };
    if (event.ctrlKey || event.metaKey || event.altKey || target.matches("textarea, input[type=text], input[type=number]")) return;
    if (target.matches("canvas") && this.walk(key)) event.preventDefault();
    else if (keys[key]) {
      const own = (target.matches("select, input[type=radio]") && key.startsWith("Arrow")) || (target.matches("button, a, select") && key === " ");
      if (own) return;
      event.preventDefault();
      keys[key]();
    }
  }

  // Moves the kept texel; returns whether the key was one for that.
  walk(key) {
    const { width, height } = this.film, by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -width, ArrowDown: width }[key];
    if (key === "Escape") this.keep(-1);
    else if (!by) return false;
    else {
      const to = this.kept < 0 ? 0 : this.kept + by;
      if (to >= 0 && to < width * height) this.keep(to);
    }
    return true;
  }

  // #pass=12&texel=3,5: the pass by its number in the program, a texel by column and row.
  followHash() {
    const wanted = new URLSearchParams(location.hash.slice(1)), { width, height, length } = this.film;
    const number = Number(wanted.get("pass") ?? NaN), [x, y] = (wanted.get("texel") ?? "").split(",").map((text) => parseInt(text, 10));
    if (x >= 0 && y >= 0 && x < width && y < height) this.kept = y * width + x;
    for (let at = 0; at < length; at++) if (this.film.index(at) === number) this.at = at;
    this.playing = false;
    this.show();
  }

  // ---- What is shown.

  show() {
    const { film, at } = this, caption = film.caption(at), [source, target] = film.buffers(at);
    this.captionLine.ariaLive = this.playing ? "off" : "polite";  // a screen reader cannot keep up
    this.captionLine.textContent = caption;
    this.slider.value = at;
    this.slider.setAttribute("aria-valuetext", caption);
    this.play.textContent = this.playing ? "Pause" : "Play";
    this.views.source.label.textContent = `${source}, which is read`;
    this.views.before.label.textContent = `${target} before`;
    this.views.after.label.textContent = `${target} after`;
    this.link.href = `#${this.place()}`;
    this.panels.forEach((panel) => this.paint(panel));
    this.tell();
    this.showClocks();
    this.showSources();
    this.onshow?.();
  }

  // The part of a link that restores the pass and the texel.
  place() {
    const { width } = this.film, texel = this.kept < 0 ? "" : `&texel=${this.kept % width},${Math.floor(this.kept / width)}`;
    return `pass=${this.film.index(this.at)}${texel}`;
  }

  paint({ canvas, channel }) {
    const { film, at, small } = this, { width, height } = film, density = window.devicePixelRatio || 1;
    const box = canvas.getBoundingClientRect();
    canvas.width = Math.max(width, Math.round(box.width * density));
    canvas.height = Math.max(1, Math.round((canvas.width * height) / width));
    const context = canvas.getContext("2d"), cell = canvas.width / width, { role, partner } = film.rolesOf(at);
    const texels = film.textures(at)[this.view];
    context.imageSmoothingEnabled = false;
    if (channel === PICTURE && !film.picture) return;
    if (channel !== QUADS && texels === null) this.sayEmpty(context, canvas, density);
    else {
      this.fill({
        [QUADS]: (i) => this.rolePixels[role[i]],
        [PICTURE]: (i) => pixel([0, 1, 2].map((c) => film.key(texels[4 * i + c]))),
      }[channel] ?? ((i) => this.shade(texels[4 * i + channel])));
      context.drawImage(small, 0, 0, canvas.width, canvas.height);
    }
    if (channel !== QUADS && cell >= 5 * density) {
      const outlined = this.view === "source" ? readers(role, partner) : role;
      for (const kind of [ROLE.MIN, ROLE.MAX]) this.outline(context, cell, outlined, kind, density);
    }
    const own = this.chosen;
    if (own >= 0) {
      if (partner[own] !== own) this.mark(context, cell, partner[own], density, [3 * density, 2 * density]);
      this.mark(context, cell, own, density, []);
    }
  }

  fill(colourOf) {
    const { width, height } = this.film, context = this.small.getContext("2d");
    const image = context.createImageData(width, height), pixels = new Uint32Array(image.data.buffer);
    for (let i = 0; i < width * height; i++) pixels[i] = colourOf(i);
    context.putImageData(image, 0, 0);
  }

  shade(cell) {
    if (cell === this.film.fill) return this.fillPixel;
    return this.palette[Math.round((255 * this.film.rank(cell)) / Math.max(1, this.film.values.length - 1))];
  }

  sayEmpty(context, canvas, density) {
    context.fillStyle = "#808080";
    context.font = `${13 * density}px system-ui, sans-serif`;
    context.textAlign = "center";
    context.fillText("nothing yet", canvas.width / 2, canvas.height / 2);
  }

  // The border of all texels of one kind: a line where the neighbour is of another.
  outline(context, cell, role, kind, density) {
    const { width, height } = this.film, inset = 1.75 * density, path = new Path2D();
    const inside = (x, y) => x >= 0 && y >= 0 && x < width && y < height && role[y * width + x] === kind;
    const line = (ax, ay, bx, by) => { path.moveTo(ax, ay); path.lineTo(bx, by); };
    for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) {
      if (!inside(x, y)) continue;
      const left = x * cell, right = left + cell, top = y * cell, bottom = top + cell;
      const x0 = left + (inside(x - 1, y) ? 0 : inset), x1 = right - (inside(x + 1, y) ? 0 : inset);
      const y0 = top + (inside(x, y - 1) ? 0 : inset), y1 = bottom - (inside(x, y + 1) ? 0 : inset);
      if (!inside(x - 1, y)) line(x0, y0, x0, y1);
      if (!inside(x + 1, y)) line(x1, y0, x1, y1);
      if (!inside(x, y - 1)) line(x0, y0, x1, y0);
      if (!inside(x, y + 1)) line(x0, y1, x1, y1);
    }
    context.lineCap = "square";
    for (const [colour, thickness] of [["#ffffff", 3.5], [this.roleColours[kind], 2]]) {
      context.strokeStyle = colour;
      context.lineWidth = thickness * density;
      context.stroke(path);
    }
  }

  // A square around a texel, black on white, so that it is seen on every colour.
  mark(context, cell, texel, density, dashes) {
    const { width } = this.film, x = (texel % width) * cell, y = Math.floor(texel / width) * cell;
    for (const [colour, thickness, pattern] of [["#ffffff", 5, []], ["#000000", 2.5, dashes]]) {
      context.setLineDash(pattern);
      context.lineCap = "butt";
      context.strokeStyle = colour;
      context.lineWidth = thickness * density;
      context.strokeRect(x, y, cell, cell);
    }
    context.setLineDash([]);
  }

  // The keys of the texel pointed at, and of its partner.
  tell() {
    const { film, at } = this, { width, height, wires } = film, own = this.chosen, rows = [];
    if (own < 0) this.pointed.textContent = "Point at a texel to see its keys, its wire and its partner.";
    else {
      const { role, partner } = film.rolesOf(at), kind = role[own], other = partner[own];
      const [source, target] = film.buffers(at), { source: read, before, after } = film.textures(at);
      const compared = kind === ROLE.MIN || kind === ROLE.MAX;
      this.pointed.textContent = `Texel of ${target}: ${ROLE_NAMES[kind]}` + (kind === ROLE.UNTOUCHED ? "." :
        `; its texture coordinates are column ${other % width}, row ${Math.floor(other / width)} of ${source}.`);
      if (compared && !film.blends(at)) rows.push([`itself, in ${source}`, own, read]);
      else rows.push(["itself, before", own, before]);
      if (kind !== ROLE.UNTOUCHED) rows.push([`${compared ? "partner" : "read"}, in ${source}`, other, read]);
      rows.push(["itself, after", own, after]);
    }
    const head = ["texel", "column", "row", wires < width * height ? "window, wire" : "wire", ...CHANNELS];
    this.texels.replaceChildren(...(rows.length ? [this.row(head)] : []), ...rows.map((row) => this.rowOfKeys(row)));
    const room = this.texels.parentElement;  // stays as high as it was, so that nothing below it moves
    room.style.minHeight = `${Math.max(parseFloat(room.style.minHeight) || 0, room.scrollHeight)}px`;
  }

  rowOfKeys([name, texel, texels]) {
    const { film } = this, { width, height, wires } = film;
    const window = wires < width * height ? `${Math.floor(texel / wires)}, ` : "";
    const keys = CHANNELS.map((_, c) => (texels ? this.word(texels[4 * texel + c]) : "–"));
    return this.row([name, texel % width, Math.floor(texel / width), window + (texel % wires), ...keys]);
  }

  word(cell) {
    return cell === this.film.fill ? "fill" : keyText(this.film.key(cell), this.film.dtype);
  }

  row(cells) {
    return made("tr", {}, ...cells.map((text, i) => made(i ? "td" : "th", {}, String(text))));
  }

  // Clocks: [name, text] of each, which the film tells.
  showClocks() {
    const clocks = this.film.clocks?.(this.at) ?? [];
    this.clocks.replaceChildren(...clocks.map(([name, time]) => made("li", {}, `${name}: `, made("b", {}, time))));
  }

  // The lines of Python and of GLSL that make this pass, lit.
  showSources() {
    if (!this.film.lines) return;
    const python = this.film.lines(this.at), shader = this.film.shader(this.at);
    const files = [...new Set(python.map(([file]) => file))].filter((file) => this.look.files[file]);
    const wanted = [...files.slice(0, 1), shader].join();
    if (this.sources.dataset.files !== wanted || !this.sources.children.length) {
      this.sources.dataset.files = wanted;
      this.sources.replaceChildren(...wanted.split(",").map((file) => this.listing(file)));
    }
    const lit = new Set(python.map(([file, number]) => `${file}:${number}`));
    for (const code of this.sources.querySelectorAll("code")) {
      const line = `${code.dataset.file}:${code.dataset.number}`;
      const main = this.look.mains[code.dataset.file] ?? [];
      code.classList.toggle("lit", lit.has(line) || main.includes(Number(code.dataset.number)));
    }
    for (const pre of this.sources.querySelectorAll("pre")) {
      const first = pre.querySelector(".lit");
      if (first) pre.scrollTop = Math.max(0, first.offsetTop - pre.offsetTop - pre.clientHeight / 3);
    }
  }

  listing(file) {
    const lines = this.look.files[file].split("\n").map((text, i) =>
      made("code", { "data-file": file, "data-number": i + 1 }, text));
    return made("section", {}, made("h2", {}, file), made("pre", { tabindex: 0, "aria-label": file }, ...lines));
  }
}

// For each texel of the source, the role of the texel that reads it.
function readers(role, partner) {
  const read = new Uint8Array(role.length);
  role.forEach((kind, i) => { if (kind !== ROLE.UNTOUCHED) read[partner[i]] = kind; });
  return read;
}
