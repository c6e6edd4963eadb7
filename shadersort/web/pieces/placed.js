// Where a quad is drawn and what it shows, in whole texels. Both rectangles always have one size, so
// a quad never stretches its texture, whatever is dragged; and both lie inside their textures.

"use strict";

const clamped = (number, low, high) => Math.max(low, Math.min(high, number));

class Placed {
  // `most` is the texels of the texture along x and along y.
  constructor(most) {
    this.axes = most.map((each) => ({ most: each, size: each, frame: 0, texture: 0, mirrored: false }));
  }

  // The corners (x0, y0, x1, y1) and the texture coordinates (s0, t0, s1, t1) there.
  get numbers() {
    const firsts = [], lasts = [], from = [], to = [];
    for (const { size, frame, texture, mirrored } of this.axes) {
      firsts.push(frame);
      lasts.push(frame + size);
      from.push(texture + (mirrored ? size : 0));
      to.push(texture + (mirrored ? 0 : size));
    }
    return [...firsts, ...lasts, ...from, ...to];
  }

  set numbers([x0, y0, x1, y1, s0, t0, s1, t1]) {
    [[x0, x1, s0, s1], [y0, y1, t0, t1]].forEach(([first, last, from, to], i) => {
      Object.assign(this.axes[i], { size: last - first, frame: first, texture: Math.min(from, to), mirrored: to < from });
    });
  }

  // Where a corner is: 0 or 1 along each axis is the first or the last, `view` is frame or texture.
  corner(view, ends) {
    return this.axes.map((axis, i) => {
      const last = view === "texture" && axis.mirrored ? 1 - ends[i] : ends[i];
      return axis[view] + (last ? axis.size : 0);
    });
  }

  // Moves a corner to a place. The opposite corner stays. A texture coordinate that passes that of
  // the opposite corner mirrors the texture; a corner on the frame stops before it.
  moveCorner(view, ends, to) {
    this.corner(view, ends).forEach((was, i) => {
      const axis = this.axes[i], other = this.corner(view, ends.map((end) => 1 - end))[i];
      let place = clamped(to[i], 0, axis.most);
      if (view === "frame") place = was > other ? Math.max(place, other + 1) : Math.min(place, other - 1);
      if (place === other || place === was) return;
      if ((was > other) !== (place > other)) axis.mirrored = !axis.mirrored;
      this.resize(axis, view, Math.abs(place - other), Math.min(place, other), ends[i]);
    });
  }

  // Gives a rectangle a new size and place. The other one gets this size, too: the coordinate that
  // belongs to the corner that stays keeps its place, unless the rectangle would not fit.
  resize(axis, view, size, place, end) {
    const other = view === "frame" ? "texture" : "frame";
    const lastStays = other === "texture" ? (end === 0) !== axis.mirrored : end === 0;
    if (lastStays) axis[other] += axis.size - size;
    axis.size = size;
    axis[view] = place;
    axis[other] = clamped(axis[other], 0, axis.most - size);
  }

  // Moves a whole rectangle, whose first corner shall be at a place.
  move(view, to) {
    this.axes.forEach((axis, i) => { axis[view] = clamped(to[i], 0, axis.most - axis.size); });
  }

  mirror(i) {
    this.axes[i].mirrored = !this.axes[i].mirrored;
  }
}
