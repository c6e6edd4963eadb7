// The diagram of a network: wires from left to right, wire 0 on top, and comparators between them in
// columns. A pointer or the keyboard picks two wires to join, or a comparator to remove.

const MARGIN = 34, BESIDE = 18, GAP = 40, ROOM = 110, HEAD = 26, LEAST = 314;  // pixels: wire names, comparators, steps, the end
const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], Home: [0, -Infinity], End: [0, Infinity] };

const digit = (kind, x, y, what) => svg("text", { class: kind, x, y }, String(what));
const stroke = (kind, x1, y1, x2, y2) => svg("line", { class: kind, x1, y1, x2, y2 });

class Diagram {
  // `does` has what happens: add(low, high, column), remove(index) and say(text).
  constructor(does) {
    Object.assign(this, { does, picked: null, over: null, cursor: { wire: 0, column: Infinity } });
    this.drawing = svg("svg", {
      class: "diagram", role: "application", tabindex: 0,
      "aria-label": "Network. Arrow keys move, Enter picks a wire and then the wire to join it with, Delete removes a comparator, Escape lets go.",
      onpointerdown: (event) => this.press(event), onpointerup: (event) => this.release(event), onkeydown: (event) => this.key(event),
      onpointermove: (event) => this.hover(this.placeOf(event).wire), onpointercancel: () => this.hover(null), onpointerleave: () => this.hover(null),
      onfocus: () => this.draw(), onblur: () => this.draw(),
    });
    this.element = html("div", { class: "wide" }, this.drawing);
  }

  // Shows comparators, in the order of their columns; `keys` are zeros and ones on the wires, or null.
  show(comparators, columns, wires, keys) {
    Object.assign(this, { comparators, columns, wires, pitch: wires > 8 ? 26 : 38, states: keys && journey(keys, comparators) });
    this.depth = Math.max(0, ...columns.map((column) => column + 1));
    this.moveTo(this.cursor.wire, this.cursor.column);
    if (this.picked && this.picked.wire >= wires) this.picked = null;
    this.layOut();
    this.draw();
  }

  // The place of each comparator: those of a step stand beside each other where they would overlap.
  layOut() {
    Object.assign(this, { x: [], starts: [] });  // of the comparators, and of the steps
    let x = MARGIN + GAP;
    for (let step = 0; step < this.depth; step++) {
      const ends = [];  // the last wire of each row of comparators
      this.starts.push(x);
      this.comparators.map(([low, high], i) => ({ low, high, i })).filter(({ i }) => this.columns[i] === step).sort((a, b) => a.low - b.low).forEach(({ low, high, i }) => {
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

  // The middle of the gap before a step, or of the end.
  before(step) {
    return step < this.depth ? this.starts[step] - GAP / 2 : this.starts[this.depth];
  }

  // The wire next to a pointer, and the step before which a comparator goes there.
  placeOf(event) {
    const { left, top } = this.drawing.getBoundingClientRect(), x = event.clientX - left;
    const column = this.starts.findIndex((_, i) => i === this.depth || x < this.starts[i + 1] - GAP / 2);
    return { wire: clamp(Math.floor((event.clientY - top - HEAD) / this.pitch), 0, this.wires - 1), column };
  }

  // A mouse picks when its button goes down, so that it can drag to the other wire. A finger may
  // begin to scroll there: it picks, and a comparator goes, when it is lifted.
  press(event) {
    if (event.button) return;
    this.pressed = this.picked ? undefined : event.target.closest("[data-comparator]")?.dataset.comparator;
    if (this.pressed === undefined && event.pointerType === "mouse") this.pick(this.placeOf(event));
  }

  hover(wire) {
    const over = this.picked ? wire : null, changed = over !== this.over;
    this.over = over;
    if (changed) this.draw();
  }

  release(event) {
    const place = this.placeOf(event), { pressed, picked } = this;
    this.pressed = undefined;
    if (pressed !== undefined) this.does.remove(Number(pressed));
    else if (event.pointerType !== "mouse" || (picked && place.wire !== picked.wire)) this.pick(place);
  }

  // The first wire is picked; the second is joined with it, where the first was picked.
  pick(place) {
    const { picked } = this;
    this.forget();
    if (!picked) {
      this.picked = place;
      this.does.say(`Wire ${place.wire} is picked. Now pick the wire to join it with.`);
    } else if (picked.wire !== place.wire) this.does.add(Math.min(picked.wire, place.wire), Math.max(picked.wire, place.wire), picked.column);
    this.draw();
  }

  // What was picked and said is of an old network, or is not wanted any more.
  forget() {
    this.picked = this.over = null;
    this.does.say("");
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { wire, column } = this.cursor, { key } = event, at = this.atCursor();
    if (MOVES[key]) this.move(wire + MOVES[key][0], column + MOVES[key][1]);
    else if (key === "Enter" || key === " ") this.pick({ wire, column });
    else if (key === "Escape") this.forget();
    else if (key !== "Delete" && key !== "Backspace") return;
    else if (at < 0) this.does.say("No comparator of this step is on this wire.");
    else this.does.remove(at);
    event.preventDefault();
    this.draw();
  }

  move(wire, column) {
    this.moveTo(wire, column);
    const at = this.atCursor(), step = this.cursor.column < this.depth ? `step ${this.cursor.column + 1}` : "after the last step";
    this.does.say(`Wire ${this.cursor.wire}, ${step}${at < 0 ? "" : `: comparator ${this.comparators[at].join("-")}`}.`);
    this.element.scrollLeft = Math.max(0, this.starts[this.cursor.column] - this.element.clientWidth / 2);
  }

  moveTo(wire, column) {
    this.cursor = { wire: clamp(wire, 0, this.wires - 1), column: clamp(column, 0, this.depth) };
  }

  atCursor() {
    return this.comparators.findIndex((pair, i) => this.columns[i] === this.cursor.column && pair.includes(this.cursor.wire));
  }

  draw() {
    const { width, height, depth } = this, steps = [];
    fillElement(this.drawing, { width, height }, []);
    for (let step = 0; step < depth; step++) {
      const left = this.starts[step] - GAP / 2 + 6, right = this.starts[step + 1] - GAP / 2 - 6;
      steps.push(svg("rect", { class: "step", x: left, y: HEAD - 4, width: right - left, height: height - HEAD + 4, rx: 6 }), digit("number", (left + right) / 2, HEAD / 2 - 2, step + 1));
    }
    const wires = Array.from({ length: this.wires }, (_, wire) => digit("number", MARGIN / 2, this.y(wire), wire));
    this.drawing.replaceChildren(...steps, ...wires, ...this.wireLines(), ...this.comparators.map((_, i) => this.comparator(i)), ...this.digits(), ...this.marks());
  }

  // Wires in parts, from one comparator to the next, so that each has the look of its key.
  wireLines() {
    const from = new Array(this.wires).fill(MARGIN);
    const until = (wire, x, keys) => {
      const part = stroke(keys ? ["zero", "one"][keys[wire]] : "wire", from[wire], this.y(wire), x, this.y(wire));
      from[wire] = x;
      return part;
    };
    const parts = this.comparators.flatMap((pair, i) => pair.map((wire) => until(wire, this.x[i], this.states?.[i])));
    return [...parts, ...from.map((_, wire) => until(wire, this.width - ROOM / 3, this.states?.at(-1)))];
  }

  comparator(i) {
    const [low, high] = this.comparators[i], x = this.x[i], top = this.y(low), bottom = this.y(high), keys = this.states?.[i];
    return svg("g", { class: keys && keys[low] > keys[high] ? "comparator swaps" : "comparator", "data-comparator": i },
      svg("title", {}, `${low}-${high}: click to remove`), svg("rect", { class: "hit", x: x - BESIDE / 2, y: top - 12, width: BESIDE, height: bottom - top + 24 }),
      stroke("join", x, top, x, bottom), ...[top, bottom].map((cy) => svg("circle", { cx: x, cy, r: 5.5 })));
  }

  // The zeros and ones before each step and at the end, where a one above a zero is wrong.
  digits() {
    const { states, wires, depth } = this, steps = Array.from({ length: states ? depth + 1 : 0 }, (_, step) => step);
    return steps.flatMap((step) => {
      const keys = states[this.columns.filter((column) => column < step).length], x = step < depth ? this.before(step) : this.width - ROOM / 3 + 14;
      return keys.flatMap((key, wire) => {
        const wrong = step === depth && ((wire + 1 < wires && key > keys[wire + 1]) || (wire && keys[wire - 1] > key)), y = this.y(wire);
        return [digit(wrong ? "digit wrong" : "digit", x, y, key), ...(wrong ? [svg("circle", { class: "ring", cx: x, cy: y, r: 11 })] : [])];
      });
    });
  }

  // What is picked, what would be joined with it, and where the keyboard is.
  marks() {
    const { picked, over, cursor: { wire, column } } = this, marks = [];
    if (picked) {
      const x = this.before(picked.column), y = this.y(picked.wire);
      if (over !== null) marks.push(stroke("preview", x, y, x, this.y(over)));
      marks.push(svg("circle", { class: "picked", cx: x, cy: y, r: 8 }));
    }
    if (document.activeElement === this.drawing && this.drawing.matches(":focus-visible")) {
      const left = this.starts[column] - GAP / 2 + 3, right = column < this.depth ? this.starts[column + 1] - GAP / 2 - 3 : left + GAP;
      marks.push(svg("rect", { class: "cursor", x: left, y: this.y(wire) - 13, width: right - left, height: 26, rx: 5 }));
    }
    return marks;
  }
}
