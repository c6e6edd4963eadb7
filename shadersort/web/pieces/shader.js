// A shader of the package to edit. While what is typed has errors, the frame stays as the last good
// text drew it.

"use strict";

const FRAME_NAME = "the frame, which is drawn";

class ShaderPiece extends EditedShader {
  constructor(root, exported) {
    super(root, exported);
    this.texels = unpacked(exported.texels);
    this.build();
    if (!this.opens()) return;
    this.expected = this.after = this.run(exported.text);
    this.show();
    this.tell("good", "This is the package's text.");
  }

  build() {
    const { exported } = this, { width, height } = exported.program;
    this.views = ["the texture, which is read", FRAME_NAME].map((name) => new Grid(width, height, name, exported.palette));
    this.buildEditor();
    this.root.replaceChildren(
      made("h1", {}, document.title), made("p", {}, exported.told),
      made("div", { class: "sides" },
        made("div", {}, this.editor.element, made("p", { class: "macros" }, this.macros()), this.buttons, this.verdict, this.words, this.said),
        made("div", {}, made("div", { class: "controls" }, this.channels.label), made("div", { class: "grids" }, ...this.views.map(({ figure }) => figure)), this.legend())));
  }

  // What the words of the text mean: open where there is room.
  legend() {
    const entries = Object.entries(this.exported.words).flatMap(([word, means]) => [made("dt", {}, made("code", {}, word)), made("dd", {}, `${means}.`)]);
    return made("details", { class: "legend", open: innerWidth > 640 }, made("summary", {}, "The words of this text"), made("dl", {}, ...entries));
  }

  // What stands for types, so that one text serves every type of key.
  macros() {
    const defined = [...this.exported.glsl.heads.f.matchAll(/#define (\w+) (\w+)/g)].map(([, macro, type]) => `${macro} is ${type}`);
    return `Here ${defined.slice(0, -1).join(", ")} and ${defined.at(-1)}.`;
  }

  run(text) {
    return this.draw(`#line 1 ${READER}\n${text}\n`, this.exported.program, this.texels);
  }

  read(text, { asked = false } = {}) {
    if (this.waits(text, asked)) return;
    const after = this.tried(() => this.run(text));
    if (!after) return;
    this.after = after;
    this.explain("");
    this.show();
    const other = [...this.after].filter((key, i) => !Object.is(key, this.expected[i])).length;
    this.tell("good", other ? `It compiles and draws. ${other} of ${this.after.length} keys differ from what the package's text draws.` : "It compiles and draws the same as the package's text.");
  }

  elsewhere(line, words) {
    return words;
  }

  set stale(stale) {
    this.views[1].figure.classList.toggle("stale", stale);
    this.views[1].name.textContent = stale ? "the frame of the last good text" : FRAME_NAME;
  }

  show() {
    const both = [this.texels, this.after].map((texels) => channelOf(texels, this.channel));
    this.views.forEach((view, i) => view.show(both[i], i ? [...both[0], ...both[1]] : both[0], this.dtype));
  }
}

const shaderPiece = new ShaderPiece(document.querySelector("main"), dataOf("piece"));
