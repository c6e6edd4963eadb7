// A shader of the package to edit. What is typed is compiled after a pause and drawn by the executor;
// while it has errors, the frame stays as the last good text drew it.

"use strict";

const READER = 0, INCLUDED = 1;  // numbers of texts in #line directives
const LOOPS = /\b(for|while|do)\b/;
const FRAME_NAME = "the frame, which is drawn";
const FIRST_LINE = "#line 1\nwrong wrong;\n";  // what is wrong stands on line 1

class CannotDraw extends Error {}
class Stopped extends Error {}  // the browser took the context away

class ShaderPiece {
  constructor(root, exported) {
    Object.assign(this, { root, exported, channel: 0, after: null });
    this.texels = unpacked(exported.texels);
    this.build();
    try {
      this.open();
    } catch (error) {
      if (!(error instanceof NoWebGL)) throw error;
      this.tell("bad", error.message);
      return;
    }
    this.expected = this.after = this.run(exported.text);
    this.show();
    this.tell("good", "This is the package's text.");
  }

  // ---- The elements.

  build() {
    const { exported } = this, { width, height } = exported.program;
    const button = (name, action) => made("button", { type: "button", onclick: action }, name);
    this.views = ["the texture, which is read", FRAME_NAME].map((name) => new Grid(width, height, name, exported.palette));
    this.editor = new Editor(`Text of ${exported.file}`, exported.text, (text) => this.read(text));
    this.editor.area.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.read(this.editor.text, { asked: true });
    });
    this.channels = channelChoice(() => { this.channel = Number(this.channels.select.value); this.show(); });
    this.verdict = made("p", { class: "verdict", role: "status" });
    this.words = made("ul", { class: "errors" });
    this.log = made("pre", { class: "wide", tabindex: 0, "aria-label": "What the compiler says" });
    this.said = made("details", { class: "compiler", open: true, hidden: true }, made("summary", {}, "What the compiler says"), this.log);
    this.root.replaceChildren(
      made("h1", {}, document.title), made("p", {}, exported.told),
      made("div", { class: "sides" },
        made("div", {}, this.editor.element, made("p", { class: "macros" }, this.macros()),
          made("div", { class: "controls" }, button("Draw (Ctrl+Enter)", () => this.read(this.editor.text, { asked: true })), button("Restore the text", () => this.restore())),
          this.verdict, this.words, this.said),
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

  tell(kind, text) {
    this.verdict.className = `verdict ${kind}`;
    this.verdict.textContent = text;
  }

  // ---- Compiling and drawing.

  open() {
    this.gl = openedContext();
    this.dtype = capabilitiesOf(this.gl).floats ? "float32" : "float16";
    if (!capabilitiesOf(this.gl).halves) throw new NoWebGL("This browser cannot draw into textures of floats, so shaders cannot be run here.");
    const { glsl } = this.exported;
    this.executor = new Executor(this.gl, { ...glsl, files: { ...glsl.files } });
    this.shift = this.measuredShift();
    this.gl.canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault();
      this.open();
      this.tell("bad", "The browser stopped the drawing, perhaps because it took too long. Change the text, or draw again.");
    });
  }

  // What this compiler adds to the numbers of #line directives: some count the next line, some this.
  measuredShift() {
    const { gl } = this, shader = gl.createShader(gl.FRAGMENT_SHADER);
    gl.shaderSource(shader, this.exported.glsl.heads.f + FIRST_LINE);
    gl.compileShader(shader);
    const [first] = errorsIn(gl.getShaderInfoLog(shader) ?? "");
    gl.deleteShader(shader);
    return first && first.line >= 0 ? first.line - 1 : 0;
  }

  // The whole source: included files in place of their directives, and the reader's own lines with
  // their own numbers.
  source(text) {
    const lines = text.split("\n").map((line, i) => {
      const name = /^\s*#include\s+"(.*)"/.exec(line)?.[1], found = this.exported.included[name];
      return name !== undefined && found ? `#line 1 ${INCLUDED}\n${found}#line ${i + 2} ${READER}` : line;
    });
    return `#line 1 ${READER}\n${lines.join("\n")}\n`;
  }

  // The texels that a text draws.
  run(text) {
    const { executor, gl } = this, { file, program } = this.exported;
    executor.shaders.forEach(({ program: linked }) => gl.deleteProgram(linked));
    executor.shaders.clear();
    executor.glsl.files[file] = this.source(text);
    const drawn = executor.run(program, this.texels, this.dtype);
    if (gl.isContextLost()) throw new Stopped();
    if (gl.getError() !== gl.NO_ERROR) throw new CannotDraw("The text compiles, but it cannot draw. Its output must be four floats: out TEXEL color.");
    return drawn;
  }

  read(text, { asked = false } = {}) {
    if (!asked && LOOPS.test(text.replace(/\/\/.*/g, ""))) return this.tell("", "A loop that never ends would stop all drawing: press Draw when your loop is complete.");
    try {
      this.after = this.run(text);
    } catch (error) {
      if (error instanceof GLSLError) this.explain(error.message);
      else if (error instanceof CannotDraw) this.fail(error.message);
      else if (!(error instanceof Stopped)) throw error;  // who opens the next context tells of it
      return;
    }
    this.explain("");
    this.show();
    const other = [...this.after].filter((key, i) => !Object.is(key, this.expected[i])).length;
    this.tell("good", other ? `It compiles and draws. ${other} of ${this.after.length} keys differ from what the package's text draws.` : "It compiles and draws the same as the package's text.");
  }

  restore() {
    this.editor.text = this.exported.text;
    this.read(this.exported.text, { asked: true });
  }

  // ---- What is shown.

  explain(log) {
    const errors = inPlainWords(errorsIn(log, this.shift)).map((error) => this.inText(error)), own = errors.filter(({ source, line }) => source === READER && line > 0);
    this.editor.mark(own.map(({ line }) => line));
    this.words.replaceChildren(...errors.map((error) => this.explained(error)));
    this.log.textContent = log.replaceAll("\0", "").trim();
    this.said.hidden = !log;
    this.stale = Boolean(log);
    if (log) this.tell("bad", "It does not compile. The frame is still that of the last text that did.");
  }

  fail(message) {
    this.explain("");
    this.stale = true;
    this.tell("bad", message);
  }

  set stale(stale) {
    this.views[1].figure.classList.toggle("stale", stale);
    this.views[1].name.textContent = stale ? "the frame of the last good text" : FRAME_NAME;
  }

  // A text that ends too early is wrong on its last line, not after it.
  inText(error) {
    const last = this.editor.text.trimEnd().split("\n").length;
    return error.source === READER ? { ...error, line: Math.min(error.line, last) } : error;
  }

  explained({ source, line, words }) {
    if (line < 0) return made("li", {}, words);
    if (source !== READER) return made("li", {}, `In an included file, at its line ${line}: ${words} Perhaps a line before the #include is not complete.`);
    return made("li", {}, made("button", { type: "button", onclick: () => this.editor.goTo(line) }, `Line ${line}`), ` ${words}`);
  }

  show() {
    const both = [this.texels, this.after].map((texels) => channelOf(texels, this.channel));
    this.views.forEach((view, i) => view.show(both[i], i ? [...both[0], ...both[1]] : both[0], this.dtype));
  }
}

const shaderPiece = new ShaderPiece(document.querySelector("main"), dataOf("piece"));
