// Two pictures of houses on a street: the sum of distances with the lines that touch it, and the
// street itself, out of which one house is dragged. What is drawn was recorded in Python.

"use strict";

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const raised = (power) => [...String(power)].map((digit) => SUPERSCRIPTS[digit]).join("");

// A place in few words: 14.85, ≈10 for what is only nearly 10, 6.67·10⁷, 10⁹.
function placeText(value) {
  const size = Math.abs(value), near = Number(value.toFixed(size < 1000 ? 2 : 0));
  if (size < 1e5) return (near !== value && Number.isInteger(near) ? "≈" : "") + String(near).replace("-", "−");
  let power = Math.floor(Math.log10(size) + 1e-12);
  const lead = String(Number((value / 10 ** power).toPrecision(3))).replace("-", "−");
  return lead === "1" ? `10${raised(power)}` : `${lead}·10${raised(power)}`;
}

// A house with its door at a place.
function house(x, ground, size, attributes) {
  const half = size / 2;
  return drawn("path", { d: `M${x - half},${ground} v${-size * 0.7} l${half},${-size * 0.55} l${half},${size * 0.55} v${size * 0.7} z`, ...attributes });
}

const HALO = "paint-order: stroke; stroke: var(--paper); stroke-width: 4px";  // so that lines do not cross a text

const heightOf = (line, place) => line.height + line.slope * place;

// ---- The sum of distances.

class SumChart {
  constructor(colours) {
    Object.assign(this, { colours, height: 310, box: { left: 46, right: 14, top: 22, bottom: 40 } });
    this.element = drawn("svg", { width: "100%", height: this.height, role: "img", style: "display: block" });
  }

  // A view is a pair of places, from left to right.
  draw({ recorded, step, after, view }) {
    const { box, height, colours } = this, width = this.element.getBoundingClientRect().width || 700, [low, high] = view;
    const curve = this.curve(recorded, view), top = Math.max(...curve.map(([, value]) => value)) || 1;
    const model = (place) => Math.max(heightOf(step.left, place), heightOf(step.right, place));
    const lowest = Math.max(Math.min(0, ...[low, high, step.pivot ?? 0].filter((place) => place >= low && place <= high).map(model)), -0.7 * top);
    const floor = lowest - 0.1 * (top - lowest), x = (place) => box.left + ((place - low) / (high - low)) * (width - box.left - box.right);
    const y = (value) => box.top + ((top - value) / (top - floor)) * (height - box.top - box.bottom);
    const frame = { x, y, low, high, top, floor, width };
    this.element.replaceChildren(...this.bands(frame, step, after), ...this.axes(frame),
      drawn("polyline", { points: curve.map(([place, value]) => `${x(place)},${y(value)}`).join(" "), fill: "none", stroke: "currentColor", "stroke-width": 2.6 }),
      ...this.touching(frame, step), ...this.marks(frame, recorded, step), ...this.corners(frame, recorded));
    const pivot = step.pivot === null ? "" : `; the pivot is ${placeText(step.pivot)}`;
    this.element.setAttribute("aria-label", `The sum of all distances, from ${placeText(low)} to ${placeText(high)}, with the lines that touch it at ${placeText(step.left.place)} and at ${placeText(step.right.place)}${pivot}`);
    this.element.dataset.pivot = step.pivot;
  }

  // The curve is straight between houses, so it is drawn from house to house, and up to the ends.
  curve({ corners }, [low, high]) {
    const n = this.houses, first = corners[0], last = corners[corners.length - 1];
    const far = [[Math.min(low, first[0]) - 1, first[1] + n * (first[0] - Math.min(low, first[0]) + 1)], ...corners, [Math.max(high, last[0]) + 1, last[1] + n * (Math.max(high, last[0]) + 1 - last[0])]];
    const at = (place) => {
      const i = Math.max(1, far.findIndex(([other]) => other >= place)), [[p, a], [q, b]] = [far[i - 1], far[i]];
      return [place, a + ((place - p) / (q - p)) * (b - a)];
    };
    return [at(low), ...corners.filter(([place]) => place > low && place < high), at(high)];
  }

  bands({ x, low, high }, step, after) {
    const { box, height, colours } = this, clamp = (place) => Math.max(low, Math.min(high, place));
    const band = (from, to, opacity) => drawn("rect", { x: x(clamp(from)), y: box.top, width: Math.max(0, x(clamp(to)) - x(clamp(from))), height: height - box.top - box.bottom, fill: colours.bracket, opacity });
    return [band(step.left.place, step.right.place, 0.18), ...(after ? [band(after.left.place, after.right.place, 0.25)] : [])];
  }

  axes({ x, y, low, high, top, floor, width }) {
    const { box, height } = this, parts = [], steps = (span, most) => [1, 2, 5].map((digit) => digit * 10 ** Math.floor(Math.log10(span / most))).concat(10 ** (1 + Math.floor(Math.log10(span / most)))).find((each) => span / each <= most);
    const across = steps(high - low, width < 500 ? 4 : 8), up = steps(top - floor, 5);
    for (let at = Math.ceil(low / across) * across; at <= high; at += across) parts.push(written(x(at), height - box.bottom + 18, placeText(at), { "text-anchor": "middle" }));
    for (let at = 0; at <= top; at += up) {
      parts.push(drawn("line", { x1: box.left, x2: width - box.right, y1: y(at), y2: y(at), stroke: "currentColor", opacity: 0.15 }));
      parts.push(written(box.left - 6, y(at) + 4.5, placeText(at), { "text-anchor": "end", ...(at >= 1e5 ? { "text-anchor": "start", x: 2, dy: -6 } : {}) }));
    }
    parts.push(written(2, 13, "sum of distances, above its minimum"), written(width - box.right, height - 5, "place on the street", { "text-anchor": "end" }));
    return parts;
  }

  // Both lines across the bracket, as far as the picture reaches.
  touching({ x, y, low, high, top, floor }, step) {
    const from = Math.max(low, step.left.place), to = Math.min(high, step.right.place);
    if (step.name === "extent" || from >= to) return [];
    return [step.left, step.right].flatMap((line) => {
      const reached = (value) => (line.slope ? (value - line.height) / line.slope : NaN), within = [from, to].map((place) => {
        const value = heightOf(line, place);
        return value > top ? reached(top) : value < floor ? reached(floor) : place;
      });
      if (!(within[0] < within[1]) || within[0] < from || within[1] > to) return [];
      const [[x1, y1], [x2, y2]] = within.map((place) => [x(place), y(heightOf(line, place))]);
      return [drawn("line", { x1, y1, x2, y2, stroke: this.colours.cut, "stroke-width": 2.2, "stroke-dasharray": "7 4", class: "touching" })];
    });
  }

  marks({ x, y, low, high, width, floor }, recorded, step) {
    const { box, colours, height } = this, parts = [], inside = (place) => place >= low && place <= high;
    for (const { place } of [step.left, step.right]) {
      const corner = this.curve(recorded, [low, high]).find(([other]) => other === place) ?? (inside(place) ? this.curve(recorded, [place, high])[0] : null);
      if (corner && inside(place)) parts.push(drawn("circle", { cx: x(place), cy: y(corner[1]), r: 5, fill: "currentColor" }));
    }
    if (step.pivot === null) return parts;
    if (!inside(step.pivot)) {
      const right = step.pivot > high;
      return [...parts, written(right ? width - box.right : box.left, box.top + 14, right ? `pivot ${placeText(step.pivot)} →` : `← pivot ${placeText(step.pivot)}`, { "text-anchor": right ? "end" : "start", "font-weight": "bold", style: HALO })];
    }
    const colour = step.name === "proof" ? colours.answer : colours.cut, at = x(step.pivot), label = `pivot ${placeText(step.pivot)}`;
    const met = step.name === "proof" ? null : Math.max(heightOf(step.left, step.pivot), heightOf(step.right, step.pivot));
    parts.push(drawn("line", { x1: at, x2: at, y1: y(step.height), y2: height - box.bottom, stroke: colour, "stroke-width": 2, "stroke-dasharray": "2 3" }));
    if (met !== null && met >= floor) parts.push(drawn("circle", { cx: at, cy: y(met), r: 5.5, fill: colour, stroke: "currentColor" }));
    parts.push(drawn("circle", { cx: at, cy: y(step.height), r: 6, fill: colours.answer, stroke: "currentColor", "stroke-width": 1.5 }));
    const beside = at > width - 120 ? { "text-anchor": "end", x: at - 9 } : { x: at + 9 };
    parts.push(written(at, Math.max(box.top + 14, y(step.height) - 12), step.name === "proof" ? `answer ${placeText(step.pivot)}` : label, { "font-weight": "bold", style: HALO, ...beside }));
    return parts;
  }

  // The houses, on the ground, and their mean.
  corners({ x, low, high }, { corners, place, mean }) {
    const ground = this.height - this.box.bottom, at = x(mean);
    const pointer = mean > low && mean < high ? [drawn("path", { d: `M${at - 6},${ground - 24} h12 l-6,10 z`, fill: this.colours.mean }), written(at + 8, ground - 14, "mean")] : [];
    return pointer.concat(corners.filter(([at]) => at >= low && at <= high).map(([at]) => house(x(at), ground, 9, { fill: at === place ? this.colours.dragged : "currentColor", opacity: 0.85 })));
  }
}

// ---- The street.

class Street {
  // Calls `move(index)` with the recorded place that is nearest to where the house is dragged.
  constructor(data, move) {
    Object.assign(this, { data, move, height: 240, ground: 84 });
    this.end = data.houses[data.houses.length - 1];
    this.last = data.places[data.places.length - 1].place;
    this.element = drawn("svg", { width: "100%", height: this.height, style: "display: block; touch-action: pan-y; cursor: ew-resize" });
    this.back = drawn("g");
    this.handle = drawn("g", { tabindex: 0, role: "slider", "aria-label": "The house that you drag", "aria-valuemin": 0, "aria-valuemax": data.places.length - 1 });
    this.element.append(this.back, this.handle);
    this.element.addEventListener("mousedown", (event) => event.preventDefault());  // the house keeps the focus
    this.element.addEventListener("pointerdown", (event) => {
      this.element.setPointerCapture(event.pointerId);
      this.handle.focus({ preventScroll: true });
      this.drag(event);
    });
    this.element.addEventListener("pointermove", (event) => event.buttons && this.drag(event));
    this.handle.addEventListener("keydown", (event) => this.press(event));
  }

  // Up to the bend, places are as far apart as they are; beyond it, by their logarithms.
  x(place) {
    const left = 18, right = this.width - 24, bend = left + 0.5 * (right - left), end = Math.max(this.end, 60);
    if (place <= end) return left + (place / end) * (bend - left);
    return bend + (Math.log(place / end) / Math.log(this.last / end)) * (right - bend);
  }

  drag(event) {
    const at = event.clientX - this.element.getBoundingClientRect().left, { places } = this.data;
    const off = places.map(({ place }) => Math.abs(this.x(place) - at));
    this.move(off.indexOf(Math.min(...off)));
  }

  press(event) {
    const { places } = this.data, by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10, Home: -places.length, End: places.length }[event.key];
    if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.move(Math.max(0, Math.min(places.length - 1, this.at + by)));
  }

  draw(at, variant) {
    const { data, ground, height } = this, recorded = data.places[at];
    Object.assign(this, { at, width: this.element.getBoundingClientRect().width || 700 });
    this.handle.setAttribute("aria-valuenow", at);
    this.handle.setAttribute("aria-valuetext", `at ${placeText(recorded.place)}; mean ${placeText(recorded.mean)}, median ${placeText(recorded.median)}`);
    const here = this.x(recorded.place), { dragged, mean, answer } = data.colours;
    this.handle.replaceChildren(drawn("rect", { x: here - 22, y: ground - 34, width: 44, height: 44, fill: "transparent" }), house(here, ground, 24, { fill: dragged, stroke: "currentColor", "stroke-width": 2 }));
    this.back.replaceChildren(...this.scale(), drawn("line", { x1: here, x2: here, y1: ground, y2: height, stroke: dragged, "stroke-width": 2 }),
      ...data.houses.map((place) => house(this.x(place), ground, 12, { fill: "currentColor" })),
      ...this.pointer(recorded.median, "median", 20, answer), ...this.pointer(recorded.mean, "mean", 42, mean), ...this.iterations(variant));
  }

  // An arrow down to the street, with its name.
  pointer(place, name, top, colour) {
    const x = this.x(Math.max(0, place)), end = x > this.width - 150;
    return [drawn("line", { x1: x, x2: x, y1: top - 8, y2: this.ground - 17, stroke: colour, "stroke-width": 2 }),
      drawn("path", { d: `M${x - 5},${this.ground - 23} h10 l-5,8 z`, fill: colour }),
      written(x + (end ? -6 : 6), top, `${name} ${placeText(place)}`, { "text-anchor": end ? "end" : "start", "font-weight": "bold" })];
  }

  scale() {
    const { ground, width } = this, ticks = [0, 20, 40, ...[5, 10, 15, 20].map((power) => 10 ** power)].filter((place) => place <= this.last);
    return [drawn("line", { x1: 4, x2: width - 4, y1: ground + 1, y2: ground + 1, stroke: "currentColor", "stroke-width": 2 }),
      ...ticks.flatMap((place) => [drawn("line", { x1: this.x(place), x2: this.x(place), y1: ground, y2: ground + 6, stroke: "currentColor", "stroke-width": 2 }),
        written(this.x(place), ground + 20, placeText(place), { "text-anchor": "middle" })])];
  }

  // Below each place, the iterations of both variants with the house there; refuted answers on top.
  iterations(variant) {
    const { data, height } = this, bottom = height - 14, top = 142, most = 6, y = (count) => bottom - (count / most) * (bottom - top);
    const parts = [written(2, 120, "iterations, with the house at each place"), ...[0, 2, 4, 6].flatMap((count) => [drawn("line", { x1: 4, x2: this.width - 4, y1: y(count), y2: y(count), stroke: "currentColor", opacity: 0.2 }), written(0, y(count) - 2, String(count), { "fill-opacity": 0.8 })])];
    for (const name of ["as printed", "improved"]) {
      const fill = data.colours[name], aside = name === "improved" ? 3 : -3, faded = { opacity: name === variant ? 1 : 0.45 };
      for (const { place, [name]: run } of data.places) {
        const x = this.x(place), at = y(Math.min(run.iterations, most + 0.4)) + aside;
        if (!run.proved) parts.push(drawn("path", { d: `M${x - 3.5},${at - 3.5} l7,7 m0,-7 l-7,7`, stroke: fill, "stroke-width": 2, ...faded }));
        else if (name === "improved") parts.push(drawn("circle", { cx: x, cy: at, r: 2.8, fill, ...faded }));
        else parts.push(drawn("rect", { x: x - 2.4, y: at - 2.4, width: 4.8, height: 4.8, fill, ...faded }));
      }
    }
    return parts;
  }
}
