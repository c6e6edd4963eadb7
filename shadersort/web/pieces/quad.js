// A small texture and a quad over it. What is drawn is computed by the executor: the page puts only
// the numbers of the quad into a program of one pass.

"use strict";

const BLEND_WORDS = {
  None: ["no blending", "the drawn texel replaces the one there"],
  min: ["MIN", "the smaller of the drawn texel and the one there stays, channel by channel"],
  max: ["MAX", "the larger of the drawn texel and the one there stays, channel by channel"],
};
const BEFORE = { copy: "a copy of the texture", zeros: "zeros", kept: "what was drawn last" };
const MOVED_WORDS = ["left and right", "top and bottom"];

class QuadPiece {
  constructor(root, exported) {
    Object.assign(this, { root, exported, channel: 0, blend: "None", before: "copy" });
    this.texels = unpacked(exported.texels);
    const { width, height } = exported.programs.None;
    this.placed = new Placed([width, height]);
    this.build(width, height);
    try {
      this.open();
    } catch (error) {
      if (!(error instanceof NoWebGL)) throw error;
      return this.fail(error.message);
    }
    this.load(exported.presets.find(({ name }) => name === exported.preset));
  }

  // ---- The elements.

  build(width, height) {
    const changed = () => this.draw(), { palette, presets } = this.exported;
    this.views = ["the texture, which is read", "the frame before", "the frame after, changes underlined"].map((name) => new Grid(width, height, name, palette));
    this.outlines = [["texture", changed], ["frame", null], ["frame", changed]].map(([view, does], i) => new Outline(this.views[i], this.placed, view, does));
    this.error = made("p", { class: "error", role: "alert" });
    this.why = made("p", { class: "why" });
    this.words = made("p", { class: "words", role: "status" });
    this.corners = made("tbody");
    this.code = made("code");
    this.root.replaceChildren(
      made("h1", {}, document.title),
      made("p", {}, "Drag a corner of the quad, or the quad: on the frame it changes where it is drawn, on the texture what it shows. Then let it blend, and watch the frame."),
      made("div", { class: "controls", role: "group", "aria-label": "Quads to begin with" },
        ...presets.map((preset) => made("button", { type: "button", onclick: () => this.load(preset) }, preset.name))),
      this.ways(), this.error, this.why,
      made("div", { class: "grids" }, ...this.views.map(({ figure }) => figure)),
      this.words, this.starts(),
      made("div", { class: "wide", tabindex: 0, role: "region", "aria-label": "Corners of the quad" }, made("table", {}, this.head(), this.corners)),
      made("pre", { class: "wide", tabindex: 0, "aria-label": "The pass in Python" }, this.code),
      made("footer", {}, made("kbd", {}, "Tab"), " reaches corners and quads · ", made("kbd", {}, "arrow keys"), " move them by a texel · a corner of the texture that passes its opposite mirrors the quad"));
  }

  // How the quad is drawn: blended or not, mirrored or not; and the channel that is shown.
  ways() {
    const choose = (blend) => () => {
      this.blend = blend;
      this.draw();
    };
    const mirror = (axis) => () => {
      this.placed.mirror(axis);
      this.draw();
    };
    this.blends = Object.entries(BLEND_WORDS).map(([blend, [name]]) => [blend, made("input", { type: "radio", name: "blend", value: blend, onchange: choose(blend) }), name]);
    this.mirrors = MOVED_WORDS.map((name, axis) => [made("input", { type: "checkbox", onchange: mirror(axis) }), `mirror ${name}`]);
    this.channels = channelChoice(() => { this.channel = Number(this.channels.select.value); this.draw(); });
    this.channels.label.hidden = !this.exported.channels;
    return made("div", { class: "controls" },
      made("fieldset", {}, made("legend", { class: "hidden" }, "Drawn with"), ...this.blends.map(([, radio, name]) => made("label", {}, radio, ` ${name}`))),
      ...this.mirrors.map(([box, name]) => made("label", {}, box, ` ${name}`)), this.channels.label);
  }

  // What the quad is drawn over.
  starts() {
    this.start = made("select", { onchange: () => { this.before = this.start.value; this.draw(); } },
      ...Object.entries(BEFORE).map(([value, name]) => made("option", { value, disabled: value === "kept" }, name)));
    const keep = made("button", { type: "button", onclick: () => this.drawOn() }, "Draw the next quad over this");
    return made("div", { class: "controls" }, made("label", {}, "The frame before is ", this.start), keep);
  }

  head() {
    const names = ["corner", "is drawn at x, y", "shows the texture at s, t"];
    return made("thead", {}, made("tr", {}, ...names.map((name) => made("th", { scope: "col" }, name))));
  }

  fail(message) {
    this.error.textContent = message;
  }

  // ---- Drawing.

  open() {
    this.gl = openedContext();
    const can = capabilitiesOf(this.gl);
    if (!can.halves) throw new NoWebGL("This browser cannot draw into textures of floats, so nothing can be drawn here. The lesson's pictures show the same.");
    this.dtype = can.blends ? "float32" : "float16";
    if (!can.blends) this.why.textContent = "This browser cannot blend 32-bit floats: here textures hold 16-bit floats, as on the card of 2005.";
    this.executor = new Executor(this.gl, this.exported.glsl);
    this.gl.canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault();
      this.open();
      this.draw();
    });
  }

  load({ quad, blend, name, told }) {
    this.placed.numbers = quad;
    this.blend = blend;
    this.draw(`“${name}”: ${told}`);
  }

  // The frame becomes what it is after this quad, so that another one can follow.
  drawOn() {
    this.kept = this.after;
    this.before = "kept";
    this.start.querySelector("[value=kept]").disabled = false;
    this.draw();
  }

  get frame() {
    return { copy: this.texels, zeros: new Float32Array(this.texels.length), kept: this.kept }[this.before];
  }

  draw(told = null) {
    const template = this.exported.programs[this.blend], [[name, numbers]] = template.uniforms;
    const program = { ...template, uniforms: [[name, [...this.placed.numbers, ...numbers.slice(8)]]] };
    const run = new Run(this.executor, program, this.texels, this.dtype), [[, , frame]] = program.passes;
    run.buffers[frame] = run.made(1, this.frame);
    run.step();
    this.after = run.read(frame);
    run.release();
    this.show(told);
  }

  // ---- What is shown.

  show(told) {
    const { texels, frame, after, channel, dtype } = this, all = [texels, frame, after].map((each) => channelOf(each, channel));
    const [read, before, now] = all;
    const together = Array.from(new Set([...read, ...before]));
    this.views.forEach((view, i) => view.show(all[i], together, dtype, (texel) => i === 2 && now[texel] !== before[texel]));
    this.outlines.forEach((outline) => outline.show(this.exported.colours[this.blend]));
    this.blends.forEach(([blend, radio]) => { radio.checked = blend === this.blend; });
    this.mirrors.forEach(([box], i) => { box.checked = this.placed.axes[i].mirrored; });
    this.start.value = this.before;
    const moved = now.filter((key, i) => key !== before[i]).length;
    this.words.textContent = `${told ? `${told} ` : ""}${this.inWords()} ${moved} of ${now.length} texels of the frame change.`;
    this.showNumbers();
  }

  inWords() {
    const ways = MOVED_WORDS.filter((_, i) => this.placed.axes[i].mirrored);
    const mirrored = ways.length ? `mirrored, ${ways.join(" and ")} exchanged` : "not mirrored";
    const [name, does] = BLEND_WORDS[this.blend], [width, height] = this.placed.axes.map(({ size }) => size);
    return `The quad covers ${width} × ${height} texels, ${mirrored}. Drawn with ${name}: ${does}.`;
  }

  showNumbers() {
    this.corners.replaceChildren(...Object.entries(CORNERS).map(([letter, ends]) => made("tr", {}, made("th", { scope: "row" }, letter),
      ...["frame", "texture"].map((view) => made("td", {}, this.placed.corner(view, ends).join(", "))))));
    const [[, source, frame]] = this.exported.programs.None.passes, blend = this.blend === "None" ? "" : `, "${this.blend}"`;
    this.code.textContent = `ss.Pass("copy", "${source}", "${frame}", (ss.Quads(ss.Quad(${this.placed.numbers.join(", ")})),)${blend})`;
  }
}

const quadPiece = new QuadPiece(document.querySelector("main"), dataOf("piece"));
