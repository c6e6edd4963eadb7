// A quad outlined over a grid, with the letters of its corners: A is its first corner, C its last. On
// some grids the corners are handles: a pointer drags them, arrow keys move them by whole texels.

"use strict";

const CORNERS = { A: [0, 0], B: [1, 0], C: [1, 1], D: [0, 1] };  // 0: first, 1: last, along x and y
const INSET = 7, LETTER = 22, TOUCHED = 34;  // units of a grid: outline, letter and what a finger hits
const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [1, -1], ArrowDown: [1, 1] };  // axis, step

class Outline {
  // `view` is "frame" or "texture"; `changed` is called when a handle was moved, or null if none can.
  constructor(grid, placed, view, changed) {
    Object.assign(this, { grid, placed, view, changed });
    this.rims = ["rim", "line"].map((name) => madeSvg("rect", { class: name, fill: "none" }));
    this.body = this.part("quad", madeSvg("rect", { class: "body" }), (to, start) => placed.move(view, to.map((each, i) => start[i] + each)));
    this.letters = Object.entries(CORNERS).map(([letter, ends]) => this.corner(letter, ends));
    const over = madeSvg("g", { class: "quad" }, ...this.rims, this.body.group, ...this.letters.map(({ group }) => group));
    grid.drawing.append(over);
    this.over = over;
  }

  corner(letter, ends) {
    const seen = madeSvg("circle", { class: "seen", r: LETTER }), hit = madeSvg("circle", { class: "hit", r: TOUCHED });
    const text = madeSvg("text", { "font-size": 30 }, letter);
    const drag = (by, start) => this.placed.moveCorner(this.view, ends, start.map((each, i) => each + by[i]));
    const part = this.part(`corner ${letter}`, madeSvg("g", {}, hit, seen, text), drag, ends);
    return { ...part, ends };
  }

  // A part that can be moved. `drag` gets the distance from where it was taken, and where that was.
  part(name, shape, drag, ends = null) {
    const can = this.changed ? { tabindex: 0, role: "button", class: "handle" } : { "aria-hidden": "true" };
    const group = madeSvg("g", can, shape), part = { name, group, ends };
    if (!this.changed) return part;
    group.addEventListener("pointerdown", (event) => this.take(event, part, drag));
    group.addEventListener("keydown", (event) => this.press(event, part));
    return part;
  }

  // ---- By a pointer.

  take(event, part, drag) {
    if (event.button) return;
    event.preventDefault();
    part.group.focus({ focusVisible: false });
    part.group.setPointerCapture(event.pointerId);
    const taken = this.place(event), start = this.placed.corner(this.view, part.ends ?? this.first);
    let last = "";
    const follow = (moved) => {
      const by = this.place(moved).map((each, i) => Math.round(each - taken[i]));
      if (by.join() === last) return;
      last = by.join();
      drag(by, start);
      this.changed();
    };
    part.group.addEventListener("pointermove", follow);
    for (const over of ["pointerup", "pointercancel"])
      part.group.addEventListener(over, () => part.group.removeEventListener("pointermove", follow), { once: true });
  }

  // The ends of the corner at the upper left, as it is seen.
  get first() {
    return this.placed.axes.map(({ mirrored }) => Number(this.view === "texture" && mirrored));
  }

  // Where a pointer is, in texels.
  place(event) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.grid.drawing.getScreenCTM().inverse());
    return [at.x / TEXEL, at.y / TEXEL];
  }

  // ---- By the keyboard.

  press(event, { ends }) {
    const arrow = ARROWS[event.key];
    if (!arrow || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const [axis, step] = arrow, { placed, view } = this;
    const to = placed.corner(view, ends ?? this.first);
    to[axis] += step;
    if (ends) {
      const other = placed.corner(view, ends.map((end) => 1 - end))[axis];
      if (view === "texture" && to[axis] === other) to[axis] += step;  // to the other side: mirrored
      placed.moveCorner(view, ends, to);
    } else placed.move(view, to);
    this.changed();
  }

  // ---- What is shown.

  show(colour) {
    const { placed, view } = this, [left, top] = placed.corner(view, this.first);
    const [width, height] = placed.axes.map(({ size }) => size);
    const box = { x: left * TEXEL + INSET, y: top * TEXEL + INSET, width: width * TEXEL - 2 * INSET, height: height * TEXEL - 2 * INSET };
    for (const rect of [...this.rims, this.body.group.firstChild])
      for (const [key, value] of Object.entries(box)) rect.setAttribute(key, value);
    this.over.style.setProperty("--quad", colour);
    this.body.group.setAttribute("aria-label", `The quad on the ${view}: columns ${left} to ${left + width - 1}, rows ${top} to ${top + height - 1}. Arrow keys move it.`);
    for (const { name, group, ends } of this.letters) {
      const at = placed.corner(view, ends), inner = [left + width / 2, top + height / 2];
      const [x, y] = at.map((each, i) => each * TEXEL + Math.sign(inner[i] - each) * INSET);
      group.setAttribute("transform", `translate(${x} ${y})`);
      group.setAttribute("aria-label", `${name} on the ${view}: ${at.join(", ")}. Arrow keys move it.`);
    }
  }
}
