// Pictures of a stream and of its summary: the whole stream, a window of it, and the entries.

const HEIGHTS = [12, 25, 50, 100, 200];  // that the picture of the entries reaches: it grows with the counts
const WIDE = 1.35;  // of the tile of an item, in letters

// Draws the whole stream. What came already is bright, and a frame is around the window.
function drawRibbon(chart, shades, stream, size, window, ended) {
  const { width } = chart, each = width / stream.length, come = ended ? stream.length : (window + 1) * size;
  const items = stream.map((item, i) => box(i * each, 7, each + 0.4, 26, shades[item], { opacity: i < come ? 1 : 0.3 }));
  const left = Math.max(1.5, window * size * each), right = Math.min(width - 1.5, come * each);
  if (!ended) items.push(box(left, 1.5, right - left, 37, "none", { stroke: "currentColor", "stroke-width": 3 }));
  const where = ended ? "all of it" : `window ${window + 1} of ${stream.length / size}`;
  chart.element.setAttribute("aria-label", `The stream of ${stream.length} items; ${where}`);
  chart.element.replaceChildren(...items);
}

// A window as it came, in order, and as a histogram.
class WindowRows {
  constructor({ letters, shades, inks }) {
    Object.assign(this, { letters, shades, inks, element: html("div", { style: "display: flow-root" }) });
  }

  tile(item) {
    const colours = `background: ${this.shades[item]}; color: ${this.inks[item]}`;
    return html("span", { style: `display: inline-block; width: ${WIDE}em; text-align: center; ${colours}` }, this.letters[item]);
  }

  row(name, tiles, text, visible) {
    const style = `display: flex; flex-wrap: wrap; margin: .15rem 0; min-height: 1.5em; font-size: .9rem; visibility: ${visible ? "visible" : "hidden"}`;
    return html("div", { style }, html("span", { style: "width: 6.2em; color: var(--soft)" }, name),
      html("span", { role: "img", "aria-label": `${name}: ${text}`, style: "flex: 1 1 14rem" }, ...tiles));
  }

  // The first `visible` rows are seen; the others keep their place.
  draw(came, counts, visible) {
    const items = (name, some, seen) => this.row(name, some.map((item) => this.tile(item)), some.map((item) => this.letters[item]).join(" "), seen);
    const runs = counts.flatMap((count, item) => (count ? [{ item, count }] : []));
    const run = ({ item, count }) => html("span", { style: "display: inline-block; margin-right: .7em" }, this.tile(item), ` × ${count}`);
    this.element.replaceChildren(items("as it came", came, visible > 0), items("sorted", runs.flatMap(({ item, count }) => Array(count).fill(item)), visible > 1),
      this.row("histogram", runs.map(run), runs.map(({ item, count }) => `${this.letters[item]} × ${count}`).join(", "), visible > 2));
    keepHeight(this.element, came.length);
  }
}

// The entries: a bar of the count on a plinth of what may have been missed; beside it, the truth
// and the guarantee.
class Entries extends Chart {
  constructor({ letters, colours }) {
    super(330, { left: 34, right: 6, top: 12, bottom: 24 }, { "aria-label": `Entries and true counts of ${letters.length} items` });
    Object.assign(this, { letters, colours });
    this.high[0] = letters.length;
  }

  draw(state, most) {
    const { colours, letters } = this, highest = this.high[1] = HEIGHTS.find((each) => each >= most), count = letters.length;
    const step = [2, 5, 10, 20, 50].find((each) => highest / each <= 7), water = this.y(state.water), [left, right] = [this.x(0), this.x(count)];
    this.element.replaceChildren(stripes(colours.dropped), ...this.levels(Array.from({ length: Math.floor(highest / step) + 1 }, (_, i) => i * step)),
      box(left, water, right - left, this.y(0) - water, colours.water, { opacity: 0.3 }),
      ...letters.flatMap((_, item) => this.entry(state, item, this.x(item), (right - left) / count)),
      line(left, water, right, water, { stroke: colours.water, "stroke-width": 2.5 }));
  }

  entry({ f, missed, true: truth, bound, gone }, item, x, slot) {
    const { colours, letters } = this, count = f[item], plinth = missed[item], real = truth[item];
    const left = x + 0.06 * slot, beside = x + 0.68 * slot, narrow = 0.24 * slot;
    const bar = (from, to, fill, more) => box(left, this.y(to), 0.54 * slot, this.y(from) - this.y(to), fill, more);
    const numbers = { "data-item": letters[item], "data-f": count, "data-missed": plinth };
    return [
      ...(count ? [bar(0, plinth, colours.missed), bar(plinth, plinth + count, gone.includes(item) ? "url(#dropped)" : colours.counted, numbers)] : []),
      box(beside, this.y(real), narrow, this.y(Math.max(0, real - bound)) - this.y(real), colours.band, { opacity: 0.45 }),
      line(left, this.y(real), beside + narrow, this.y(real), { "stroke-width": 2 }),
      dot(beside + narrow / 2, this.y(count), Math.min(3.5, 0.2 * slot), count ? colours.counted : "none", { stroke: "currentColor" }),
      write(x + slot / 2, this.height - 7, letters[item], MIDDLE),
    ];
  }
}

// So that what is dropped is told from what is kept without its colour.
function stripes(colour) {
  const pattern = { id: "dropped", width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" };
  return svg("defs", {}, svg("pattern", pattern, box(0, 0, 6, 6, "#ffffff"), box(0, 0, 4, 6, colour)));
}
