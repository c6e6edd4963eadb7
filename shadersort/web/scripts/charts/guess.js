// A question with a few answers. The reader commits to one; then the bars appear, with the guess.

const ROW = 46, BAR = 18;  // the height of a row, and of the bar in it

class Guess {
  constructor(root, data) {
    Object.assign(this, { data, guess: -1, chart: new Chart(0) });
    this.buttons = data.choices.map(({ text }, i) => button(text, () => this.guess < 0 && this.show(i)));
    this.status = html("p", { role: "status" });
    const again = button("Guess again", () => { this.show(-1); this.buttons[0].focus(); });
    this.answer = html("div", {}, this.chart.element, html("p", {}, data.why), html("p", { class: "pointed" }, data.source), again);
    const group = html("div", { class: "controls", role: "group", "aria-label": "Your guess" }, ...this.buttons);
    root.replaceChildren(html("h1", { style: "margin-bottom: .6rem" }, data.question), group, this.status, this.answer);
    this.show(-1);
    new ResizeObserver(() => this.draw()).observe(root);
  }

  // Shows the question, and after a guess the answer.
  show(guess) {
    const { choices, right } = this.data, said = choices[guess]?.text, is = choices[right].text;
    this.guess = guess;
    this.answer.hidden = guess < 0;
    for (const [i, each] of this.buttons.entries()) {
      each.setAttribute("aria-pressed", String(i === guess));
      each.setAttribute("aria-disabled", String(guess >= 0));
      each.style.outline = i === guess ? "3px solid var(--focus)" : "";
    }
    this.status.textContent = guess < 0 ? "Press what you expect; then the answer appears." : guess === right ? `Right: ${is}.` : `You guessed: ${said}. The answer: ${is}.`;
    this.draw();
  }

  // The bars, and one more for a guess that is none of them.
  draw() {
    if (this.guess < 0) return;
    const { data: { bars, choices, answer, colours }, chart: { element, width } } = this, { text: guess, value } = choices[this.guess];
    const rows = bars.map((bar) => ({ ...bar, guessed: bar.label === guess, fill: colours[bar.label === answer ? "answer" : "other"] }));
    if (!rows.some(({ guessed }) => guessed)) rows.push({ label: guess, value, guessed: true, fill: "none" });
    const most = Math.max(...rows.map((row) => row.value)), told = ({ label, text, guessed }) => text ? `${label}: ${text}${guessed ? ", your guess" : ""}` : `your guess: ${label}`;
    fillElement(element, { height: ROW * rows.length, "aria-label": rows.map(told).join("; ") }, []);
    element.replaceChildren(...rows.flatMap((row, i) => {
      const outline = row.guessed ? { stroke: "currentColor", "stroke-width": 2, "stroke-dasharray": "5 3" } : {};
      return [write(2, i * ROW + 14, told(row)), box(2, i * ROW + 20, Math.max(1, ((width - 4) * row.value) / most), BAR, row.fill, { ...outline, "data-value": row.value })];
    }));
  }
}
