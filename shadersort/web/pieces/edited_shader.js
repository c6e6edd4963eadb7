// A text of a shader that a reader edits: it is compiled after a pause and drawn by the executor, and
// what the compiler says stands at the reader's own lines. Pieces extend this class; they have the
// methods `read`, which is called with the text, and `elsewhere`, which tells an error outside of it.

"use strict";

const READER = 0;  // the number of the text in #line directives
const LOOPS = /\b(for|while|do)\b/;
const COMMENTS = /\/\/[^\n]*|\/\*[^]*?\*\//g;
const FIRST_LINE = "#line 1\nwrong wrong;\n";  // what is wrong stands on line 1

class CannotDraw extends Error {}
class Stopped extends Error {}  // the browser took the context away

class EditedShader {
  constructor(root, exported) {
    Object.assign(this, { root, exported, channel: 0, after: null });
  }

  // Makes the editor, and what is said below it.
  buildEditor() {
    const { file, label = file, text } = this.exported;
    const button = (name, action) => made("button", { type: "button", onclick: action }, name);
    this.editor = new Editor(`Text of ${label}`, text, (text) => this.read(text));
    this.editor.area.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.read(this.editor.text, { asked: true });
    });
    this.buttons = made("div", { class: "controls" },
      button("Draw (Ctrl+Enter)", () => this.read(this.editor.text, { asked: true })), button("Restore the text", () => this.restore()));
    this.channels = channelChoice(() => { this.channel = Number(this.channels.select.value); this.show(); });
    this.verdict = made("p", { class: "verdict", role: "status" });
    this.words = made("ul", { class: "errors" });
    this.log = made("pre", { class: "wide", tabindex: 0, "aria-label": "What the compiler says" });
    this.said = made("details", { class: "compiler", open: true, hidden: true }, made("summary", {}, "What the compiler says"), this.log);
  }

  tell(kind, text) {
    this.verdict.className = `verdict ${kind}`;
    this.verdict.replaceChildren(...coded(text));
  }

  restore() {
    this.editor.text = this.exported.text;
    this.read(this.exported.text, { asked: true });
  }

  // A loop that is not complete may never end.
  waits(text, asked) {
    if (asked || !LOOPS.test(text.replace(COMMENTS, ""))) return false;
    this.tell("", "A loop that never ends would stop all drawing: press Draw when your loop is complete.");
    return true;
  }

  // ---- Compiling and drawing.

  // Opens a context, and returns whether this browser can draw; tells if it cannot.
  opens() {
    try {
      this.open();
    } catch (error) {
      if (!(error instanceof NoWebGL)) throw error;
      this.tell("bad", error.message);
      return false;
    }
    return true;
  }

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

  // The texels that a whole source draws.
  draw(source, program, texels) {
    const { executor, gl } = this;
    executor.shaders.forEach(({ program: linked }) => gl.deleteProgram(linked));
    executor.shaders.clear();
    executor.glsl.files[this.exported.file] = source;
    const drawn = executor.run(program, texels, this.dtype);
    if (gl.isContextLost()) throw new Stopped();
    if (gl.getError() !== gl.NO_ERROR) throw new CannotDraw("The text compiles, but it cannot draw. Its output must be four floats: out TEXEL color.");
    return drawn;
  }

  // Returns what `drawing` returns, or null if it cannot be drawn; then it is told.
  tried(drawing) {
    try {
      return drawing();
    } catch (error) {
      if (error instanceof GLSLError) this.explain(error.message);
      else if (error instanceof CannotDraw) this.fail(error.message);
      else if (!(error instanceof Stopped)) throw error;  // who opens the next context tells of it
      return null;
    }
  }

  // ---- What is said.

  explain(log) {
    const errors = inPlainWords(errorsIn(log, this.shift)).map((error) => this.inText(error)), own = errors.filter(({ source, line }) => source === READER && line > 0);
    this.editor.mark(own.map(({ line }) => line));
    this.words.replaceChildren(...errors.map((error) => this.explained(error)));
    this.log.textContent = log.replaceAll("\0", "").trim();
    this.said.hidden = !log;
    this.stale = Boolean(log);
    if (log) this.tell("bad", this.refused);
  }

  get refused() {
    return "It does not compile. The frame is still that of the last text that did.";
  }

  fail(message) {
    this.explain("");
    this.stale = true;
    this.tell("bad", message);
  }

  // A text that ends too early is wrong on its last line, not after it.
  inText(error) {
    const last = this.editor.text.trimEnd().split("\n").length;
    return error.source === READER ? { ...error, line: Math.min(error.line, last) } : error;
  }

  explained({ source, line, words }) {
    if (line < 0) return made("li", {}, words);
    if (source !== READER) return made("li", {}, this.elsewhere(line, words));
    return made("li", {}, made("button", { type: "button", onclick: () => this.editor.goTo(line) }, `Line ${line}`), " ", ...coded(words));
  }
}
