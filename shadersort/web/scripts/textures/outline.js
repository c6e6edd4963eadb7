// A quad over a texture, in whole texels, and its outline on a grid with the letters of its corners: A
// is the first corner, C the last. On some grids a pointer drags them, and arrow keys move them.

const CORNERS = { A: [0, 0], B: [1, 0], C: [1, 1], D: [0, 1] };  // 0: first, 1: last, along x and y
const INSET = 7, LETTER = 22, TOUCHED = 34;  // units of a grid: outline, letter and what a finger hits
const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [1, -1], ArrowDown: [1, 1] };  // axis, step

// Where a quad is drawn on the frame, and what it shows of the texture: along each axis a first place on
// both, and one size, so a quad never stretches its texture. Both rectangles lie inside.
class PlacedQuad {
  constructor(most) {
    this.axes = most.map((each) => ({ most: each, size: each, frame: 0, texture: 0, mirrored: false }));
  }

  // The corners (x0, y0, x1, y1) and the texture coordinates (s0, t0, s1, t1) there.
  get numbers() {
    const along = (number) => this.axes.map(number);
    return [
      ...along(({ frame }) => frame), ...along(({ frame, size }) => frame + size),
      ...along(({ texture, size, mirrored }) => texture + (mirrored ? size : 0)), ...along(({ texture, size, mirrored }) => texture + (mirrored ? 0 : size)),
    ];
  }

  set numbers(numbers) {
    this.axes.forEach((axis, i) => {
      const [first, last, from, to] = [0, 2, 4, 6].map((at) => numbers[at + i]);
      Object.assign(axis, { size: last - first, frame: first, texture: Math.min(from, to), mirrored: to < from });
    });
  }

  // Where a corner is: 0 or 1 along each axis is the first or the last, `view` is frame or texture.
  corner(view, ends) {
    return this.axes.map((axis, i) => axis[view] + ((view === "texture" && axis.mirrored) !== Boolean(ends[i]) ? axis.size : 0));
  }

  // The ends of the corner at the upper left, as it is seen.
  first(view) {
    return this.axes.map(({ mirrored }) => Number(view === "texture" && mirrored));
  }

  opposite(view, ends) {
    return this.corner(view, ends.map((end) => 1 - end));
  }

  // Moves a corner to a place. The opposite corner stays. A texture coordinate that passes that of
  // the opposite corner mirrors the texture; a corner on the frame stops before it. The other
  // rectangle gets the same size: its corner that stays keeps its place, if there is room.
  moveCorner(view, ends, to) {
    const across = view === "frame" ? "texture" : "frame", all = this.opposite(view, ends);
    this.corner(view, ends).forEach((was, i) => {
      const axis = this.axes[i], other = all[i];
      let place = clamp(to[i], 0, axis.most);
      if (view === "frame") place = was > other ? Math.max(place, other + 1) : Math.min(place, other - 1);
      if (place === other || place === was) return;
      if ((was > other) !== (place > other)) axis.mirrored = !axis.mirrored;
      const size = Math.abs(place - other), lastStays = (ends[i] === 0) !== (view === "frame" && axis.mirrored);
      const start = axis[across] + (lastStays ? axis.size - size : 0);
      Object.assign(axis, { size, [view]: Math.min(place, other), [across]: clamp(start, 0, axis.most - size) });
    });
  }

  // Moves a whole rectangle, whose first corner shall be at a place.
  move(view, to) {
    this.axes.forEach((axis, i) => { axis[view] = clamp(to[i], 0, axis.most - axis.size); });
  }
}

class Outline {
  // `view` is "frame" or "texture"; `changed` is called when a part was moved, or null if none can be.
  constructor(grid, quad, view, changed) {
    Object.assign(this, { grid, quad, view, changed });
    this.rims = ["rim", "line", "body"].map((name) => svg("rect", { class: name, fill: name === "body" ? null : "none" }));
    this.body = this.part("quad", null, this.rims[2]);
    this.corners = Object.entries(CORNERS).map(([letter, ends]) => this.part(`corner ${letter}`, ends,
      svg("circle", { class: "hit", r: TOUCHED }), svg("circle", { class: "seen", r: LETTER }), svg("text", { "font-size": 30 }, letter)));
    this.element = svg("g", { class: "quad" }, this.rims[0], this.rims[1], this.body.group, ...this.corners.map(({ group }) => group));
    grid.drawing.append(this.element);
  }

  // A part that can be moved: a corner, or the whole quad, which has no ends.
  part(name, ends, ...shapes) {
    const part = { name, ends }, can = { tabindex: 0, role: "button", class: "handle", onpointerdown: (event) => this.take(event, part), onkeydown: (event) => this.press(event, part) };
    part.group = svg("g", this.changed ? can : { "aria-hidden": "true" }, ...shapes);
    return part;
  }

  place({ ends }) {
    return this.quad.corner(this.view, ends ?? this.quad.first(this.view));
  }

  move({ ends }, to) {
    if (ends) this.quad.moveCorner(this.view, ends, to);
    else this.quad.move(this.view, to);
    this.changed();
  }

  take(event, part) {
    if (event.button) return;
    event.preventDefault();
    part.group.focus({ focusVisible: false });
    part.group.setPointerCapture(event.pointerId);
    const taken = this.pointerPlace(event), start = this.place(part);
    let last = "";
    part.group.onpointermove = (moved) => {
      const to = this.pointerPlace(moved).map((each, i) => start[i] + Math.round(each - taken[i]));
      if (to.join() !== last) this.move(part, to);
      last = to.join();
    };
    part.group.onpointerup = part.group.onpointercancel = () => { part.group.onpointermove = null; };
  }

  // Where a pointer is, in texels.
  pointerPlace({ clientX, clientY }) {
    const at = new DOMPoint(clientX, clientY).matrixTransform(this.grid.drawing.getScreenCTM().inverse());
    return [at.x / TEXEL, at.y / TEXEL];
  }

  press(event, part) {
    const arrow = ARROWS[event.key];
    if (!arrow || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const [axis, step] = arrow, { ends } = part, to = this.place(part);
    to[axis] += step;
    if (ends && this.view === "texture" && to[axis] === this.quad.opposite("texture", ends)[axis]) to[axis] += step;  // to the other side: mirrored
    this.move(part, to);
  }

  show(colour) {
    const { view, quad } = this, [left, top] = this.place(this.body), [width, height] = quad.axes.map(({ size }) => size);
    const box = { x: left * TEXEL + INSET, y: top * TEXEL + INSET, width: width * TEXEL - 2 * INSET, height: height * TEXEL - 2 * INSET };
    this.rims.forEach((rect) => fillElement(rect, box, []));
    this.element.style.setProperty("--quad", colour);
    this.body.group.ariaLabel = `The quad on the ${view}: columns ${left} to ${left + width - 1}, rows ${top} to ${top + height - 1}. Arrow keys move it.`;
    const middle = [left + width / 2, top + height / 2];
    for (const part of this.corners) {
      const at = this.place(part), [x, y] = at.map((each, i) => each * TEXEL + Math.sign(middle[i] - each) * INSET);
      part.group.setAttribute("transform", `translate(${x} ${y})`);
      part.group.ariaLabel = `${part.name} on the ${view}: ${at.join(", ")}. Arrow keys move it.`;
    }
  }
}
