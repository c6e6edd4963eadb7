// A small texture as a grid of numbers, coloured by rank, with row 0 on top; a drawing that others
// draw over.

const TEXEL = 100;  // units of the drawing along a side of a texel
const RIM = 30;  // units around the grid, for what stands over its edge

class Grid {
  constructor(width, height, name, palette) {
    Object.assign(this, { width, height, colours: palette.map(rgb) });
    this.cells = Array.from({ length: width * height }, (_, i) => this.cell(i));
    const box = [-RIM, -RIM, width * TEXEL + 2 * RIM, height * TEXEL + 2 * RIM].join(" ");
    this.texels = svg("g", { role: "img" }, ...this.cells.map(({ group }) => group));
    this.drawing = svg("svg", { viewBox: box, class: "grid", role: "group", "aria-label": name }, this.texels);
    this.name = html("figcaption", {}, name);
    this.figure = html("figure", {}, this.name, this.drawing);
  }

  cell(i) {
    const x = (i % this.width) * TEXEL, y = Math.floor(i / this.width) * TEXEL;
    const square = svg("rect", { x, y, width: TEXEL, height: TEXEL }), text = svg("text", { x: x + TEXEL / 2, y: y + TEXEL / 2 });
    const cross = svg("line", { x1: x + 10, y1: y + TEXEL - 10, x2: x + TEXEL - 10, y2: y + 10, class: "cross" });
    return { square, text, group: svg("g", {}, square, cross, text) };
  }

  // Shows numbers, one a texel; colours are ranks among `all`. `changed` tells which stand out, and
  // `wrong` which are crossed out.
  show(keys, all, dtype, { changed = () => false, wrong = () => false } = {}) {
    const values = [...new Set(all)].sort((a, b) => a - b), most = Math.max(1, values.length - 1);
    const rows = Array.from({ length: this.height }, (_, y) => `row ${y}:`);
    this.cells.forEach(({ square, text, group }, i) => {
      const place = Math.max(0, values.indexOf(keys[i])) / most, word = keyText(keys[i], dtype);
      square.setAttribute("fill", `rgb(${colourAt(this.colours, place)})`);
      fillElement(text, { fill: inkAt(place), "font-size": Math.min(42, 150 / word.length) }, []);
      text.textContent = word;
      group.classList.toggle("changed", changed(i));
      group.classList.toggle("wrong", wrong(i));
      rows[Math.floor(i / this.width)] += ` ${word}${wrong(i) ? " (wrong)" : ""}`;
    });
    this.texels.setAttribute("aria-label", rows.join("; "));
  }
}

// One channel of texels.
const channelOf = (texels, channel) => texels.filter((_, i) => i % 4 === channel);

// A menu of the channel that grids show.
const channelMenu = (choose) => menu(["red", "green", "blue", "alpha"], (channel) => choose(Number(channel)));
