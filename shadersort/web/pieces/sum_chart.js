// The sum of the distances to all houses, and the lines that touch it. All heights are above the
// minimum of the sum.

"use strict";

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const HALO = "paint-order: stroke; stroke: var(--paper); stroke-width: 4px";  // no line crosses such a text

// A place in few words: 14.85, ≈10 for what is only nearly 10, 6.67·10⁷, 10⁹.
function placeText(value) {
  const size = Math.abs(value), near = Number(value.toFixed(size < 1000 ? 2 : 0));
  if (size < 1e5) return (near !== value && Number.isInteger(near) ? "≈" : "") + String(near).replace("-", "−");
  const power = Math.floor(Math.log10(size) + 1e-12), raised = [...String(power)].map((digit) => SUPERSCRIPTS[digit]).join("");
  const lead = String(Number((value / 10 ** power).toPrecision(3))).replace("-", "−");
  return lead === "1" ? `10${raised}` : `${lead}·10${raised}`;
}

// A house on the ground.
function house(x, ground, size, attributes) {
  const half = size / 2, walls = size * 0.7, roof = size * 0.55;
  return drawn("path", { d: `M${x - half},${ground} v${-walls} l${half},${-roof} l${half},${roof} v${walls} z`, ...attributes });
}

// Round numbers between two others, at most so many.
function ticks(low, high, most) {
  const power = 10 ** Math.floor(Math.log10((high - low) / most)), step = [1, 2, 5, 10].map((digit) => digit * power).find((each) => (high - low) / each <= most);
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, i) => (first + i) * step);
}

const heightOf = (line, place) => line.height + line.slope * place;

class SumChart {
  // `houses` says how many they are: so steep is the sum beyond the first and the last of them.
  constructor(colours, houses) {
    Object.assign(this, { colours, houses, height: 310, edges: { left: 46, right: 14, top: 22, bottom: 40 } });
    this.element = picture(this.height, { role: "img" });
  }

  // Shows what was recorded between two places, at a step; `after` is the step after it, if the
  // bracket is narrower then.
  draw(recorded, step, after, [low, high]) {
    Object.assign(this, { recorded, step, low, high, width: widthOf(this.element) });
    const places = [low, ...recorded.corners.map(([place]) => place).filter((place) => low < place && place < high), high];
    const curve = places.map((place) => [place, this.sum(place)]);
    this.top = Math.max(...curve.map(([, height]) => height));
    this.floor = this.lowest() - 0.1 * this.top;
    const points = curve.map(([place, height]) => `${this.x(place)},${this.y(height)}`).join(" ");
    const line = drawn("polyline", { points, fill: "none", stroke: "currentColor", "stroke-width": 2.6 });
    this.element.replaceChildren(...this.brackets(after), ...this.axes(), line, ...this.touching(), ...this.ground(), ...this.ends(), ...this.pivot());
    this.element.dataset.pivot = step.pivot;
    this.element.setAttribute("aria-label", this.told());
  }

  told() {
    const { low, high, step } = this, places = [low, high, step.left.place, step.right.place].map(placeText);
    const pivot = step.pivot === null ? "" : `; the pivot is ${placeText(step.pivot)}`;
    return `The sum of all distances, from ${places[0]} to ${places[1]}, with the lines that touch it at ${places[2]} and at ${places[3]}${pivot}`;
  }

  // ---- Places and heights, and where they are on the page.

  x(place) {
    const { edges, low, high, width } = this, within = Math.max(low, Math.min(high, place));
    return edges.left + ((within - low) / (high - low)) * (width - edges.left - edges.right);
  }

  y(height) {
    const { edges, top, floor } = this;
    return edges.top + ((top - height) / (top - floor)) * (this.height - edges.top - edges.bottom);
  }

  holds(place) {
    return place >= this.low && place <= this.high;
  }

  // The sum at a place. It was recorded at each house, and is straight from house to house.
  sum(place) {
    const { corners } = this.recorded, after = corners.findIndex(([corner]) => corner >= place), last = corners[corners.length - 1];
    if (after < 0) return last[1] + this.houses * (place - last[0]);
    const [right, above] = corners[after];
    if (after === 0) return above + this.houses * (right - place);
    const [left, below] = corners[after - 1];
    return below + ((place - left) / (right - left)) * (above - below);
  }

  // The sum is nowhere below this.
  model(place) {
    return Math.max(heightOf(this.step.left, place), heightOf(this.step.right, place));
  }

  // The lowest height to be seen: where the lines meet, unless that is far down or outside.
  lowest() {
    const { pivot } = this.step;
    if (pivot === null || !this.holds(pivot)) return -0.2 * this.top;
    return Math.max(-1.3 * this.top, Math.min(0, this.model(pivot)));
  }

  // ---- What is drawn.

  // The bracket, and what is left of it after the step.
  brackets(after) {
    const { edges, height, colours } = this;
    return [[this.step, 0.18], [after, 0.25]].filter(([step]) => step).map(([{ left, right }, opacity]) =>
      box(this.x(left.place), edges.top, this.x(right.place) - this.x(left.place), height - edges.top - edges.bottom, colours.bracket, { opacity }));
  }

  axes() {
    const { edges, low, high, width, height } = this, right = width - edges.right, bottom = height - edges.bottom;
    const places = ticks(low, high, width < 500 ? 4 : 8).map((place) => written(this.x(place), bottom + 18, placeText(place), { "text-anchor": "middle" }));
    const heights = ticks(0, this.top, 5).flatMap((each) => [
      stroke(edges.left, this.y(each), right, this.y(each), { opacity: 0.15 }),
      each < 1e5 ? written(edges.left - 6, this.y(each) + 4.5, placeText(each), { "text-anchor": "end" }) : written(2, this.y(each) - 2, placeText(each)),
    ]);
    return [...places, ...heights, written(2, 13, "sum of distances, above its minimum"), written(right, height - 5, "place on the street", { "text-anchor": "end" })];
  }

  // Both lines across the bracket, as far as the picture reaches.
  touching() {
    const { step, low, high, top, floor } = this, from = Math.max(low, step.left.place), to = Math.min(high, step.right.place);
    if (step.name === "extent" || from >= to) return [];
    return [step.left, step.right].flatMap((line) => {
      const reach = (place) => (Math.max(floor, Math.min(top, heightOf(line, place))) - line.height) / line.slope;
      const [start, end] = line.slope ? [reach(from), reach(to)] : [from, to];
      if (start >= end || start > to || end < from) return [];
      const look = { stroke: this.colours.cut, "stroke-width": 2.2, "stroke-dasharray": "7 4" };
      return [stroke(this.x(start), this.y(heightOf(line, start)), this.x(end), this.y(heightOf(line, end)), look)];
    });
  }

  // Where the lines touch.
  ends() {
    const { left, right } = this.step, places = [left.place, right.place].filter((place) => this.holds(place));
    return places.map((place) => drawn("circle", { cx: this.x(place), cy: this.y(this.sum(place)), r: 5, fill: "currentColor" }));
  }

  pivot() {
    const { step, colours, edges, width } = this, { pivot } = step;
    if (pivot === null) return [];
    const proof = step.name === "proof", name = `${proof ? "answer" : "pivot"} ${placeText(pivot)}`, bold = { "font-weight": "bold", style: HALO };
    if (pivot > this.high) return [written(width - edges.right, edges.top + 14, `${name} →`, { ...bold, "text-anchor": "end" })];
    if (pivot < this.low) return [written(edges.left, edges.top + 14, `← ${name}`, bold)];
    const x = this.x(pivot), y = this.y(step.height), met = this.model(pivot), late = x > width - 120;
    const dot = (at, fill) => drawn("circle", { cx: x, cy: at, r: 6, fill, stroke: "currentColor", "stroke-width": 1.5 });
    return [
      stroke(x, y, x, this.height - edges.bottom, { stroke: colours.cut, "stroke-width": 2, "stroke-dasharray": "2 3" }),
      ...(proof || met < this.floor ? [] : [dot(this.y(met), colours.cut)]),
      dot(y, colours.answer),
      written(x + (late ? -9 : 9), Math.max(edges.top + 14, y - 12), name, { ...bold, "text-anchor": late ? "end" : "start" }),
    ];
  }

  // The houses and their mean.
  ground() {
    const { corners, place, mean } = this.recorded, ground = this.height - this.edges.bottom, at = this.x(mean);
    const fill = (each) => (each === place ? this.colours.dragged : "currentColor");
    const houses = corners.filter(([each]) => this.holds(each)).map(([each]) => house(this.x(each), ground, 9, { fill: fill(each) }));
    if (!this.holds(mean)) return houses;
    const arrow = drawn("path", { d: `M${at - 6},${ground - 24} h12 l-6,10 z`, fill: this.colours.mean });
    return [...houses, arrow, written(at + 8, ground - 14, "mean", { style: HALO })];
  }
}
