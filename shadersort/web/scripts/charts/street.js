// Houses on a street: the reader drags one of them out, and sees what cutting planes do. Python
// recorded their steps for each place of that house.

const VARIANTS = { "as printed": "as printed in 2011", improved: "improved" };
const VIEWS = { street: "the street", bracket: "the bracket", all: "all houses" };
const TASK = "Drag the pink house along the street, and far out of it, or move it by the slider. The cutting plane looks for the house in the middle, "
  + "where the sum of the distances to all houses is smallest.";

const WHAT = {
  extent: () => "one read finds the first house, the last house, and the sum of all places",
  cut: ({ left, right, pivot }) => `the lines that touch at ${placeText(left.place)} and ${placeText(right.place)} meet: the pivot is ${placeText(pivot)}`,
  "log cut": ({ pivot }) => `the mean of logarithms: the pivot is ${placeText(pivot)}`,
  "by rank": ({ pivot }) => `the rank predicts the pivot ${placeText(pivot)}`,
  "halve codes": ({ pivot }) => `the middle of the numbers between the ends: the pivot is ${placeText(pivot)}`,
  nearest: () => "which house is next to the end of the bracket?",
  end: ({ pivot }) => `counts at the house next to the end, ${placeText(pivot)}`,
  proof: ({ pivot }) => `counts at the answer, ${placeText(pivot)}`,
};

// What rounding means for a house that is far out.
const ROUNDED = {
  "as printed": "So the pivot is not where the lines really meet.",
  improved: "Once the far house is outside the bracket, it is in no sum any more.",
};

// Rows of a table as objects with the fields that Python names.
const objectOf = (fields, row) => Object.fromEntries(fields.map((field, i) => [field, row[i]]));

class StreetPiece {
  constructor(root, data) {
    Object.assign(this, { root, data, place: data.usual, variant: "as printed", view: "street" });
    for (const recorded of data.places) for (const name of Object.keys(VARIANTS)) recorded[name].steps = recorded[name].steps.map((row) => this.stepOf(row));
    this.player = new Player((at) => this.show(at));
    this.chart = new SumChart(data.colours, data.houses.length + 1);
    this.road = new Road(data, (place) => this.move(place));
    this.build();
    this.move(this.place);
    new ResizeObserver(() => this.player.go()).observe(this.road.element);
  }

  stepOf(row) {
    const step = objectOf(this.data.step, row);
    return { ...step, left: objectOf(this.data.line, step.left), right: objectOf(this.data.line, step.right) };
  }

  build() {
    const { data: { colours }, player } = this;
    this.told = html("p", { role: "status" });
    this.rounding = html("p", { class: "why" });
    this.results = html("table");
    this.table = html("table");
    const names = legend([[colours["as printed"], "as printed (squares)"], [colours.improved, "improved (dots)"], [null, "× not proved: counts refute the answer"]]);
    const both = html("div", { style: "display: flex; flex-wrap: wrap; gap: 0 2rem; align-items: center" }, scrollBox("Both variants", this.results), this.told);
    this.root.replaceChildren(html("h1", {}, document.title), html("p", {}, TASK), this.road.element, html("div", { class: "controls" }, label("The house that you drag", this.road.slider, "seek")), names, both,
      choice("Steps", VARIANTS, this.variant, (variant) => { this.variant = variant; this.restart(); }).element, player.controls, player.caption,
      choice("View", VIEWS, this.view, (view) => { this.view = view; player.go(); }).element, this.chart.element, this.rounding, scrollBox("Steps", this.table),
      player.footer());
  }

  get recorded() {
    return this.data.places[this.place];
  }

  get run() {
    return this.recorded[this.variant];
  }

  move(at) {
    this.place = at;
    const { recorded, recorded: { place, mean, median } } = this;
    this.told.textContent = `The house stands at ${placeText(place)}: the mean is ${placeText(mean)}, the median ${placeText(median)}.`;
    fillTable(this.results, ["variant", "iterations", "reads", "answer"], Object.keys(VARIANTS).map((name) => {
      const { iterations, reads, answer, proved } = recorded[name];
      return [name, iterations, Number(reads.toFixed(1)), `${placeText(answer)}, ${proved ? "proved" : "refuted"}`];
    }));
    this.restart();
  }

  // The steps of another search; the first iteration rather than what comes before it.
  restart() {
    const { recorded: { spacing }, player, variant } = this;
    this.rounding.textContent = spacing < 0.1 ? ""
      : `In double precision the sum of all distances is a multiple of ${placeText(spacing)} here, and smaller distances are lost in it. ${ROUNDED[variant]}`;
    player.load(this.run.steps.length, Math.max(1, player.at));
  }

  show(at) {
    const { run, recorded } = this, step = run.steps[at];
    this.road.draw(this.place, this.variant);
    this.chart.draw(recorded, step, step.counts && run.steps[at + 1], this.limits(step));
    this.showTable(at);
    const number = run.steps.slice(0, at + 1).filter(({ candidates }) => candidates !== null).length;
    const parts = [step.candidates === null ? step.name : `iteration ${number} of ${run.iterations}`, WHAT[step.name](step)];
    if (step.counts) parts.push(`${step.counts[0]} below, ${step.counts[1]} equal, ${step.counts[2]} above`);
    if (step.name === "proof") parts.push(run.proved ? "proved" : "refuted: it is not the house in the middle");
    if (this.isBeforeGap(at)) parts.push(`${run.left_out} more iterations like this follow`);
    return parts.join(" · ");
  }

  limits({ left, right }) {
    const { data: { houses }, recorded: { corners } } = this;
    const [low, high] = { street: [houses[0], houses.at(-1)], bracket: [left.place, right.place], all: [corners[0][0], corners.at(-1)[0]] }[this.view];
    const margin = 0.06 * (high - low || 1);
    return [low - margin, high + margin];
  }

  // Whether steps of a long search are left out after this one.
  isBeforeGap(at) {
    const { steps, left_out: leftOut } = this.run;
    return leftOut > 0 && steps[at].candidates !== null && steps[at + 1].candidates === null;
  }

  showTable(at) {
    const textOf = (place) => (place === null ? "" : placeText(place));
    const rows = this.run.steps.flatMap(({ name, left, right, pivot, counts, candidates }, i) => [
      [i === at ? `▶ ${name}` : name, `${textOf(left.place)} to ${textOf(right.place)}`, textOf(pivot), ...(counts ?? ["", "", ""]), candidates ?? ""],
      ...(this.isBeforeGap(i) ? [[`… ${this.run.left_out} more`]] : []),
    ]);
    fillTable(this.table, ["step", "bracket", "pivot", "below", "equal", "above", "left"], rows);
    for (const row of this.table.rows) if (row.textContent.startsWith("▶")) row.style.background = "var(--lit)";
  }
}
