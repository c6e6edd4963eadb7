// The textures of a pass as panels: the quads, four channels, and the channels as one picture. Keys are
// coloured by rank, quads are outlined, and a texel is marked with its partner.

const ROLE = { UNTOUCHED: 0, COPIED: 1, MIN: 2, MAX: 3 };  // Role of shadersort/web/roles.py
const CHANNELS = ["red", "green", "blue", "alpha"];
const NAMES = ["quads drawn", ...CHANNELS, "all channels"];
const QUADS = -1, PICTURE = 4;  // panels that show no channel
const FEW_TEXELS = 64;  // whose keys are written
const SIDES = [[-1, 0], [1, 0], [0, -1], [0, 1]];

class Panels {
  // `look` has the colours of keys and roles. `point` and `choose` are called with a texel, or -1.
  constructor(look, point, choose, names = NAMES) {
    Object.assign(this, { point, choose, roleColours: look.roles, colours: look.palette.map(rgb) });
    this.palette = Uint32Array.from({ length: 256 }, (_, i) => pixel(colourAt(this.colours, i / 255)));
    this.small = html("canvas");  // a pixel a texel, then drawn large
    this.fillPixel = pixel(rgb(look.fill));
    this.panels = names.map((name, i) => this.panel(name, i - 1));
    this.element = html("div", { class: "panels" }, ...this.panels.map(({ figure }) => figure));
    new ResizeObserver(() => this.film && this.show()).observe(this.element);
  }

  panel(name, channel) {
    const labels = { [QUADS]: "which texels keep minima and maxima", [PICTURE]: "the four channels as one picture" };
    const canvas = html("canvas", {
      role: "img", tabindex: 0, "aria-label": `${labels[channel] ?? `${name} channel, keys coloured by rank`}; arrow keys choose a texel`,
      onpointermove: (event) => this.point(this.texelAt(canvas, event)), onpointerleave: () => this.point(-1),
      onclick: (event) => this.choose(this.texelAt(canvas, event)),
    });
    return { canvas, channel, figure: html("figure", {}, canvas, html("figcaption", {}, name)) };
  }

  load(film) {
    const { width, height, picture, channels = 4 } = this.film = film;
    Object.assign(this.small, { width, height });
    for (const { canvas, figure, channel } of this.panels) {
      canvas.style.aspectRatio = `${width} / ${height}`;
      figure.hidden = channel === PICTURE ? !picture : channel >= channels;
    }
  }

  texelAt(canvas, event) {
    const box = canvas.getBoundingClientRect(), { width, height } = this.film;
    const x = Math.floor(((event.clientX - box.left) / box.width) * width), y = Math.floor(((event.clientY - box.top) / box.height) * height);
    return x >= 0 && y >= 0 && x < width && y < height ? y * width + x : -1;
  }

  // Shows `texels`, or null, and what a pass does (`roles`); `outlined` are the roles of these texels. One
  // `texel` is marked, and its partner.
  show(state = {}) {
    Object.assign(this, state);
    for (const { canvas, channel, figure } of this.panels) if (!figure.hidden) this.paint(canvas, channel);
  }

  paint(canvas, channel) {
    const { film: { width, height }, texels, roles: { role, partner }, texel, small } = this, density = window.devicePixelRatio || 1;
    canvas.width = Math.max(width, Math.round(canvas.getBoundingClientRect().width * density));
    canvas.height = Math.max(1, Math.round((canvas.width * height) / width));
    const context = canvas.getContext("2d"), cell = canvas.width / width;
    context.imageSmoothingEnabled = false;
    if (channel !== QUADS && !texels) this.sayEmpty(context, canvas, density);
    else {
      const rolePixels = this.roleColours.map((colour) => pixel(rgb(colour)));
      this.fill({
        [QUADS]: (i) => rolePixels[role[i]],
        [PICTURE]: (i) => pixel(texels.subarray(4 * i, 4 * i + 3)),
      }[channel] ?? ((i) => this.shade(texels[4 * i + channel])));
      context.drawImage(small, 0, 0, canvas.width, canvas.height);
      if (channel >= 0 && channel < PICTURE && width * height <= FEW_TEXELS) this.write(context, cell, channel, density);
    }
    if (channel !== QUADS && cell >= 5 * density) for (const kind of [ROLE.MIN, ROLE.MAX]) this.outline(context, cell, kind, density);
    if (texel < 0) return;
    if (partner[texel] !== texel) this.mark(context, cell, partner[texel], density, [3 * density, 2 * density]);
    this.mark(context, cell, texel, density, []);
  }

  fill(colourOf) {
    const { width, height } = this.film, context = this.small.getContext("2d");
    const image = context.createImageData(width, height), pixels = new Uint32Array(image.data.buffer);
    for (let i = 0; i < pixels.length; i++) pixels[i] = colourOf(i);
    context.putImageData(image, 0, 0);
  }

  shade(key) {
    const { fill, values } = this.film;
    return key === fill ? this.fillPixel : this.palette[Math.round((255 * this.film.rank(key)) / Math.max(1, values.length - 1))];
  }

  // The keys themselves, as large as the longest allows, unless that is too small to be read.
  write(context, cell, channel, density) {
    const { film, texels } = this, last = Math.max(1, film.values.length - 1), keys = texels.filter((_, i) => i % 4 === channel);
    const words = Array.from(keys, (key) => film.word(key)), size = Math.min(22 * density, cell / 2, ...words.map((word) => (1.35 * cell) / word.length));
    if (size < 8 * density) return;
    Object.assign(context, { textAlign: "center", textBaseline: "middle", font: `600 ${size}px system-ui, sans-serif` });
    words.forEach((word, i) => {
      context.fillStyle = keys[i] === film.fill ? "#565656" : inkAt(film.rank(keys[i]) / last);
      context.fillText(word, ((i % film.width) + 0.5) * cell, (Math.floor(i / film.width) + 0.5) * cell);
    });
  }

  sayEmpty(context, canvas, density) {
    context.fillStyle = "#808080";
    context.font = `${13 * density}px system-ui, sans-serif`;
    context.textAlign = "center";
    context.fillText("nothing yet", canvas.width / 2, canvas.height / 2);
  }

  // The border of all texels of one kind, inside them: a line where the neighbour is of another.
  outline(context, cell, kind, density) {
    const { film: { width, height }, outlined } = this, cells = new Path2D(), border = new Path2D();
    const isInside = (x, y) => x >= 0 && y >= 0 && x < width && y < height && outlined[y * width + x] === kind;
    outlined.forEach((_, i) => {
      const x = i % width, y = Math.floor(i / width);
      if (!isInside(x, y)) return;
      cells.rect(x * cell, y * cell, cell, cell);
      for (const [dx, dy] of SIDES) {
        if (isInside(x + dx, y + dy)) continue;
        const left = (x + (dx > 0)) * cell, top = (y + (dy > 0)) * cell;
        border.moveTo(left, top);
        border.lineTo(left + (dx ? 0 : cell), top + (dy ? 0 : cell));
      }
    });
    context.save();
    context.clip(cells);  // half of each line is inside
    context.lineCap = "square";
    for (const [colour, thickness] of [["#ffffff", 3.5], [this.roleColours[kind], 2.75], ["#ffffff", 0.75]]) {
      context.strokeStyle = colour;
      context.lineWidth = 2 * thickness * density;
      context.stroke(border);
    }
    context.restore();
  }

  // A square around a texel, black on white, so that it is seen on every colour.
  mark(context, cell, texel, density, dashes) {
    const { width } = this.film, x = (texel % width) * cell, y = Math.floor(texel / width) * cell;
    for (const [colour, thickness, pattern] of [["#ffffff", 5, []], ["#000000", 2.5, dashes]]) {
      context.setLineDash(pattern);
      context.strokeStyle = colour;
      context.lineWidth = thickness * density;
      context.strokeRect(x, y, cell, cell);
    }
    context.setLineDash([]);
  }
}

const pixel = ([red, green, blue]) => ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;

// For each texel of the source, the role of the texel that reads it.
function readers({ role, partner }) {
  const read = new Uint8Array(role.length);
  role.forEach((kind, i) => { if (kind !== ROLE.UNTOUCHED) read[partner[i]] = kind; });
  return read;
}
