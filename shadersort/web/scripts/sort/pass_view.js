// A pass of a film: its textures, the keys of a texel and its partner, and, if the film has them, the
// lines that make the pass and the clocks that price it. A player goes from pass to pass.

const ROLE_NAMES = ["not drawn", "copied", "keeps the minimum", "keeps the maximum"];  // by role
const VIEWS = { source: "what is read", before: "before", after: "after" };

class PassView {
  // `look` is what Python exports: colours, and the texts of files, if lines are to be lit. `onshow` is
  // called when something else is seen.
  constructor(root, look, { heading = "h1", more = [], onshow = () => {} } = {}) {
    Object.assign(this, { look, onshow, film: null, view: "after", hovered: -1, kept: -1 });
    const keys = Object.entries(VIEWS).map(([view, name], i) => [String(i + 1), name, () => this.choose({ view })]);
    this.player = new Player((at) => this.show(at), { unit: "Pass", speeds: [1, 2, 4, 8, 16, 32, 64], speed: 4, keys });
    this.panels = new Panels(look, (hovered) => this.choose({ hovered }), (texel) => this.choose({ kept: texel === this.kept ? -1 : texel }));
    this.panels.element.addEventListener("keydown", (event) => this.walk(event));
    this.title = html(heading);
    this.views = choice("Which texture", VIEWS, this.view, (view) => this.choose({ view }), { hidden: true });
    this.legend = legend([...[ROLE.MIN, ROLE.MAX, ROLE.COPIED, ROLE.UNTOUCHED].map((role) => [look.roles[role], ROLE_NAMES[role]]),
      [`linear-gradient(to right, ${look.palette.join(", ")})`, "smallest to largest key, by rank"], [look.fill, "fill: no key, but a place left over"]]);
    this.clocks = html("ul", { class: "clocks" });
    this.pointed = html("p", { class: "pointed" });
    this.texels = html("table");
    this.room = scrollBox("Keys of the texel", this.texels, "texels");
    this.sources = html("div", { class: "sources" });
    root.replaceChildren(html("header", {}, this.title, this.player.caption), this.player.controls, this.views.element, this.panels.element, this.legend, this.clocks,
      this.pointed, this.room, this.sources,
      this.player.footer("point at a texel to see its keys and its partner, click to keep it, or move it by the arrow keys in its panel", ...more));
  }

  load(film, title, at = 0) {
    Object.assign(this, { film, at: -1, hovered: -1, kept: -1 });
    this.title.textContent = title;
    this.legend.lastChild.hidden = film.fill === null || film.fills === 0;
    this.panels.load(film);
    this.player.load(film.length, at);
  }

  // Shows another view, or another texel: one that is pointed at (`hovered`), or `kept`.
  choose(change) {
    if (Object.entries(change).every(([name, value]) => this[name] === value)) return;
    Object.assign(this, change);
    this.views.check(this.view);
    this.player.go();
  }

  walk(event) {
    const { width, height } = this.film, by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -width, ArrowDown: width }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey || (!by && event.key !== "Escape")) return;
    event.preventDefault();
    const to = by && this.kept >= 0 ? this.kept + by : 0;
    if (!by) this.choose({ kept: -1 });
    else if (to >= 0 && to < width * height) this.choose({ kept: to });
  }

  // The part of a link that restores the pass, by its number in the program, and the kept texel.
  get place() {
    const { film, film: { width }, kept } = this, texel = kept < 0 ? "" : `&texel=${kept % width},${Math.floor(kept / width)}`;
    return `pass=${film.index(this.player.at)}${texel}`;
  }

  follow(wanted) {
    const { film, film: { width, height } } = this, at = film.passes.findIndex((_, at) => film.index(at) === Number(wanted.get("pass") ?? NaN));
    const [x, y] = (wanted.get("texel") ?? "").split(",").map((text) => parseInt(text, 10));
    if (x >= 0 && y >= 0 && x < width && y < height) this.kept = y * width + x;
    this.player.to(at < 0 ? this.player.at : at);
  }

  show(at) {
    const { film, view } = this, [source, target] = film.passes[at].buffers;
    if (at !== this.at) Object.assign(this, { at, textures: film.textures(at), roles: film.rolesOf(at) });
    this.views.texts.source.textContent = `${source}, which is read`;
    for (const each of ["before", "after"]) this.views.texts[each].textContent = `${target} ${each}`;
    const texel = this.hovered >= 0 ? this.hovered : this.kept;
    this.panels.show({ texels: this.textures[view], roles: this.roles, outlined: view === "source" ? readers(this.roles) : this.roles.role, texel });
    this.showTexel(texel);
    const clocks = film.clocks?.(at) ?? [];
    this.clocks.replaceChildren(...clocks.map(([name, time]) => html("li", {}, `${name}: `, html("b", {}, time))));
    if (this.look.files) this.showSources(film.passes[at]);
    this.onshow();
    return film.caption(at);
  }

  // The keys of the texel pointed at, and of its partner.
  showTexel(own) {
    const { film, film: { width, height, wires, passes }, at, textures: { source: read, before, after } } = this, rows = [];
    this.pointed.textContent = "Point at a texel to see its keys, its wire and its partner.";
    if (own >= 0) {
      const role = this.roles.role[own], other = this.roles.partner[own], { buffers: [source, target], blends } = passes[at];
      const compared = role === ROLE.MIN || role === ROLE.MAX;
      this.pointed.textContent = `Texel of ${target}: ${ROLE_NAMES[role]}` + (role === ROLE.UNTOUCHED ? "." :
        `; its texture coordinates are column ${other % width}, row ${Math.floor(other / width)} of ${source}.`);
      rows.push(compared && !blends ? [`itself, in ${source}`, own, read] : ["itself, before", own, before]);
      if (role !== ROLE.UNTOUCHED) rows.push([`${compared ? "partner" : "read"}, in ${source}`, other, read]);
      rows.push(["itself, after", own, after]);
    }
    const windows = wires < width * height, windowOf = (texel) => windows ? `${Math.floor(texel / wires)}, ` : "";
    const keys = (texels, texel) => CHANNELS.map((_, c) => (texels ? film.word(texels[4 * texel + c]) : "–"));
    const row = ([name, texel, texels]) => [name, texel % width, Math.floor(texel / width), windowOf(texel) + (texel % wires), ...keys(texels, texel)];
    fillTable(this.texels, ["texel", "column", "row", windows ? "window, wire" : "wire", ...CHANNELS], rows.map(row));
    if (!rows.length) this.texels.replaceChildren();
    keepHeight(this.room, this.title.textContent);
  }

  // The lines of Python and of GLSL that make this pass, lit.
  showSources({ lines, shader }) {
    const { files } = this.look, python = lines.map(([file]) => file).find((file) => files[file]);
    const shown = [python, shader].filter((file) => files[file]);
    if (this.sources.dataset.files !== shown.join()) {
      this.sources.dataset.files = shown.join();
      this.sources.replaceChildren(...shown.map((file) => html("section", {}, html("h2", {}, file),
        html("pre", { tabindex: 0, "aria-label": file }, ...files[file].split("\n").map((text) => html("code", {}, text))))));
    }
    for (const pre of this.sources.querySelectorAll("pre")) {
      const file = pre.ariaLabel, texts = files[file].split("\n"), main = texts.indexOf("void main() {"), end = texts.indexOf("}", main);
      const isLit = (i) => (main < 0 ? lines.some(([name, number]) => name === file && number === i + 1) : main < i && i < end);
      [...pre.children].forEach((code, i) => code.classList.toggle("lit", isLit(i) && texts[i].trim() !== ""));
      const first = pre.querySelector(".lit");
      if (first) pre.scrollTop = Math.max(0, first.offsetTop - pre.offsetTop - pre.clientHeight / 3);
    }
  }
}
