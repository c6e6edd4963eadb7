// Pictures of a stream and of its summary: the whole stream, a window of it, and the entries.

"use strict";

const HEIGHTS = [12, 25, 50, 100, 200];  // that the picture of the entries reaches: it grows with the counts
const WIDE = 1.35;  // of the tile of an item, in letters

// The whole stream. What came already is bright, and a frame is around the window.
class Ribbon {
  constructor(shades) {
    Object.assign(this, { shades, element: picture(40, { role: "img" }) });
  }

  draw(stream, size, window, ended) {
    const width = widthOf(this.element), each = width / stream.length, come = ended ? stream.length : (window + 1) * size;
    const items = stream.map((item, i) => box(i * each, 7, each + 0.4, 26, this.shades[item], { opacity: i < come ? 1 : 0.3 }));
    const left = Math.max(1.5, window * size * each), right = Math.min(width - 1.5, come * each);
    const frame = box(left, 1.5, right - left, 37, "none", { stroke: "currentColor", "stroke-width": 3 });
    const where = ended ? "all of it" : `window ${window + 1} of ${stream.length / size}`;
    this.element.setAttribute("aria-label", `The stream of ${stream.length} items; ${where}`);
    this.element.replaceChildren(...items, ...(ended ? [] : [frame]));
  }
}

// A window as it came, in order, and as a histogram.
class WindowRows {
  constructor({ letters, shades, inks }) {
    Object.assign(this, { letters, shades, inks, element: made("div", { style: "display: flow-root" }) });
  }

  tile(item) {
    const colours = `background: ${this.shades[item]}; color: ${this.inks[item]}`;
    return made("span", { style: `display: inline-block; width: ${WIDE}em; text-align: center; ${colours}` }, this.letters[item]);
  }

  row(name, tiles, text, visible) {
    const style = `display: flex; flex-wrap: wrap; margin: .15rem 0; min-height: 1.5em; font-size: .9rem; visibility: ${visible ? "visible" : "hidden"}`;
    return made("div", { style },
      made("span", { style: "width: 6.2em; color: var(--soft)" }, name),
      made("span", { role: "img", "aria-label": `${name}: ${text}`, style: "flex: 1 1 14rem" }, ...tiles));
  }

  // The first `visible` rows are seen; the others keep their place.
  draw(came, { sorted, counts }, visible) {
    const words = (items) => items.map((item) => this.letters[item]).join(" ");
    const runs = counts.flatMap((count, item) => (count ? [{ item, count }] : []));
    const run = ({ item, count }) => made("span", { style: "display: inline-block; margin-right: .7em" }, this.tile(item), ` × ${count}`);
    const told = runs.map(({ item, count }) => `${this.letters[item]} × ${count}`).join(", ");
    this.element.replaceChildren(
      this.row("as it came", came.map((item) => this.tile(item)), words(came), visible > 0),
      this.row("sorted", sorted.map((item) => this.tile(item)), words(sorted), visible > 1),
      this.row("histogram", runs.map(run), told, visible > 2));
    keepHeight(this.element, came.length);
  }
}

// The entries: a bar of the count on a plinth of what may have been missed; beside it, the truth
// and the guarantee.
class Entries {
  constructor({ letters, colours }) {
    Object.assign(this, { letters, colours, height: 330, edges: { left: 34, right: 6, top: 12, bottom: 24 } });
    this.element = picture(this.height, { role: "img", tabindex: 0, "aria-label": `Entries and true counts of ${letters.length} items; arrow keys choose an item` });
    this.element.style.touchAction = "manipulation";
  }

  itemAt(event) {
    const { left, right } = this.edges, at = event.clientX - this.element.getBoundingClientRect().left;
    const item = Math.floor(((at - left) / (widthOf(this.element) - left - right)) * this.letters.length);
    return this.letters[item] ? item : -1;
  }

  draw(state, most, chosen) {
    const { edges, height } = this, highest = HEIGHTS.find((each) => each >= most), width = widthOf(this.element);
    const y = (count) => height - edges.bottom - (count / highest) * (height - edges.top - edges.bottom);
    const slot = (width - edges.left - edges.right) / this.letters.length, across = { x1: edges.left, x2: width - edges.right };
    this.element.replaceChildren(stripes(this.colours.dropped), ...this.axis(across, highest, y),
      box(edges.left, y(state.water), width - edges.left - edges.right, y(0) - y(state.water), this.colours.water, { opacity: 0.3 }),
      ...this.letters.flatMap((_, item) => this.entry(state, item, edges.left + item * slot, slot, y)),
      drawn("line", { ...across, y1: y(state.water), y2: y(state.water), stroke: this.colours.water, "stroke-width": 2.5 }),
      ...(chosen < 0 ? [] : [this.frame(edges.left + chosen * slot, slot)]));
  }

  axis({ x1, x2 }, highest, y) {
    const step = [2, 5, 10, 20, 50].find((each) => highest / each <= 7), ticks = Array.from({ length: Math.floor(highest / step) + 1 }, (_, i) => i * step);
    return ticks.flatMap((count) => [stroke(x1, y(count), x2, y(count), { opacity: 0.2 }), written(x1 - 6, y(count) + 4.5, count, { "text-anchor": "end" })]);
  }

  entry({ f, missed, true: truth, bound, gone }, item, x, slot, y) {
    const { colours, letters } = this, [count, plinth, real] = [f[item], missed[item], truth[item]];
    const [left, wide, beside, narrow] = [x + 0.06 * slot, 0.54 * slot, x + 0.68 * slot, 0.24 * slot];
    const bar = (from, to, fill, more) => box(left, y(to), wide, y(from) - y(to), fill, more);
    const told = { "data-item": letters[item], "data-f": count, "data-missed": plinth };
    const fill = gone.includes(item) ? "url(#dropped)" : colours.counted;
    return [
      ...(count ? [bar(0, plinth, colours.missed), bar(plinth, plinth + count, fill, told)] : []),
      box(beside, y(real), narrow, y(Math.max(0, real - bound)) - y(real), colours.band, { opacity: 0.45 }),
      stroke(left, y(real), beside + narrow, y(real), { "stroke-width": 2 }),
      drawn("circle", { cx: beside + narrow / 2, cy: y(count), r: Math.min(3.5, 0.2 * slot), fill: count ? colours.counted : "none", stroke: "currentColor" }),
      written(x + slot / 2, this.height - 7, letters[item], { "text-anchor": "middle" }),
    ];
  }

  frame(x, slot) {
    return box(x, this.edges.top, slot, this.height - this.edges.top - 2, "none", { stroke: "currentColor", "stroke-dasharray": "3 2" });
  }
}

// So that what is dropped is told from what is kept without its colour.
function stripes(colour) {
  const pattern = { id: "dropped", width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" };
  return drawn("defs", {}, drawn("pattern", pattern, box(0, 0, 6, 6, "#ffffff"), box(0, 0, 4, 6, colour)));
}
