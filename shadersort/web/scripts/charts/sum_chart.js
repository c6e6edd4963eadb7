// The sum of the distances to all houses, and the lines that touch it. All heights are above the
// minimum of the sum.

// Round numbers between two others, at most so many.
function ticks(low, high, most) {
  const power = 10 ** Math.floor(Math.log10((high - low) / most)), step = [1, 2, 5, 10].map((digit) => digit * power).find((each) => (high - low) / each <= most);
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, i) => (first + i) * step);
}

const heightOf = (line, place) => line.height + line.slope * place;

class SumChart extends Chart {
  // `houses` says how many they are: so steep is the sum beyond the first and the last of them.
  constructor(colours, houses) {
    super(310, { left: 46, right: 14, top: 22, bottom: 40 });
    Object.assign(this, { colours, houses });
  }

  // What is outside the picture is at its edge.
  x(place) {
    return super.x(clamp(place, this.low[0], this.high[0]));
  }

  // Shows what was recorded between two places, at a step; `after` is the step after it, if the
  // bracket is narrower then.
  draw(recorded, step, after, [low, high]) {
    Object.assign(this, { recorded, step });
    const places = [low, ...recorded.corners.map(([place]) => place).filter((place) => low < place && place < high), high];
    const curve = places.map((place) => [place, this.sum(place)]), top = Math.max(...curve.map(([, height]) => height));
    Object.assign(this, { low: [low, 0], high: [high, top] });
    this.low[1] = this.lowest(top) - 0.1 * top;
    const points = curve.map(([place, height]) => `${this.x(place)},${this.y(height)}`).join(" ");
    const sum = svg("polyline", { points, fill: "none", stroke: "currentColor", "stroke-width": 2.6 });
    this.element.replaceChildren(...this.brackets(after), ...this.axes(), sum, ...this.tangents(), ...this.ground(), ...this.ends(), ...this.pivot());
    this.element.dataset.pivot = step.pivot;
    const [from, to, left, right] = [low, high, step.left.place, step.right.place].map(placeText), pivot = step.pivot === null ? "" : `; the pivot is ${placeText(step.pivot)}`;
    this.element.setAttribute("aria-label", `The sum of all distances, from ${from} to ${to}, with the lines that touch it at ${left} and at ${right}${pivot}`);
  }

  holds(place) {
    return place >= this.low[0] && place <= this.high[0];
  }

  // The sum at a place. It was recorded at each house, and is straight from house to house.
  sum(place) {
    const { corners } = this.recorded, after = corners.findIndex(([corner]) => corner >= place), last = corners.at(-1);
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
  lowest(top) {
    const { pivot } = this.step;
    return pivot === null || !this.holds(pivot) ? -0.2 * top : clamp(this.model(pivot), -1.3 * top, 0);
  }

  // The bracket, and what is left of it after the step.
  brackets(after) {
    const { edges, height, colours } = this;
    return [[this.step, 0.18], [after, 0.25]].filter(([step]) => step).map(([{ left, right }, opacity]) =>
      box(this.x(left.place), edges.top, this.x(right.place) - this.x(left.place), height - edges.top - edges.bottom, colours.bracket, { opacity }));
  }

  axes() {
    const { edges, low: [low], high: [high, top], width, height } = this, right = width - edges.right, bottom = height - edges.bottom;
    const places = ticks(low, high, width < 500 ? 4 : 8).map((place) => write(this.x(place), bottom + 18, placeText(place), MIDDLE));
    const heights = ticks(0, top, 5).flatMap((each) => [
      line(edges.left, this.y(each), right, this.y(each), { opacity: 0.15 }),
      each < 1e5 ? write(edges.left - 6, this.y(each) + 4.5, placeText(each), END) : write(2, this.y(each) - 2, placeText(each)),
    ]);
    return [...places, ...heights, write(2, 13, "sum of distances, above its minimum"), write(right, height - 5, "place on the street", END)];
  }

  // Both lines across the bracket, as far as the picture reaches.
  tangents() {
    const { step, low: [low, floor], high: [high, top] } = this, from = Math.max(low, step.left.place), to = Math.min(high, step.right.place);
    if (step.name === "extent" || from >= to) return [];
    return [step.left, step.right].flatMap((each) => {
      const reach = (place) => (clamp(heightOf(each, place), floor, top) - each.height) / each.slope;
      const [start, end] = each.slope ? [reach(from), reach(to)] : [from, to];
      if (start >= end || start > to || end < from) return [];
      const look = { stroke: this.colours.cut, "stroke-width": 2.2, "stroke-dasharray": "7 4" };
      return [line(this.x(start), this.y(heightOf(each, start)), this.x(end), this.y(heightOf(each, end)), look)];
    });
  }

  // Where the lines touch.
  ends() {
    const { left, right } = this.step;
    return [left.place, right.place].filter((place) => this.holds(place)).map((place) => dot(this.x(place), this.y(this.sum(place)), 5, "currentColor"));
  }

  pivot() {
    const { step: { pivot, name: kind, height }, colours, edges, width } = this;
    if (pivot === null) return [];
    const proof = kind === "proof", name = `${proof ? "answer" : "pivot"} ${placeText(pivot)}`, bold = { "font-weight": "bold", style: HALO };
    if (pivot > this.high[0]) return [write(width - edges.right, edges.top + 14, `${name} →`, { ...bold, ...END })];
    if (pivot < this.low[0]) return [write(edges.left, edges.top + 14, `← ${name}`, bold)];
    const x = this.x(pivot), y = this.y(height), met = this.model(pivot), late = x > width - 120, rim = { stroke: "currentColor", "stroke-width": 1.5 };
    return [
      line(x, y, x, this.height - edges.bottom, { stroke: colours.cut, "stroke-width": 2, "stroke-dasharray": "2 3" }),
      ...(proof || met < this.low[1] ? [] : [dot(x, this.y(met), 6, colours.cut, rim)]), dot(x, y, 6, colours.answer, rim),
      write(x + (late ? -9 : 9), Math.max(edges.top + 14, y - 12), name, { ...bold, "text-anchor": late ? "end" : "start" }),
    ];
  }

  // The houses and their mean.
  ground() {
    const { recorded: { corners, place, mean }, colours } = this, ground = this.height - this.edges.bottom, at = this.x(mean);
    const houses = corners.filter(([each]) => this.holds(each)).map(([each]) => house(this.x(each), ground, 9, { fill: each === place ? colours.dragged : "currentColor" }));
    if (!this.holds(mean)) return houses;
    return [...houses, svg("path", { d: `M${at - 6},${ground - 24} h12 l-6,10 z`, fill: colours.mean }), write(at + 8, ground - 14, "mean", { style: HALO })];
  }
}
