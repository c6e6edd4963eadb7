// A small texture and a quad over it. What is drawn is computed by the executor: the page puts only
// the numbers of the quad into a program of one pass.

const BLENDS = {
  None: ["no blending", "the drawn texel replaces the one there"],
  min: ["MIN", "the smaller of the drawn texel and the one there stays, channel by channel"],
  max: ["MAX", "the larger of the drawn texel and the one there stays, channel by channel"],
};
const BEFORE = { copy: "a copy of the texture", zeros: "zeros", kept: "what was drawn last" };
const MIRRORS = ["left and right", "top and bottom"];
const TASK = "Drag a corner of the quad, or the quad: on the frame it changes where it is drawn, on the texture what it shows. Then let it blend, and watch the frame.";

class QuadPiece {
  constructor(root, exported) {
    Object.assign(this, { root, exported, channel: 0, blend: "None", texels: decodeArray(exported.texels) });
    const { width, height } = exported.programs.None, { preset, presets } = exported;
    this.quad = new PlacedQuad([width, height]);
    this.build(width, height);
    try {
      this.open();
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      this.error.textContent = error.message;
      return;
    }
    this.load(presets.find(({ name }) => name === preset));
  }

  build(width, height) {
    const changed = () => this.draw(), { palette, presets, channels } = this.exported;
    this.views = ["the texture, which is read", "the frame before", "the frame after, changes underlined"].map((name) => new Grid(width, height, name, palette));
    this.outlines = [["texture", changed], ["frame", null], ["frame", changed]].map(([view, does], i) => new Outline(this.views[i], this.quad, view, does));
    this.error = html("p", { class: "error", role: "alert" });
    this.why = html("p", { class: "why" });
    this.words = html("p", { class: "words", role: "status" });
    this.corners = html("table");
    this.code = html("code");
    this.blends = choice("Drawn with", Object.fromEntries(Object.entries(BLENDS).map(([blend, [name]]) => [blend, name])), "None", (blend) => this.draw({ blend }), { hidden: true });
    this.mirrors = this.quad.axes.map((axis) => html("input", { type: "checkbox", onchange: () => { axis.mirrored = !axis.mirrored; this.draw(); } }));
    this.before = menu(BEFORE, changed);
    this.before.lastChild.disabled = true;
    const channel = label("Channel", channelMenu((channel) => this.draw({ channel })));
    channel.hidden = !channels;
    this.root.replaceChildren(
      html("h1", {}, document.title), html("p", {}, TASK),
      html("div", { class: "controls", role: "group", "aria-label": "Quads to begin with" }, ...presets.map((preset) => button(preset.name, () => this.load(preset)))),
      html("div", { class: "controls" }, this.blends.element, ...this.mirrors.map((box, i) => html("label", {}, box, ` mirror ${MIRRORS[i]}`)), channel), this.error, this.why,
      html("div", { class: "grids" }, ...this.views.map(({ figure }) => figure)), this.words,
      html("div", { class: "controls" }, label("The frame before is", this.before), button("Draw the next quad over this", () => this.drawOn())),
      scrollBox("Corners of the quad", this.corners),
      html("pre", { class: "wide", tabindex: 0, "aria-label": "The pass in Python" }, this.code),
      html("footer", {}, html("kbd", {}, "Tab"), " reaches corners and quads · ", html("kbd", {}, "arrow keys"), " move them by a texel · a corner of the texture that passes its opposite mirrors the quad"));
  }

  open() {
    this.executor = new Executor(this.exported.glsl, () => { this.open(); this.draw(); });
    const { can } = this.executor;
    if (!can.halves) throw new UserError("This browser cannot draw into textures of floats, so nothing can be drawn here. The lesson's pictures show the same.");
    this.dtype = can.blends ? "float32" : "float16";
    if (!can.blends) this.why.textContent = "This browser cannot blend 32-bit floats: here textures hold 16-bit floats, as on the card of 2005.";
  }

  load({ quad, blend, name, told }) {
    this.quad.numbers = quad;
    this.draw({ blend }, `“${name}”: ${told} `);
  }

  // The frame becomes what it is after this quad, so that another one can follow.
  drawOn() {
    this.kept = this.after;
    this.before.lastChild.disabled = false;
    this.before.value = "kept";
    this.draw();
  }

  // Draws with what was changed, if anything was.
  draw(change = {}, words = "") {
    Object.assign(this, change);
    const program = this.exported.programs[this.blend], [[name, numbers]] = program.uniforms, [[, , frame]] = program.passes;
    const placed = { ...program, uniforms: [[name, [...this.quad.numbers, ...numbers.slice(8)]]] };
    const before = { copy: this.texels, zeros: new Float32Array(this.texels.length), kept: this.kept }[this.before.value];
    const run = new Run(this.executor, placed, this.texels, this.dtype);
    run.buffers[frame] = run.newTexture(1, before);
    this.after = run.runTo(1).read(frame);
    run.release();
    this.show(before, words);
  }

  show(frame, words) {
    const { blend, quad, dtype } = this, all = [this.texels, frame, this.after].map((each) => channelOf(each, this.channel)), [read, before, now] = all;
    this.views.forEach((view, i) => view.show(all[i], [...read, ...before], dtype, i === 2 ? { changed: (texel) => now[texel] !== before[texel] } : {}));
    this.outlines.forEach((outline) => outline.show(this.exported.colours[blend]));
    this.blends.check(blend);
    this.mirrors.forEach((box, i) => { box.checked = quad.axes[i].mirrored; });
    const ways = MIRRORS.filter((_, i) => quad.axes[i].mirrored), mirrored = ways.length ? `mirrored, ${ways.join(" and ")} exchanged` : "not mirrored";
    const [name, does] = BLENDS[blend], size = quad.axes.map((axis) => axis.size).join(" × "), moved = now.filter((key, i) => key !== before[i]).length;
    this.words.textContent = `${words}The quad covers ${size} texels, ${mirrored}. Drawn with ${name}: ${does}. ${moved} of ${now.length} texels of the frame change.`;
    fillTable(this.corners, ["corner", "is drawn at x, y", "shows the texture at s, t"],
      Object.entries(CORNERS).map(([letter, ends]) => [letter, ...["frame", "texture"].map((view) => quad.corner(view, ends).join(", "))]));
    const [[, from, to]] = this.exported.programs.None.passes;
    this.code.textContent = `ss.Pass("copy", "${from}", "${to}", (ss.Quads(ss.Quad(${quad.numbers.join(", ")})),)${blend === "None" ? "" : `, "${blend}"`})`;
  }
}
