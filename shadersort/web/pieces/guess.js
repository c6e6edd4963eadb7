// A question with a few answers. The reader commits to one; then the bars appear, with the guess.

"use strict";

const ROW = 46, BAR = 18;  // the height of a row, and of the bar in it

class Guess {
  constructor(root, data) {
    Object.assign(this, { root, data, guess: -1 });
    this.buttons = data.choices.map(({ text }, i) => made("button", { type: "button", onclick: () => this.commit(i) }, text));
    this.status = made("p", { role: "status" });
    this.bars = picture(0, { role: "img" });
    this.again = made("button", { type: "button", onclick: () => this.forget() }, "Guess again");
    this.answer = made("div", {}, this.bars, made("p", {}, data.why), made("p", { class: "pointed" }, data.source), this.again);
    const group = made("div", { class: "controls", role: "group", "aria-label": "Your guess" }, ...this.buttons);
    root.replaceChildren(made("h1", { style: "margin-bottom: .6rem" }, data.question), group, this.status, this.answer);
    this.show();
    new ResizeObserver(() => this.draw()).observe(root);
  }

  commit(guess) {
    if (this.guess < 0) this.show(guess);
  }

  forget() {
    this.show(-1);
    this.buttons[0].focus();
  }

  // Shows the question, and after a guess the answer.
  show(guess = -1) {
    const { choices, right } = this.data, said = choices[guess]?.text, is = choices[right].text;
    this.guess = guess;
    this.answer.hidden = guess < 0;
    for (const [i, button] of this.buttons.entries()) {
      button.setAttribute("aria-pressed", String(i === guess));
      button.setAttribute("aria-disabled", String(guess >= 0));
      button.style.outline = i === guess ? "3px solid var(--focus)" : "";
    }
    this.status.textContent = guess < 0 ? "Press what you expect; then the answer appears." : guess === right ? `Right: ${is}.` : `You guessed: ${said}. The answer: ${is}.`;
    this.draw();
  }

  // The bars, and one more for a guess that is none of them.
  rows() {
    const { bars, choices, answer } = this.data, { text, value } = choices[this.guess];
    const rows = bars.map((bar) => ({ ...bar, guessed: bar.label === text, answers: bar.label === answer }));
    return rows.some(({ guessed }) => guessed) ? rows : [...rows, { label: text, value, guessed: true, own: true }];
  }

  draw() {
    if (this.guess < 0) return;
    const rows = this.rows(), most = Math.max(...rows.map(({ value }) => value)), width = widthOf(this.bars) - 4;
    const told = ({ label, text, guessed, own }) => (own ? `your guess: ${label}` : `${label}: ${text}${guessed ? ", your guess" : ""}`);
    this.bars.setAttribute("height", ROW * rows.length);
    this.bars.setAttribute("aria-label", rows.map(told).join("; "));
    this.bars.replaceChildren(...rows.flatMap((row, i) => {
      const outline = row.guessed ? { stroke: "currentColor", "stroke-width": 2, "stroke-dasharray": "5 3" } : {};
      const fill = row.own ? "none" : this.data.colours[row.answers ? "answer" : "other"];
      const bar = box(2, i * ROW + 20, Math.max(1, (width * row.value) / most), BAR, fill, { ...outline, "data-value": row.value });
      return [written(2, i * ROW + 14, told(row)), bar];
    }));
  }
}

const guess = new Guess(document.querySelector("main"), dataOf("guess"));
