// A shader to edit, or a function of a shader to write: the text is compiled after a pause, drawn in each
// case, and what the compiler says stands at the reader's own lines. An exercise has a first line that
// must stay (`signature`), and frames that Python expects; without one, the text is free, and is compared
// with what the package's text draws. A text that draws in every case what a known mistake draws has made
// this mistake.

const FREE = { after: "\n", part: 1, rules: [], hints: [], mistakes: [], habits: [] };  // what is said of a text that is no exercise
const READER = 0;  // the number of the reader's text in #line directives
const COMMENTS = /\/\/[^\n]*|\/\*[^]*?\*\//g;
const LOOPS = /\b(for|while|do)\b/;
const HABITUAL = /cannot be read|is not declared|is a reserved word|takes these arguments|cannot join/;

const differ = (one, other) => one !== other && !(Number.isNaN(one) && Number.isNaN(other));
const alike = (some, others) => some.length === others.length && some.every((key, i) => !differ(key, others[i]));
const words = (text) => (text.match(/\w+|\S/g) ?? []).join(" ");

class Stopped extends Error {}  // the browser took the context away

// Draws with a text that a reader wrote, in place of a file of the package.
class ShaderBench extends Executor {
  constructor(glsl, file, onlost) {
    super({ ...glsl, files: { ...glsl.files } }, onlost);
    if (!this.can.halves) throw new UserError("This browser cannot draw into textures of floats, so shaders cannot be run here.");
    Object.assign(this, { file, dtype: this.can.floats ? "float32" : "float16" });
  }

  // The texels that a whole source draws.
  draw(source, program, texels) {
    const { gl, shaders, glsl: { files }, file, dtype } = this;
    shaders.forEach((shader) => gl.deleteProgram(shader.program));
    shaders.clear();
    files[file] = source;
    const frame = this.run(program, texels, dtype);
    if (gl.isContextLost()) throw new Stopped();
    if (gl.getError() !== gl.NO_ERROR) throw new UserError("The text compiles, but it cannot draw. Its output must be four floats: out TEXEL color.");
    return frame;
  }
}

class ShaderPage {
  constructor(root, exported) {
    const decode = ({ texels, expected, outcomes, ...each }) => ({ ...each, texels: decodeArray(texels), expected: expected && decodeArray(expected), outcomes: outcomes.map(decodeArray), after: null });
    Object.assign(this, { root, exported: { ...FREE, ...exported }, free: !exported.signature, channel: 0, stale: false, cases: exported.cases.map(decode) });
    this.build();
    try {
      this.open();
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      this.tell("bad", error.message);
      return;
    }
    if (this.free) for (const each of this.cases) each.expected = each.after = this.draw(each, exported.text);
    this.show();
    if (this.free) this.tell("good", "This is the package's text.");
    else this.read(exported.text);
  }

  open() {
    const { glsl, file } = this.exported;
    this.bench = new ShaderBench(glsl, file, () => {
      this.open();
      this.tell("bad", "The browser stopped the drawing, perhaps because it took too long. Change the text, or draw again.");
    });
  }

  build() {
    const { name, text, told, hints } = this.exported;
    this.answer = new Answer(`Text of ${name}`, text, "Draw", (text, asked) => this.read(text, asked));
    this.answer.showHints(hints);
    this.case = menu(this.cases.map(({ told }, i) => `${i + 1}: ${told}`), () => this.show());
    this.channels = channelMenu((channel) => this.show({ channel }));
    this.log = html("pre", { class: "wide", tabindex: 0, "aria-label": "What the compiler says" });
    this.said = html("details", { class: "compiler", open: true, hidden: true }, html("summary", {}, "What the compiler says"), this.log);
    this.grids = html("div", { class: this.free ? "grids" : "grids asked" });
    this.root.replaceChildren(
      html("h1", {}, document.title), html("p", {}, ...codeParts(told)),
      html("div", { class: "sides" },
        html("div", {}, ...this.answer.parts, this.said, this.answer.hints),
        html("div", {}, html("div", { class: "controls" }, this.free ? null : label("Case", this.case), label("Channel", this.channels)), this.grids, this.free ? this.glossary() : null)));
  }

  // What the words of the text mean: open where there is room.
  glossary() {
    const entries = Object.entries(this.exported.words).flatMap(([word, means]) => [html("dt", {}, html("code", {}, word)), html("dd", {}, `${means}.`)]);
    return html("details", { class: "legend" }, html("summary", {}, "The words of this text"), html("dl", {}, ...entries));
  }

  // A loop that is not complete may never end, so a text with one is drawn only if the reader asks.
  read(text, asked) {
    if (!this.bench) return;
    const code = text.replace(COMMENTS, " "), fault = this.free ? "" : this.faultOf(code);
    this.explain("");
    if (fault) return this.reset(fault);
    if (!asked && LOOPS.test(code)) {
      this.show({ stale: true });
      return this.tell("", "A loop that never ends would stop all drawing: press Draw when your loop is complete.");
    }
    try {
      const frames = this.cases.map((each) => this.draw(each, text));
      this.cases.forEach((each, i) => { each.after = frames[i]; });
    } catch (error) {
      if (error instanceof Stopped) return;  // who opens the next context tells of it
      if (!(error instanceof GLSLError || error instanceof UserError)) throw error;
      this.explain(error instanceof GLSLError ? error.message : "");
      this.show({ stale: true });
      this.tell("bad", error instanceof UserError ? error.message : `It does not compile.${this.cases[0].after ? " The frame is still that of the last text that did." : ""}`);
      return;
    }
    this.judge();
  }

  // What is said of a text that need not be compiled; nothing if it is to be tried.
  faultOf(code) {
    const { signature, rules } = this.exported;
    if (code.includes("...")) return UNTRIED;
    if (!words(code).includes(words(signature))) return `Its first line must stay as it was given: \`${signature} {\``;
    const [, said] = rules.find(([pattern]) => new RegExp(pattern).test(code)) ?? [];
    return said ? `Wrong: ${said}.` : "";
  }

  // Nothing was drawn, or is to be seen any more.
  reset(message) {
    this.cases.forEach((each) => { each.after = null; });
    this.show({ stale: false });
    this.tell("", message);
  }

  // The frame that a text draws of a case, or the part of it that is compared.
  draw({ program, before, texels }, text) {
    const { part, after } = this.exported, { width, height } = program, frame = this.bench.draw(before + text + after, program, texels);
    return frame.filter((_, i) => Math.floor(i / 4) % width < width / part && Math.floor(i / 4 / width) < height / part);
  }

  judge() {
    const { cases, exported: { mistakes } } = this, wrong = cases.findIndex(({ after, expected }) => !alike(after, expected));
    if (this.free || wrong < 0) {
      const [{ after, expected }] = cases, other = after.filter((key, i) => differ(key, expected[i])).length;
      this.show({ stale: false });
      if (!this.free) this.tell("good", `Right, in all ${cases.length} cases.`);
      else this.tell("good", other ? `It compiles and draws. ${other} of ${after.length} keys differ from what the package's text draws.` : "It compiles and draws the same as the package's text.");
      return;
    }
    const { after, expected } = cases[wrong], places = [...after.keys()].filter((i) => differ(after[i], expected[i]));
    this.case.value = wrong;
    this.channels.value = places[0] % 4;
    this.show({ channel: places[0] % 4, stale: false });
    const texels = new Set(places.map((i) => Math.floor(i / 4))), mistake = mistakes.find((_, at) => cases.every(({ after, outcomes }) => alike(after, outcomes[at])));
    this.tell("bad", `Wrong, in case ${wrong + 1} of ${cases.length}: ${texels.size} of ${after.length / 4} texels.${mistake ? ` It looks as if ${mistake.said}.` : ""}`, mistake?.hint);
  }

  tell(...said) {
    this.answer.tell(...said);
  }

  // Says what a compiler's log says; nothing if it is empty.
  explain(log) {
    const lines = this.answer.text.trimEnd().split("\n"), last = lines.length;  // a text that ends too early is wrong on its last line, not after it
    const errors = explainErrors(log).map((error) => ({ ...error, own: error.source === READER && error.line > 0, line: Math.min(error.line, last) }));
    this.answer.explain(errors.map((error) => ({ line: error.own ? error.line : 0, words: this.wordsFor(error, lines) })));
    this.log.textContent = log.replaceAll("\0", "").trim();
    this.said.hidden = !log;
  }

  // An error that a habit explains is told so.
  wordsFor({ own, source, line, words }, lines) {
    if (!own) return source < 0 || this.free ? words : "The text ends too early. Perhaps a bracket or a semicolon is missing near its end.";
    const code = lines[line - 1].replace(COMMENTS, ""), habit = HABITUAL.test(words) && this.exported.habits.find(([pattern]) => new RegExp(pattern).test(code));
    return habit ? habit[1] : words;
  }

  // Shows a case, with what was changed, if anything was.
  show(change = {}) {
    Object.assign(this, change);
    const { exported: { part, palette }, free, stale, bench: { dtype } } = this, { told, program: { width, height }, texels, after, expected } = this.cases[Number(this.case.value)];
    const [own, mine, right] = [texels, after ?? [], expected].map((each) => channelOf(each, this.channel));
    const names = free ? ["the texture, which is read", stale ? "the frame of the last good text" : "the frame, which is drawn"] : [`the texture: ${told}`, "yours", "expected"];
    const views = names.map((name, i) => new Grid(width / (i ? part : 1), height / (i ? part : 1), name, palette));
    const all = free ? [...own, ...mine] : [...own, ...right, ...mine];
    views[0].show(own, free ? own : all, dtype);
    if (after) views[1].show(mine, all, dtype, free ? {} : { wrong: (i) => differ(mine[i], right[i]) });
    views[2]?.show(right, all, dtype);
    views[1].figure.classList.toggle("stale", stale);
    this.grids.replaceChildren(...views.filter((_, i) => i !== 1 || after).map(({ figure }) => figure));
  }
}
