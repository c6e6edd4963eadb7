// A small texture as a grid of numbers, coloured by rank, with row 0 on top; a drawing that others
// draw over.

"use strict";

const TEXEL = 100;  // units of the drawing along a side of a texel
const CHANNEL_NAMES = ["red", "green", "blue", "alpha"];
const RIM = 30;  // units around the grid, for what stands over its edge

class Grid {
  constructor(width, height, name, palette) {
    Object.assign(this, { width, height, colours: palette.map(rgb) });
    this.cells = Array.from({ length: width * height }, (_, i) => this.cell(i));
    const box = [-RIM, -RIM, width * TEXEL + 2 * RIM, height * TEXEL + 2 * RIM].join(" ");
    this.texels = madeSvg("g", { role: "img" }, ...this.cells.map(({ group }) => group));
    this.drawing = madeSvg("svg", { viewBox: box, class: "grid", role: "group", "aria-label": name }, this.texels);
    this.name = made("figcaption", {}, name);
    this.figure = made("figure", {}, this.name, this.drawing);
  }

  cell(i) {
    const x = (i % this.width) * TEXEL, y = Math.floor(i / this.width) * TEXEL;
    const square = madeSvg("rect", { x, y, width: TEXEL, height: TEXEL });
    const text = madeSvg("text", { x: x + TEXEL / 2, y: y + TEXEL / 2 });
    const cross = madeSvg("line", { x1: x + 10, y1: y + TEXEL - 10, x2: x + TEXEL - 10, y2: y + 10, class: "cross" });
    return { square, text, group: madeSvg("g", {}, square, cross, text) };
  }

  // Shows numbers, one a texel; colours are ranks among `all`. `changed` tells which stand out, and
  // `wrong` which are crossed out.
  show(keys, all, dtype, changed = () => false, wrong = () => false) {
    const values = differentKeys(all), most = Math.max(1, values.length - 1);
    this.cells.forEach(({ square, text, group }, i) => {
      const place = Math.max(0, values.indexOf(keys[i])) / most;
      square.setAttribute("fill", `rgb(${mixed(this.colours, place)})`);
      text.setAttribute("fill", place > 0.55 ? "#000000" : "#ffffff");
      text.textContent = keyText(keys[i], dtype);
      text.setAttribute("font-size", Math.min(42, 150 / Math.max(1, text.textContent.length)));
      group.classList.toggle("changed", changed(i));
      group.classList.toggle("wrong", wrong(i));
    });
    const rows = Array.from({ length: this.height }, (_, y) => this.row(keys, y, dtype, wrong));
    this.texels.setAttribute("aria-label", rows.join("; "));
  }

  row(keys, y, dtype, wrong) {
    const first = y * this.width, row = Array.from(keys.slice(first, first + this.width));
    return `row ${y}: ${row.map((key, x) => keyText(key, dtype) + (wrong(first + x) ? " (wrong)" : "")).join(" ")}`;
  }
}

// One channel of texels.
function channelOf(texels, channel) {
  return texels.filter((_, i) => i % 4 === channel);
}

// The different numbers of a list, in order.
function differentKeys(numbers) {
  return Array.from(new Set(numbers)).sort((a, b) => a - b);
}

// A choice of the channel that grids show; `changed` is called when another is chosen.
function channelChoice(changed) {
  const select = made("select", { onchange: changed }, ...CHANNEL_NAMES.map((name, i) => made("option", { value: i }, name)));
  return { select, label: made("label", {}, "Channel ", select) };
}
