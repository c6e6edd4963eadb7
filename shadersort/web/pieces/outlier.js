// A point to drag: least squares follows it, least trimmed squares does not. Python recorded both lines
// for each place of the point.

"use strict";

const LINES = { "least squares": { "stroke-dasharray": "9 5" }, "least trimmed squares": {} };
const TASK = "Drag the pink point, or move it with the two sliders: up and down, far to the right, to the left. "
  + "The dashed line is that of least squares, the other one that of least trimmed squares.";

class OutlierPiece {
  constructor(root, data) {
    Object.assign(this, { root, data, place: [...data.usual], height: 400, edges: { left: 34, right: 12, top: 26, bottom: 40 } });
    this.low = [-0.5, -0.5];
    this.high = [data.across, data.up].map((places) => places[places.length - 1] + 0.5);
    this.build();
    this.show();
    new ResizeObserver(() => this.show()).observe(this.element);
  }

  build() {
    const { colours, across, up } = this.data;
    this.element = picture(this.height, { role: "img", "aria-label": "Points, and a line through them of each kind" });
    this.back = drawn("g");
    this.crossed = this.cross(0, 0, 4, colours.cross);  // shown where the point is left out
    const ring = { r: 9, fill: colours.dragged, stroke: "currentColor", "stroke-width": 2 };
    this.handle = drawn("g", { style: "cursor: move; touch-action: none" }, box(-22, -22, 44, 44, "transparent"), drawn("circle", ring), this.crossed);
    this.element.append(this.back, this.handle);
    this.listen();
    this.sliders = [across, up].map((places, axis) => made("input", { type: "range", min: 0, max: places.length - 1, step: 1, oninput: (event) => this.move(axis, Number(event.target.value)) }));
    const [weight, length] = this.sliders, labelled = (name, slider) => made("label", { class: "seek" }, `${name} `, slider);
    const back = made("button", { type: "button", onclick: () => this.putBack() }, "Put it back");
    this.told = made("p", { role: "status" });
    this.results = made("table");
    const names = legend([[colours["least squares"], "least squares (dashed)"], [colours["least trimmed squares"], "least trimmed squares"],
      [colours.kept, "kept by least trimmed squares (dots)"], [colours["left out"], "left out (crosses)"], [colours.dragged, "the point to drag"]]);
    this.root.replaceChildren(made("h1", {}, document.title), made("p", {}, TASK), this.element, names,
      made("div", { class: "controls" }, labelled("Weight", weight), labelled("Length", length), back), this.told, scrolled("Both lines", this.results));
  }

  listen() {
    this.handle.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      this.handle.setPointerCapture(event.pointerId);
    });
    this.handle.addEventListener("pointermove", (event) => event.buttons && this.drag(event));
  }

  // ---- Where things are.

  x(at) {
    const { edges, width, low, high } = this;
    return edges.left + ((at - low[0]) / (high[0] - low[0])) * (width - edges.left - edges.right);
  }

  y(at) {
    const { edges, height, low, high } = this;
    return height - edges.bottom - ((at - low[1]) / (high[1] - low[1])) * (height - edges.top - edges.bottom);
  }

  // ---- The point is moved.

  drag(event) {
    const { left, top } = this.element.getBoundingClientRect(), { across, up } = this.data;
    const nearest = (places, scale, at) => {
      const off = places.map((each) => Math.abs(scale(each) - at));
      return off.indexOf(Math.min(...off));
    };
    this.place = [nearest(across, (each) => this.x(each), event.clientX - left), nearest(up, (each) => this.y(each), event.clientY - top)];
    this.show();
  }

  move(axis, to) {
    this.place[axis] = to;
    this.show();
  }

  putBack() {
    this.place = [...this.data.usual];
    this.show();
  }

  // ---- What is shown.

  get at() {
    const { place, data } = this;
    return [data.across[place[0]], data.up[place[1]]];
  }

  get fits() {
    return this.data.fits[this.place[1]][this.place[0]];
  }

  show() {
    const { at, fits, data } = this, [x, y] = at, out = new Set(fits["left out"]), gone = out.has(data.points.length);
    this.width = widthOf(this.element);
    this.sliders.forEach((slider, axis) => {
      slider.value = this.place[axis];
      slider.setAttribute("aria-valuetext", String(at[axis]));
    });
    this.told.textContent = `The point has weight ${x} and length ${y}. Least trimmed squares ${gone ? "leaves it out" : "keeps it"}.`;
    tabulate(this.results, ["line", "slope", "at weight 0"], Object.keys(LINES).map((name) => [name, ...fits[name].map((each) => this.text(each))]));
    this.back.replaceChildren(...this.scales(), ...data.points.map((point, i) => this.mark(point, out.has(i))), ...Object.entries(LINES).map(([name, look]) => this.line(name, look)));
    this.handle.setAttribute("transform", `translate(${this.x(x)}, ${this.y(y)})`);
    this.crossed.style.display = gone ? "" : "none";
  }

  text(number) {
    return number.toFixed(2).replace("-", "−");
  }

  cross(x, y, size, colour) {
    return drawn("path", { d: `M${x - size},${y - size} l${2 * size},${2 * size} m0,${-2 * size} l${-2 * size},${2 * size}`, stroke: colour, "stroke-width": 2.4 });
  }

  mark([x, y], isOut) {
    const { colours } = this.data;
    return isOut ? this.cross(this.x(x), this.y(y), 5, colours["left out"]) : drawn("circle", { cx: this.x(x), cy: this.y(y), r: 5, fill: colours.kept });
  }

  // The part of a line that is inside the picture.
  line(name, look) {
    const [slope, intercept] = this.fits[name], { low, high } = this;
    const crossings = slope ? [low[1], high[1]].map((each) => (each - intercept) / slope).sort((one, other) => one - other) : [low[0], high[0]];
    const from = Math.max(low[0], crossings[0]), to = Math.min(high[0], crossings[1]), height = (at) => this.y(slope * at + intercept);
    return stroke(this.x(from), height(from), this.x(to), height(to), { stroke: this.data.colours[name], "stroke-width": 3, "data-line": name, ...look });
  }

  scales() {
    const { low, high, edges, height } = this, ground = this.y(low[1]), left = this.x(low[0]), middle = { "text-anchor": "middle" };
    const ticks = (end) => [0, 5, 10].filter((each) => each <= end);
    return [
      stroke(left, ground, this.x(high[0]), ground), stroke(left, ground, left, this.y(high[1])),
      ...ticks(high[0]).map((each) => written(this.x(each), ground + 16, each, middle)),
      ...ticks(high[1]).map((each) => written(left - 6, this.y(each) + 4.5, each, { "text-anchor": "end" })),
      written(this.x(high[0]), height - 6, "weight", { "text-anchor": "end" }), written(0, edges.top - 10, "length"),
    ];
  }
}

const outlierPiece = new OutlierPiece(document.querySelector("main"), dataOf("outlier"));
