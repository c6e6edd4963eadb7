// A point to drag: least squares follows it, least trimmed squares does not. Python recorded both lines
// for each place of the point.

const LINES = { "least squares": { "stroke-dasharray": "9 5" }, "least trimmed squares": {} };
const TASK = "Drag the pink point, or move it with the two sliders: up and down, far to the right, to the left. "
  + "The dashed line is that of least squares, the other one that of least trimmed squares.";

class OutlierPiece {
  constructor(root, data) {
    Object.assign(this, { root, data, place: [...data.usual], places: [data.across, data.up] });
    this.chart = new Chart(400, { left: 34, right: 12, top: 26, bottom: 40 }, { "aria-label": "Points, and a line through them of each kind" });
    Object.assign(this.chart, { low: [-0.5, -0.5], high: this.places.map((each) => each.at(-1) + 0.5) });
    this.build();
    this.show();
    new ResizeObserver(() => this.show()).observe(this.chart.element);
  }

  build() {
    const { colours, usual } = this.data, { element } = this.chart;
    this.back = svg("g");
    this.crossed = cross(0, 0, 4, colours.cross);  // shown where the point is left out
    this.handle = svg("g", {
      style: "cursor: move; touch-action: none", onpointermove: (event) => event.buttons && this.drag(event),
      onpointerdown: (event) => { event.preventDefault(); this.handle.setPointerCapture(event.pointerId); },
    }, box(-22, -22, 44, 44, "transparent"), dot(0, 0, 9, colours.dragged, { stroke: "currentColor", "stroke-width": 2 }), this.crossed);
    element.append(this.back, this.handle);
    this.sliders = this.places.map((places, axis) => html("input", { type: "range", min: 0, max: places.length - 1, step: 1, oninput: (event) => { this.place[axis] = Number(event.target.value); this.show(); } }));
    this.told = html("p", { role: "status" });
    this.results = html("table");
    const names = legend([[colours["least squares"], "least squares (dashed)"], [colours["least trimmed squares"], "least trimmed squares"],
      [colours.kept, "kept by least trimmed squares (dots)"], [colours["left out"], "left out (crosses)"], [colours.dragged, "the point to drag"]]);
    this.root.replaceChildren(html("h1", {}, document.title), html("p", {}, TASK), element, names,
      html("div", { class: "controls" }, ...["Weight", "Length"].map((name, axis) => label(name, this.sliders[axis], "seek")),
        button("Put it back", () => { this.place = [...usual]; this.show(); })), this.told, scrollBox("Both lines", this.results));
  }

  drag({ clientX, clientY }) {
    const { chart, places: [across, up] } = this, { left, top } = chart.element.getBoundingClientRect();
    this.place = [nearest(across.map((each) => chart.x(each)), clientX - left), nearest(up.map((each) => chart.y(each)), clientY - top)];
    this.show();
  }

  show() {
    const { chart, data: { points, colours, fits: all }, place } = this, [x, y] = place.map((at, axis) => this.places[axis][at]);
    const fits = all[place[1]][place[0]], out = new Set(fits["left out"]), gone = out.has(points.length);
    this.sliders.forEach((slider, axis) => {
      slider.value = place[axis];
      slider.setAttribute("aria-valuetext", String([x, y][axis]));
    });
    this.told.textContent = `The point has weight ${x} and length ${y}. Least trimmed squares ${gone ? "leaves it out" : "keeps it"}.`;
    fillTable(this.results, ["line", "slope", "at weight 0"], Object.keys(LINES).map((name) => [name, ...fits[name].map((each) => each.toFixed(2).replace("-", "−"))]));
    const marks = points.map(([x, y], i) => out.has(i) ? cross(chart.x(x), chart.y(y), 5, colours["left out"]) : dot(chart.x(x), chart.y(y), 5, colours.kept));
    this.back.replaceChildren(...this.scales(), ...marks, ...Object.keys(LINES).map((name) => this.line(name, fits[name])));
    this.handle.setAttribute("transform", `translate(${chart.x(x)}, ${chart.y(y)})`);
    this.crossed.style.display = gone ? "" : "none";
  }

  // The part of a line that is inside the picture.
  line(name, [slope, intercept]) {
    const { chart, chart: { low, high } } = this, height = (at) => chart.y(slope * at + intercept);
    const crossings = slope ? [low[1], high[1]].map((each) => (each - intercept) / slope).sort((one, other) => one - other) : [low[0], high[0]];
    const from = Math.max(low[0], crossings[0]), to = Math.min(high[0], crossings[1]);
    return line(chart.x(from), height(from), chart.x(to), height(to), { stroke: this.data.colours[name], "stroke-width": 3, "data-line": name, ...LINES[name] });
  }

  scales() {
    const { chart, chart: { low, high, edges, height } } = this, ground = chart.y(low[1]), left = chart.x(low[0]), right = chart.x(high[0]);
    const ticks = (end) => [0, 5, 10].filter((each) => each <= end);
    return [
      line(left, ground, right, ground), line(left, ground, left, chart.y(high[1])),
      ...ticks(high[0]).map((each) => write(chart.x(each), ground + 16, each, MIDDLE)), ...ticks(high[1]).map((each) => write(left - 6, chart.y(each) + 4.5, each, END)),
      write(right, height - 6, "weight", END), write(0, edges.top - 10, "length"),
    ];
  }
}
