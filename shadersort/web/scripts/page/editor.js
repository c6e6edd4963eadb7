// A text to edit, with the numbers of its lines beside it; some lines are marked.

class Editor {
  // `changed` is called with the text some time after the last key.
  constructor(name, text, changed, pause = 250) {
    this.numbers = html("div", { class: "numbers", "aria-hidden": "true" });
    this.area = html("textarea", {
      "aria-label": name, spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off",
      oninput: () => {
        this.number();
        clearTimeout(this.timer);
        this.timer = setTimeout(() => changed(this.text), pause);
      },
      onscroll: () => { this.numbers.scrollTop = this.area.scrollTop; },
    });
    this.element = html("div", { class: "editor" }, this.numbers, this.area);
    this.marked = [];
    this.text = text;
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

  // Selects a line.
  goTo(line) {
    const lines = this.text.split("\n"), start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
    this.area.focus();
    this.area.setSelectionRange(start, start + (lines[line - 1] ?? "").length);
  }
}
