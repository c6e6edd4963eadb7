// The street: one house is dragged along it, and out of it. Up to the bend, places are as far apart
// as they are; beyond it, as far as their logarithms.

const MOST_ITERATIONS = 6;  // that the picture shows; more are at its top
const FAR = [1e5, 1e10, 1e15, 1e20];
const MARKS = {
  "as printed": (x, y, fill) => box(x - 2.4, y - 2.4, 4.8, 4.8, fill),
  improved: (x, y, fill) => dot(x, y, 2.8, fill),
  refuted: (x, y, colour) => cross(x, y, 3.5, colour),
};
const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

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
  return svg("path", { d: `M${x - half},${ground} v${-walls} l${half},${-roof} l${half},${roof} v${walls} z`, ...attributes });
}

class Road extends Chart {
  // Calls `move(index)` with the recorded place that is nearest to where the house is dragged.
  constructor(data, move) {
    super(240, {}, { "aria-label": "The street, with the mean and the median" });
    Object.assign(this, { data, move, ground: 84, bend: Math.max(60, data.houses.at(-1)), far: data.places.at(-1).place });
    this.back = svg("g");
    this.house = house(0, 0, 24, { fill: data.colours.dragged, stroke: "currentColor", "stroke-width": 2 });
    fillElement(this.element, {
      style: "display: block; touch-action: pan-y; cursor: ew-resize",
      onpointerdown: (event) => { this.element.setPointerCapture(event.pointerId); this.drag(event); },
      onpointermove: (event) => event.buttons && this.drag(event),
    }, [this.back, this.house]);
    this.slider = html("input", { type: "range", min: 0, max: data.places.length - 1, step: 1, oninput: () => move(Number(this.slider.value)) });
  }

  x(place) {
    const left = 18, right = this.width - 24, middle = (left + right) / 2;
    if (place <= this.bend) return left + (place / this.bend) * (middle - left);
    return middle + (Math.log(place / this.bend) / Math.log(this.far / this.bend)) * (right - middle);
  }

  drag({ clientX }) {
    this.move(nearest(this.data.places.map(({ place }) => this.x(place)), clientX - this.element.getBoundingClientRect().left));
  }

  draw(at, variant) {
    const { data, ground } = this, { place, mean, median } = data.places[at], { colours } = data, x = this.x(place);
    this.slider.value = at;
    this.slider.setAttribute("aria-valuetext", `at ${placeText(place)}; mean ${placeText(mean)}, median ${placeText(median)}`);
    this.house.setAttribute("transform", `translate(${x}, ${ground})`);
    this.back.replaceChildren(...this.scale(), line(x, ground, x, this.height, { stroke: colours.dragged, "stroke-width": 2 }),
      ...data.houses.map((each) => house(this.x(each), ground, 12, { fill: "currentColor" })),
      ...this.arrow(median, "median", 20, colours.answer), ...this.arrow(mean, "mean", 42, colours.mean), ...this.iterations(variant));
  }

  // Down to the street, with a name.
  arrow(place, name, top, colour) {
    const x = this.x(place), late = x > this.width - 150, end = this.ground - 15;
    return [line(x, top - 8, x, end - 2, { stroke: colour, "stroke-width": 2 }), svg("path", { d: `M${x - 5},${end - 8} h10 l-5,8 z`, fill: colour }),
      write(x + (late ? -6 : 6), top, `${name} ${placeText(place)}`, { "text-anchor": late ? "end" : "start", "font-weight": "bold" })];
  }

  scale() {
    const { ground, width } = this, places = [0, 20, 40, ...FAR].filter((place) => place <= this.far);
    return [line(4, ground + 1, width - 4, ground + 1, { "stroke-width": 2 }), ...places.flatMap((place) => [
      line(this.x(place), ground, this.x(place), ground + 6, { "stroke-width": 2 }), write(this.x(place), ground + 20, placeText(place), MIDDLE),
    ])];
  }

  // Under each place, how many iterations both variants need if the house is there.
  iterations(variant) {
    const { data, width } = this, bottom = this.height - 14, top = 142, y = (count) => bottom - (count / MOST_ITERATIONS) * (bottom - top);
    const levels = [0, 2, 4, 6].flatMap((count) => [line(14, y(count), width - 4, y(count), { opacity: 0.2 }), write(0, y(count) + 4.5, count)]);
    const marks = ["as printed", "improved"].map((name) => svg("g", { opacity: name === variant ? 1 : 0.55 }, ...data.places.map(({ place, [name]: run }) => {
      const height = y(Math.min(run.iterations, MOST_ITERATIONS + 0.4)) + (name === "improved" ? 3 : -3);  // neither hides the other
      return MARKS[run.proved ? name : "refuted"](this.x(place), height, data.colours[name]);
    })));
    return [write(2, 120, "iterations, with the house at each place"), ...levels, ...marks];
  }
}
