// The street: one house is dragged along it, and out of it. Up to the bend, places are as far apart
// as they are; beyond it, as far as their logarithms.

"use strict";

const MOST_ITERATIONS = 6;  // that the picture shows; more are at its top
const FAR = [1e5, 1e10, 1e15, 1e20];
const SHAPES = {
  "as printed": (x, y, fill) => box(x - 2.4, y - 2.4, 4.8, 4.8, fill),
  improved: (x, y, fill) => drawn("circle", { cx: x, cy: y, r: 2.8, fill }),
  refuted: (x, y, colour) => drawn("path", { d: `M${x - 3.5},${y - 3.5} l7,7 m0,-7 l-7,7`, stroke: colour, "stroke-width": 2 }),
};

class Street {
  // Calls `move(index)` with the recorded place that is nearest to where the house is dragged.
  constructor(data, move) {
    const { houses, places, colours } = data, last = places.length - 1;
    Object.assign(this, { data, move, height: 240, ground: 84, bend: Math.max(60, houses[houses.length - 1]), far: places[last].place });
    this.element = picture(this.height);
    this.element.style.touchAction = "pan-y";
    this.back = drawn("g");
    this.handle = drawn("g", { tabindex: 0, role: "slider", "aria-label": "The house that you drag", "aria-valuemin": 0, "aria-valuemax": last, style: "cursor: ew-resize" },
      box(-22, -34, 44, 44, "transparent"), house(0, 0, 24, { fill: colours.dragged, stroke: "currentColor", "stroke-width": 2 }));
    this.element.append(this.back, this.handle);
    this.listen();
  }

  listen() {
    this.element.addEventListener("mousedown", (event) => event.preventDefault());  // the house keeps the focus
    this.element.addEventListener("pointerdown", (event) => {
      this.element.setPointerCapture(event.pointerId);
      this.handle.focus({ preventScroll: true });
      this.drag(event);
    });
    this.element.addEventListener("pointermove", (event) => event.buttons && this.drag(event));
    this.handle.addEventListener("keydown", (event) => this.press(event));
  }

  x(place) {
    const left = 18, right = this.width - 24, middle = (left + right) / 2;
    if (place <= this.bend) return left + (place / this.bend) * (middle - left);
    return middle + (Math.log(place / this.bend) / Math.log(this.far / this.bend)) * (right - middle);
  }

  drag(event) {
    const at = event.clientX - this.element.getBoundingClientRect().left;
    const off = this.data.places.map(({ place }) => Math.abs(this.x(place) - at));
    this.move(off.indexOf(Math.min(...off)));
  }

  press(event) {
    const last = this.data.places.length - 1, { at } = this;
    const to = { ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1, PageDown: at - 10, PageUp: at + 10, Home: 0, End: last }[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.move(Math.max(0, Math.min(last, to)));
  }

  draw(at, variant) {
    const { data, ground } = this, { place, mean, median } = data.places[at], { colours } = data;
    Object.assign(this, { at, width: widthOf(this.element) });
    this.handle.setAttribute("aria-valuenow", at);
    this.handle.setAttribute("aria-valuetext", `at ${placeText(place)}; mean ${placeText(mean)}, median ${placeText(median)}`);
    const x = this.x(place);
    this.handle.setAttribute("transform", `translate(${x}, ${ground})`);
    this.back.replaceChildren(...this.scale(), stroke(x, ground, x, this.height, { stroke: colours.dragged, "stroke-width": 2 }),
      ...data.houses.map((each) => house(this.x(each), ground, 12, { fill: "currentColor" })),
      ...this.arrow(median, "median", 20, colours.answer), ...this.arrow(mean, "mean", 42, colours.mean), ...this.iterations(variant));
  }

  // Down to the street, with a name.
  arrow(place, name, top, colour) {
    const x = this.x(place), late = x > this.width - 150, end = this.ground - 15;
    return [stroke(x, top - 8, x, end - 2, { stroke: colour, "stroke-width": 2 }), drawn("path", { d: `M${x - 5},${end - 8} h10 l-5,8 z`, fill: colour }),
      written(x + (late ? -6 : 6), top, `${name} ${placeText(place)}`, { "text-anchor": late ? "end" : "start", "font-weight": "bold" })];
  }

  scale() {
    const { ground, width } = this, places = [0, 20, 40, ...FAR].filter((place) => place <= this.far);
    return [stroke(4, ground + 1, width - 4, ground + 1, { "stroke-width": 2 }), ...places.flatMap((place) => [
      stroke(this.x(place), ground, this.x(place), ground + 6, { "stroke-width": 2 }),
      written(this.x(place), ground + 20, placeText(place), { "text-anchor": "middle" }),
    ])];
  }

  // Under each place, how many iterations both variants need if the house is there.
  iterations(variant) {
    const { data, width } = this, bottom = this.height - 14, top = 142, y = (count) => bottom - (count / MOST_ITERATIONS) * (bottom - top);
    const lines = [0, 2, 4, 6].flatMap((count) => [stroke(14, y(count), width - 4, y(count), { opacity: 0.2 }), written(0, y(count) + 4.5, count)]);
    const marks = ["as printed", "improved"].map((name) => drawn("g", { opacity: name === variant ? 1 : 0.55 }, ...data.places.map(({ place, [name]: run }) => {
      const height = y(Math.min(run.iterations, MOST_ITERATIONS + 0.4)) + (name === "improved" ? 3 : -3);  // neither hides the other
      return SHAPES[run.proved ? name : "refuted"](this.x(place), height, data.colours[name]);
    })));
    return [written(2, 120, "iterations, with the house at each place"), ...lines, ...marks];
  }
}
