// Pictures of SVG: lines, boxes and letters, and a picture with scales along its two sides.

const HALO = "paint-order: stroke; stroke: var(--paper); stroke-width: 4px";  // no line crosses such a text

const write = (x, y, text, attributes = {}) => svg("text", { x, y, "font-size": 13, fill: "currentColor", ...attributes }, text);
const box = (x, y, width, height, fill, attributes = {}) => svg("rect", { x, y, width, height, fill, ...attributes });
const line = (x1, y1, x2, y2, attributes = {}) => svg("line", { x1, y1, x2, y2, stroke: "currentColor", ...attributes });
const dot = (cx, cy, r, fill, attributes = {}) => svg("circle", { cx, cy, r, fill, ...attributes });
const cross = (x, y, size, stroke) => svg("path", { d: `M${x - size},${y - size} l${2 * size},${2 * size} m0,${-2 * size} l${-2 * size},${2 * size}`, stroke, "stroke-width": 2.2 });
const MIDDLE = { "text-anchor": "middle" }, END = { "text-anchor": "end" };

// A picture as wide as the page. Its units are pixels, so that 13 is the size of letters on the page.
class Chart {
  // `edges` are left, right, top and bottom of what the scales reach.
  constructor(height, edges = {}, attributes = {}) {
    Object.assign(this, { height, edges: { left: 0, right: 0, top: 0, bottom: 0, ...edges }, low: [0, 0], high: [1, 1] });
    this.element = svg("svg", { width: "100%", height, style: "display: block", role: "img", ...attributes });
  }

  get width() {
    return this.element.getBoundingClientRect().width || 700;  // it is 0 before it is shown
  }

  // The pixels of a value across and up, between `low` and `high`: [across, up] of each.
  x(value) {
    const { edges, low: [low], high: [high] } = this;
    return edges.left + ((value - low) / (high - low)) * (this.width - edges.left - edges.right);
  }

  y(value) {
    const { edges, low: [, low], high: [, high], height } = this;
    return height - edges.bottom - ((value - low) / (high - low)) * (height - edges.top - edges.bottom);
  }

  // Lines across, with their values at the left edge.
  levels(values, text = String) {
    const right = this.width - this.edges.right, { left } = this.edges;
    return values.flatMap((value) => [line(left, this.y(value), right, this.y(value), { opacity: 0.2 }), write(left - 6, this.y(value) + 4.5, text(value), END)]);
  }
}
