// A text to edit, with the numbers of its lines beside it; some lines are marked.

"use strict";

class Editor {
  // `changed` is called with the text some time after the last key.
  constructor(label, text, changed, pause = 250) {
    this.numbers = made("div", { class: "numbers", "aria-hidden": "true" });
    this.area = made("textarea", {
      "aria-label": label, spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off",
      oninput: () => { this.number(); this.wait(() => changed(this.text), pause); },
      onscroll: () => { this.numbers.scrollTop = this.area.scrollTop; },
    });
    this.element = made("div", { class: "editor" }, this.numbers, this.area);
    this.marked = new Set();
    this.text = text;
  }

  wait(action, pause) {
    clearTimeout(this.timer);
    this.timer = setTimeout(action, pause);
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
    this.marked = new Set(lines);
    this.area.setAttribute("aria-invalid", String(this.marked.size > 0));
    this.number();
  }

  number() {
    const lines = this.text.split("\n").map((_, i) => made("span", { class: this.marked.has(i + 1) ? "bad" : null }, String(i + 1)));
    this.numbers.replaceChildren(...lines);
    this.numbers.scrollTop = this.area.scrollTop;
  }

  // Puts the caret on a line, and selects it.
  goTo(line) {
    const lines = this.text.split("\n"), start = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    this.area.focus();
    this.area.setSelectionRange(start, start + (lines[line - 1] ?? "").length);
  }
}
