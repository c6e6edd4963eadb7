// A function of a shader to write. Each case is drawn as soon as the text compiles, and compared with
// texels that came from Python. So are the known mistakes: a text that draws in every case what one
// of them draws has made this mistake.

"use strict";

const NAMES = ["the texture", "yours", "expected"];
const HABITUAL = /cannot be read|is not declared|is a reserved word|takes these arguments/;
const JOINING = /cannot join|cannot be read|does not accept/;
const ENDS = /[;{}]\s*$/;
const UNTRIED = "Not yet. Write it in place of the dots.";

class ShaderExercise extends EditedShader {
  constructor(root, exported) {
    super(root, exported);
    this.cases = exported.cases.map((each) => ({
      ...each, texels: unpacked(each.texels), expected: unpacked(each.expected), after: null, outcomes: each.outcomes.map(unpacked),
    }));
    this.build();
    if (!this.opens()) return;
    this.show();
    this.tell("", UNTRIED);
  }

  build() {
    const { exported } = this;
    this.buildEditor();
    this.choice = made("select", { onchange: () => this.show() }, ...this.cases.map(({ told }, i) => made("option", { value: i }, `${i + 1}: ${told}`)));
    this.advice = made("p", { class: "words" });
    this.grids = made("div", { class: "grids asked" });
    const hints = exported.hints.reduceRight((inner, hint, i) => made("details", { class: "hint" }, made("summary", {}, `Hint ${i + 1}`), made("p", {}, ...coded(hint)), inner), null);
    this.root.replaceChildren(
      made("h1", {}, document.title), made("p", {}, ...coded(exported.told)),
      made("div", { class: "sides" },
        made("div", {}, this.editor.element, this.buttons, this.verdict, this.advice, this.words, this.said, hints),
        made("div", {}, made("div", { class: "controls" }, made("label", {}, "Case ", this.choice), this.channels.label), this.grids)));
  }

  // ---- What is typed.

  read(text, { asked = false } = {}) {
    const broken = this.broken(text);
    if (broken) return this.untried(broken);
    if (this.waits(text, asked)) return;
    const drawn = this.tried(() => this.cases.map((each) => this.drawn(each, text)));
    this.advice.textContent = "";
    if (!drawn) return;
    this.explain("");
    this.cases.forEach((each, i) => { each.after = drawn[i]; });
    this.judge();
  }

  // What is said of a text that need not be compiled; nothing if it is to be tried.
  broken(text) {
    const code = text.replace(COMMENTS, " "), { signature, rules } = this.exported;
    if (code.includes("...")) return UNTRIED;
    if (!inWords(code).includes(inWords(signature))) return `Its first line must stay as it was given: \`${signature} {\``;
    const [, said] = rules.find(([pattern]) => new RegExp(pattern).test(code)) ?? [];
    return said ? `Wrong: ${said}.` : "";
  }

  untried(message) {
    this.explain("");
    this.advice.textContent = "";
    this.cases.forEach((each) => { each.after = null; });
    this.show();
    this.tell("", message);
  }

  // The frame that a text draws of a case, or the part of it that is compared.
  drawn({ program, before, texels }, text) {
    const frame = this.draw(before + text + this.exported.after, program, texels), { width, height } = program, { part } = this.exported;
    return frame.filter((_, i) => Math.floor(i / 4) % width < width / part && Math.floor(i / 4 / width) < height / part);
  }

  // ---- The verdict.

  judge() {
    const wrong = this.cases.findIndex(({ after, expected }) => !alike(after, expected));
    if (wrong < 0) {
      this.show();
      return this.tell("good", `Right, in all ${this.cases.length} cases.`);
    }
    this.choice.value = wrong;
    const { after, expected } = this.cases[wrong], channel = after.findIndex((key, i) => differ(key, expected[i])) % 4;
    this.channels.select.value = this.channel = channel;
    this.show();
    const texels = Array.from({ length: after.length / 4 }, (_, i) => !alike(after.subarray(4 * i, 4 * i + 4), expected.subarray(4 * i, 4 * i + 4)));
    const mistake = this.exported.mistakes.find((_, at) => this.cases.every(({ after, outcomes }) => alike(after, outcomes[at])));
    this.tell("bad", `Wrong, in case ${wrong + 1} of ${this.cases.length}: ${texels.filter(Boolean).length} of ${texels.length} texels.${mistake ? ` It looks as if ${mistake.said}.` : ""}`);
    this.advice.replaceChildren(...coded(mistake?.hint ?? ""));
  }

  get refused() {
    return "It does not compile.";
  }

  elsewhere() {
    return "The text ends too early. Perhaps a bracket or a semicolon is missing near its end.";
  }

  restore() {
    this.editor.text = this.exported.text;
    this.untried(UNTRIED);
  }

  // What is said of the statement around an error, if signs in it join what they cannot.
  joining({ line }) {
    const { joined, types: [types, between] } = this.exported, code = this.editor.text.split("\n").map((each) => each.replace(COMMENTS, ""));
    let first = line - 1, last = first;
    while (first > 0 && !ENDS.test(code[first - 1])) first -= 1;
    while (last + 1 < code.length && !ENDS.test(code[last])) last += 1;
    const text = code.join(" "), named = new RegExp(`\\b(?!(?:${types.join("|")})\\b)[A-Za-z_]\\w*\\b(?!\\s*[(.\\[])`, "g");
    const kind = (name) => types.find((type) => new RegExp(`\\b${type}${between}${name}\\b`).test(text));
    const statement = code.slice(first, last + 1).join(" ").replace(named, (name) => kind(name) ? `${kind(name)}()` : name);
    return joined.find(([pattern]) => new RegExp(pattern).test(statement))?.[1];
  }

  // An error that a habit explains is told so.
  explained(error) {
    const joining = error.source === READER && JOINING.test(error.words) && this.joining(error);
    if (joining) return super.explained({ ...error, words: joining });
    const lines = this.editor.text.split("\n").slice(0, error.line).map((each) => each.replace(COMMENTS, "")), line = lines.pop() ?? "";
    if (error.source === READER && HABITUAL.test(error.words)) {
      const name = /^“(\w+)” is not declared/.exec(error.words)?.[1], { habits, unnamed, ended: [declared, ended] } = this.exported;
      const known = name && lines.some((each) => new RegExp(`${declared}${name}\\b`).test(each));
      const [, said] = name && new RegExp(`^\\s*(?:for\\s*\\(\\s*)?${name}\\s*=[^=]`).test(line) ? [null, unnamed] : known ? [null, ended] : habits.find(([pattern]) => new RegExp(pattern).test(line)) ?? [];
      if (said) return super.explained({ ...error, words: said.replace("{0}", name ?? "This") });
    }
    return super.explained(error);
  }

  // ---- What is shown.

  set stale(stale) {
    this.grids.classList.toggle("stale", stale);
  }

  show() {
    const { exported: { part, palette } } = this, { told, program: { width, height }, texels, after, expected } = this.cases[Number(this.choice.value)];
    const [own, mine, right] = [texels, after ?? [], expected].map((each) => channelOf(each, this.channel));
    const all = [...own, ...right, ...mine], names = [`${NAMES[0]}: ${told}`, ...NAMES.slice(1)];
    const views = names.map((name, i) => new Grid(width / (i ? part : 1), height / (i ? part : 1), name, palette));
    views[0].show(own, all, this.dtype);
    views[2].show(right, all, this.dtype);
    if (after) views[1].show(mine, all, this.dtype, undefined, (i) => differ(mine[i], right[i]));
    this.grids.replaceChildren(...views.filter((_, i) => i !== 1 || after).map(({ figure }) => figure));
  }
}

const differ = (one, other) => one !== other && !(Number.isNaN(one) && Number.isNaN(other));
const alike = (some, others) => some.length === others.length && some.every((key, i) => !differ(key, others[i]));
const inWords = (text) => (text.match(/\w+|\S/g) ?? []).join(" ");

const shaderExercise = new ShaderExercise(document.querySelector("main"), dataOf("piece"));
