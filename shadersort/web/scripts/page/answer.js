// A text to edit, with the numbers of its lines beside it, and what is said of it: a verdict, errors, hints.

const LINE = 19.5;  // pixels of a line, as answer.css has it
const UNTRIED = "Not yet. Write it in place of the dots.";

const PAUSE = 250;  // milliseconds after the last key

class Answer {
  // `read(text, asked)` is called some time after a change, or if the reader asks.
  constructor(name, given, ask, read) {
    const asked = () => {
      clearTimeout(this.timer);
      read(this.text, true);
    };
    const change = () => {
      this.number();
      clearTimeout(this.timer);
      this.timer = setTimeout(() => read(this.text, false), PAUSE);
    };
    this.numbers = html("div", { class: "numbers", "aria-hidden": "true" });
    this.area = html("textarea", {
      "aria-label": name, spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off",
      oninput: change, onscroll: () => { this.numbers.scrollTop = this.area.scrollTop; },
      onkeydown: (event) => event.key === "Enter" && (event.ctrlKey || event.metaKey) && asked(),
    });
    const restore = button("Restore the text", () => { this.text = this.given; asked(); });
    this.verdict = html("p", { class: "verdict", role: "status" });
    this.advice = html("p", { class: "words" });
    this.errors = html("ul", { class: "errors" });
    this.hints = html("div");
    this.parts = [html("div", { class: "editor" }, this.numbers, this.area), html("div", { class: "controls" }, button(`${ask} (Ctrl+Enter)`, asked), restore), this.verdict, this.advice, this.errors];
    this.marked = [];
    this.text = this.given = given;
  }

  get text() {
    return this.area.value;
  }

  set text(text) {
    clearTimeout(this.timer);
    this.area.value = text;
    this.area.rows = text.split("\n").length + 1;
    this.number();
  }

  // Marks the lines of these numbers, and no others.
  mark(lines) {
    this.marked = lines;
    this.area.setAttribute("aria-invalid", String(lines.length > 0));
    this.number();
  }

  number() {
    const lines = this.text.split("\n").map((_, i) => html("span", { class: this.marked.includes(i + 1) ? "bad" : null }, String(i + 1)));
    this.numbers.replaceChildren(...lines);
    this.numbers.scrollTop = this.area.scrollTop;
  }

  // Lights a line that runs; 0 for none.
  light(line) {
    this.area.style.setProperty("--lit-line", line);
    this.area.classList.toggle("lit", line > 0);
    const top = (line - 1) * LINE;
    if (line && (top < this.area.scrollTop || top > this.area.scrollTop + this.area.clientHeight - 2 * LINE)) this.area.scrollTop = top - this.area.clientHeight / 2;
  }

  goTo(line) {
    const lines = this.text.split("\n"), start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
    this.area.focus();
    this.area.setSelectionRange(start, start + (lines[line - 1] ?? "").length);
  }

  // Hints that open one by one.
  showHints(hints) {
    const open = (inner, hint, i) => html("details", { class: "hint" }, html("summary", {}, `Hint ${i + 1}`), html("p", {}, ...codeParts(hint)), inner);
    this.hints.replaceChildren(hints.reduceRight(open, null) ?? "");
  }

  tell(kind, text, advice = "") {
    this.verdict.className = `verdict ${kind}`;
    this.verdict.replaceChildren(...codeParts(text));
    this.advice.replaceChildren(...codeParts(advice));
  }

  // Lists errors, { line, words, go }: a line that is the reader's leads to it, or to where `go` does.
  explain(errors) {
    const lead = ({ line, go = () => this.goTo(line) }) => (line ? [button(`Line ${line}`, go), " "] : []);
    this.errors.replaceChildren(...errors.map((error) => html("li", {}, ...lead(error), ...codeParts(error.words))));
    this.mark(errors.map(({ line }) => line));
  }
}
