// Houses on a street: the reader drags one of them out, and sees what cutting planes do.

"use strict";

const STEP_TEXTS = {
  extent: () => "one read finds the first house, the last house, and the sum of all places",
  cut: ({ left, right, pivot }) => `the lines that touch at ${placeText(left.place)} and ${placeText(right.place)} meet: the pivot is ${placeText(pivot)}`,
  "log cut": ({ pivot }) => `the mean of logarithms: the pivot is ${placeText(pivot)}`,
  "by rank": ({ pivot }) => `the rank predicts the pivot ${placeText(pivot)}`,
  "halve codes": ({ pivot }) => `the middle of the numbers between the ends: the pivot is ${placeText(pivot)}`,
  nearest: () => "which house is next to the end of the bracket?",
  end: ({ pivot }) => `counts at the house next to the end, ${placeText(pivot)}`,
  proof: ({ pivot }) => `counts at the answer, ${placeText(pivot)}`,
};
const VIEWS = { street: "the street", bracket: "the bracket", all: "all houses" };

class StreetPiece {
  constructor(root, data) {
    Object.assign(this, { root, data, place: data.usual, variant: "as printed", view: "street" });
    const objects = (fields, row) => Object.fromEntries(fields.map((field, i) => [field, row[i]]));
    const line = (row) => objects(data.line, row);
    for (const recorded of data.places) for (const name of ["as printed", "improved"]) {
      recorded[name].steps = recorded[name].steps.map((row) => objects(data.step, row)).map((step) => ({ ...step, left: line(step.left), right: line(step.right) }));
    }
    this.steps = new RecordedSteps((at) => this.shown(at));
    this.chart = new SumChart(data.colours);
    this.chart.houses = data.houses.length + 1;
    this.street = new Street(data, (place) => this.move(place));
    this.build();
    this.move(this.place);
    new ResizeObserver(() => this.steps.go(this.steps.at)).observe(this.street.element);
  }

  build() {
    this.told = made("p", { role: "status" });
    this.rounding = made("p", { class: "why" });
    this.results = made("table");
    this.table = made("table");
    this.root.replaceChildren(made("h1", {}, document.title),
      made("p", {}, "Drag the orange house along the street, and far out of it. The cutting plane looks for the house in the middle, where the sum of the distances to all houses is smallest."),
      this.street.element, this.legend(),
      made("div", { style: "display: flex; flex-wrap: wrap; gap: 0 2rem; align-items: center" }, scrolled("Both variants", this.results), this.told),
      choice("Steps", { "as printed": "as printed in 2011", improved: "improved" }, this.variant, (variant) => { this.variant = variant; this.restart(); }),
      this.steps.controls, this.steps.caption,
      choice("View", VIEWS, this.view, (view) => { this.view = view; this.steps.go(this.steps.at); }),
      this.chart.element, this.rounding, scrolled("Steps", this.table),
      RecordedSteps.footer("on the orange house, the arrow keys, Page Up, Page Down, Home and End move it"));
  }

  legend() {
    const { colours } = this.data, entries = [[colours["as printed"], "as printed (squares)"], [colours.improved, "improved (dots)"], [null, "× not proved: counts refute the answer"]];
    return made("ul", { class: "legend" }, ...entries.map(([colour, name]) => made("li", {}, colour && made("span", { class: "swatch", style: `background: ${colour}` }), name)));
  }

  // ---- What is chosen.

  get recorded() {
    return this.data.places[this.place];
  }

  get run() {
    return this.recorded[this.variant];
  }

  move(place) {
    this.place = place;
    const { recorded } = this, printed = recorded["as printed"], { improved } = recorded;
    this.told.textContent = `The house stands at ${placeText(recorded.place)}: the mean is ${placeText(recorded.mean)}, the median ${placeText(recorded.median)}.`;
    const head = ["variant", "iterations", "reads", "answer", "proved"];
    const rows = [["as printed", printed], ["improved", improved]].map(([name, run]) => [name, run.iterations, Number(run.reads.toFixed(1)), placeText(run.answer), run.proved ? "yes" : "refuted"]);
    this.results.replaceChildren(rowOf(head, "th"), ...rows.map((cells) => rowOf(cells)));
    this.restart();
  }

  restart() {
    const { spacing } = this.recorded, lost = `In double precision the sum of all distances is a multiple of ${placeText(spacing)} here, and smaller distances are lost in it. `;
    const kept = { "as printed": "So the pivot is not where the lines really meet.", improved: "Once the far house is outside the bracket, it is in no sum any more." }[this.variant];
    this.rounding.textContent = spacing < 0.1 ? "" : lost + kept;
    this.steps.load(this.run.steps.length, Math.min(Math.max(1, this.steps.at), this.run.steps.length - 1));
  }

  // ---- What is shown.

  shown(at) {
    const { run, recorded } = this, step = run.steps[at], after = step.counts && run.steps[at + 1];
    this.street.draw(this.place, this.variant);
    this.chart.draw({ recorded, step, after, view: this.limits(step) });
    this.fillTable(at);
    return this.captionOf(step, at);
  }

  limits({ left, right }) {
    const { houses } = this.data, { corners } = this.recorded;
    const [low, high] = { street: [houses[0], houses[houses.length - 1]], bracket: [left.place, right.place], all: [corners[0][0], corners[corners.length - 1][0]] }[this.view];
    const margin = 0.06 * (high - low || 1);
    return [low - margin, high + margin];
  }

  captionOf(step, at) {
    const { run } = this, { steps, left_out: leftOut } = run, count = steps.slice(0, at + 1).filter((each) => each.candidates !== null).length;
    const which = step.candidates === null ? step.name : `iteration ${at > steps.length - 3 && leftOut ? count + leftOut : count} of ${run.iterations}`;
    const counted = step.counts ? ` · ${step.counts[0]} below, ${step.counts[1]} equal, ${step.counts[2]} above` : "";
    const proof = step.name !== "proof" ? "" : run.proved ? ": proved" : ": refuted, this is not the house in the middle";
    const more = leftOut && steps[at + 1]?.candidates === null && at > 1 ? ` · ${leftOut} more iterations like this follow` : "";
    return `${which} · ${STEP_TEXTS[step.name](step)}${counted}${proof}${more}`;
  }

  fillTable(at) {
    const head = ["step", "bracket", "pivot", "below", "equal", "above", "left"], { run } = this, rows = [];
    run.steps.forEach((step, i) => {
      const [below, equal, above] = step.counts ?? ["", "", ""], name = i === at ? `▶ ${step.name}` : step.name;
      const row = rowOf([name, `${placeText(step.left.place)} to ${placeText(step.right.place)}`, step.pivot === null ? "" : placeText(step.pivot), below, equal, above, step.candidates ?? ""]);
      if (i === at) row.setAttribute("style", "background: var(--lit)");
      rows.push(row);
      if (run.left_out && run.steps[i + 1]?.candidates === null && step.candidates !== null) rows.push(rowOf([`… ${run.left_out} more`]));
    });
    this.table.replaceChildren(rowOf(head, "th"), ...rows);
  }
}

const streetPiece = new StreetPiece(document.querySelector("main"), dataOf("street"));
