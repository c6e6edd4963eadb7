// The diagram of a network: wires from left to right, wire 0 on top, and comparators between them in
// columns. A pointer or the keyboard picks two wires to join, or a comparator to remove.

"use strict";

const MARGIN = 34, BESIDE = 18, GAP = 40, ROOM = 110, HEAD = 26, LEAST = 314;  // pixels: wire names, comparators, steps, the end
const DOT = 5.5;

class Diagram {
  // `does` has what happens: add(low, high, column), remove(index) and say(text).
  constructor(does) {
    Object.assign(this, { does, picked: null, cursor: { wire: 0, column: Infinity }, comparators: [], states: null });
    this.drawing = madeSvg("svg", {
      class: "diagram", role: "application", tabindex: 0,
      "aria-label": "Network. Arrow keys move, Enter picks a wire and then the wire to join it with, Delete removes a comparator, Escape lets go.",
    });
    this.element = made("div", { class: "wide" }, this.drawing);
    this.drawing.addEventListener("pointerdown", (event) => this.press(event));
    this.drawing.addEventListener("pointermove", (event) => this.hover(event));
    this.drawing.addEventListener("pointerup", (event) => this.release(event));
    for (const name of ["pointercancel", "pointerleave"]) this.drawing.addEventListener(name, () => this.hover(null));
    this.drawing.addEventListener("keydown", (event) => this.key(event));
    for (const name of ["focus", "blur"]) this.drawing.addEventListener(name, () => this.draw());
  }

  // Shows comparators, in the order of their columns; `keys` are zeros and ones on the wires, or null.
  show(comparators, columns, wires, keys) {
    Object.assign(this, { comparators, columns, wires, pitch: wires > 8 ? 26 : 38 });
    this.depth = Math.max(0, ...columns.map((column) => column + 1));
    this.cursor = { wire: Math.min(this.cursor.wire, wires - 1), column: Math.min(this.cursor.column, this.depth) };
    if (this.picked && this.picked.wire >= wires) this.picked = null;
    this.states = keys && journey(keys, comparators);
    this.layOut();
    this.draw();
  }

  // The place of each comparator: those of a step stand beside each other where they would overlap.
  layOut() {
    this.x = [];
    this.starts = [];  // of the steps
    let x = MARGIN + GAP;
    for (let step = 0; step < this.depth; step++) {
      const ends = [];  // the last wire of each row of comparators
      this.starts.push(x);
      this.comparators.map(([low, high], i) => ({ low, high, i })).filter(({ i }) => this.columns[i] === step)
        .sort((a, b) => a.low - b.low).forEach(({ low, high, i }) => {
          const free = ends.findIndex((end) => end < low), beside = free < 0 ? ends.length : free;
          ends[beside] = high;
          this.x[i] = x + beside * BESIDE;
        });
      x += (ends.length - 1) * BESIDE + GAP;
    }
    this.starts.push(x);
    this.width = Math.max(LEAST, x + ROOM);
    this.height = HEAD + this.wires * this.pitch;
  }

  y(wire) {
    return HEAD + (wire + 0.5) * this.pitch;
  }

  // ---- By a pointer.

  // The wire next to a pointer, and the step before which a comparator goes there.
  place(event) {
    const box = this.drawing.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
    const column = this.starts.findIndex((_, i) => i === this.depth || x < this.starts[i + 1] - GAP / 2);
    return { wire: Math.max(0, Math.min(this.wires - 1, Math.floor((y - HEAD) / this.pitch))), column };
  }

  // A mouse picks when its button goes down, so that it can drag to the other wire. A finger may
  // begin to scroll there: it picks, and a comparator goes, when it is lifted.
  press(event) {
    if (event.button) return;
    this.pressed = this.picked ? undefined : event.target.closest("[data-comparator]")?.dataset.comparator;
    if (this.pressed === undefined && event.pointerType === "mouse") this.pick(this.place(event));
  }

  hover(event) {
    this.over = event && this.picked ? this.place(event).wire : null;
    if (this.over !== this.drawnOver) this.draw();
  }

  release(event) {
    const place = this.place(event), { pressed, picked } = this;
    this.pressed = undefined;
    if (pressed !== undefined) this.does.remove(Number(pressed));
    else if (event.pointerType !== "mouse" || (picked && place.wire !== picked.wire)) this.pick(place);
  }

  // The first wire is picked; the second is joined with it, where the first was picked.
  pick(place) {
    const { picked } = this;
    this.picked = null;
    this.over = null;
    if (!picked) {
      this.picked = place;
      this.does.say(`Wire ${place.wire} is picked. Now pick the wire to join it with.`);
    } else if (picked.wire !== place.wire) {
      this.does.add(Math.min(picked.wire, place.wire), Math.max(picked.wire, place.wire), picked.column);
    } else return this.letGo();
    this.draw();
  }

  letGo() {
    this.forget();
    this.draw();
  }

  // The network changes: what was picked and said is of the old one.
  forget() {
    this.picked = this.over = null;
    this.does.say("");
  }

  // ---- By the keyboard.

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { wire, column } = this.cursor, moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    if (moves[event.key]) this.move(wire + moves[event.key][0], column + moves[event.key][1]);
    else if (event.key === "Home" || event.key === "End") this.move(wire, event.key === "Home" ? 0 : this.depth);
    else if (event.key === "Enter" || event.key === " ") this.pick({ wire, column });
    else if (event.key === "Escape") this.letGo();
    else if (event.key === "Delete" || event.key === "Backspace") this.removeAtCursor();
    else return;
    event.preventDefault();
  }

  move(wire, column) {
    const clamp = (number, most) => Math.max(0, Math.min(most, number));
    this.cursor = { wire: clamp(wire, this.wires - 1), column: clamp(column, this.depth) };
    const at = this.atCursor(), step = this.cursor.column < this.depth ? `step ${this.cursor.column + 1}` : "after the last step";
    this.does.say(`Wire ${this.cursor.wire}, ${step}${at < 0 ? "" : `: comparator ${this.comparators[at].join("-")}`}.`);
    this.draw();
    this.element.scrollLeft = Math.max(0, this.starts[this.cursor.column] - this.element.clientWidth / 2);
  }

  atCursor() {
    return this.comparators.findIndex((pair, i) => this.columns[i] === this.cursor.column && pair.includes(this.cursor.wire));
  }

  removeAtCursor() {
    const at = this.atCursor();
    if (at < 0) this.does.say("No comparator of this step is on this wire.");
    else this.does.remove(at);
  }

  // ---- What is shown.

  draw() {
    const { width, height, depth } = this, steps = [], numbers = [];
    this.drawnOver = this.over;
    this.drawing.setAttribute("width", width);
    this.drawing.setAttribute("height", height);
    for (let step = 0; step < depth; step++) {
      const left = this.starts[step] - GAP / 2 + 6, right = this.starts[step + 1] - GAP / 2 - 6;
      steps.push(madeSvg("rect", { class: "step", x: left, y: HEAD - 4, width: right - left, height: height - HEAD + 4, rx: 6 }));
      numbers.push(this.text((left + right) / 2, HEAD / 2 - 2, step + 1, "number"));
    }
    const wires = Array.from({ length: this.wires }, (_, wire) => this.text(MARGIN / 2, this.y(wire), wire, "number"));
    this.drawing.replaceChildren(...steps, ...numbers, ...wires, ...this.wireLines(), ...this.comparators.map((_, i) => this.comparator(i)), ...this.digits(), ...this.marks());
  }

  text(x, y, what, kind) {
    return madeSvg("text", { x, y, class: kind }, String(what));
  }

  line(kind, x1, y1, x2, y2) {
    return madeSvg("line", { class: kind, x1, y1, x2, y2 });
  }

  // Wires in pieces, from one comparator to the next, so that each has the look of its key.
  wireLines() {
    const from = new Array(this.wires).fill(MARGIN), lines = [];
    const until = (wire, x, keys) => {
      lines.push(this.line(keys ? ["zero", "one"][keys[wire]] : "wire", from[wire], this.y(wire), x, this.y(wire)));
      from[wire] = x;
    };
    this.comparators.forEach((pair, i) => pair.forEach((wire) => until(wire, this.x[i], this.states?.[i])));
    for (let wire = 0; wire < this.wires; wire++) until(wire, this.width - ROOM / 3, this.states?.at(-1));
    return lines;
  }

  comparator(i) {
    const [low, high] = this.comparators[i], x = this.x[i], [top, bottom] = [this.y(low), this.y(high)];
    const before = this.states?.[i], kind = before && before[low] > before[high] ? "comparator swaps" : "comparator";
    const dots = [top, bottom].map((cy) => madeSvg("circle", { cx: x, cy, r: DOT }));
    const hit = madeSvg("rect", { class: "hit", x: x - BESIDE / 2, y: top - 12, width: BESIDE, height: bottom - top + 24 });
    const title = madeSvg("title", {}, `${low}-${high}: click to remove`);
    return madeSvg("g", { class: kind, "data-comparator": i }, title, hit, this.line("join", x, top, x, bottom), ...dots);
  }

  // The zeros and ones before each step and at the end, where a one above a zero is wrong.
  digits() {
    if (!this.states) return [];
    const { states } = this, last = states.at(-1), digits = [];
    for (let step = 0; step <= this.depth; step++) {
      const done = this.columns.filter((column) => column < step).length;
      const x = step < this.depth ? this.starts[step] - GAP / 2 : this.width - ROOM / 3 + 14;
      states[done].forEach((key, wire) => {
        const wrong = step === this.depth && ((wire + 1 < this.wires && key > last[wire + 1]) || (wire && last[wire - 1] > key));
        digits.push(this.text(x, this.y(wire), key, wrong ? "digit wrong" : "digit"));
        if (wrong) digits.push(madeSvg("circle", { class: "ring", cx: x, cy: this.y(wire), r: 11 }));
      });
    }
    return digits;
  }

  // What is picked, what would be joined with it, and where the keyboard is.
  marks() {
    const { picked, over, cursor } = this, marks = [];
    if (picked) {
      const x = picked.column < this.depth ? this.starts[picked.column] - GAP / 2 : this.starts[this.depth];
      if (over !== null && over !== undefined) marks.push(this.line("preview", x, this.y(picked.wire), x, this.y(over)));
      marks.push(madeSvg("circle", { class: "picked", cx: x, cy: this.y(picked.wire), r: 8 }));
    }
    if (document.activeElement === this.drawing && this.drawing.matches(":focus-visible")) {
      const left = this.starts[cursor.column] - GAP / 2 + 3, right = cursor.column < this.depth ? this.starts[cursor.column + 1] - GAP / 2 - 3 : left + GAP;
      marks.push(madeSvg("rect", { class: "cursor", x: left, y: this.y(cursor.wire) - 13, width: right - left, height: 26, rx: 5 }));
    }
    return marks;
  }
}
