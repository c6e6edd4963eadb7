// A stream flows window by window into lossy counting. Python recorded every state.

"use strict";

// What is shown at each moment of a window: entries from before the window or from its own row, by
// the names of the row; whether the window is over; and how many rows of the window are seen.
const MOMENTS = [
  { name: "arrive", before: true, f: "held", missed: "missed_now", rows: 1 },
  { name: "sort", before: true, f: "held", missed: "missed_now", rows: 3 },
  { name: "merge", f: "merged", missed: "missed", rows: 3 },
  { name: "compress", f: "merged", missed: "missed_now", over: true, rows: 3 },
];
const END = { name: "end", f: "held", missed: "missed_now", over: true, rows: 0 };
const counted = (count, one, many) => `${count} ${count === 1 ? one : many}`;

class StreamPiece {
  constructor(root, data) {
    Object.assign(this, { root, data, item: -1 });
    this.chosen = { stream: Object.keys(data.streams)[0], bucket: String(data.buckets[0]), variant: "improved" };
    this.steps = new RecordedSteps((at) => this.show(at));
    this.ribbon = new Ribbon(data.shades);
    this.rows = new WindowRows(data);
    this.entries = new Entries(data);
    this.build();
    this.choose({});
    this.steps.go(data.begin);
    this.ribbon.element.addEventListener("pointerdown", (event) => this.seek(event));
    for (const kind of ["pointermove", "pointerdown"]) this.entries.element.addEventListener(kind, (event) => this.point(this.entries.itemAt(event)));
    this.entries.element.addEventListener("keydown", (event) => this.walk(event));
    new ResizeObserver(() => this.steps.go(this.steps.at)).observe(this.ribbon.element);
  }

  build() {
    const { data, chosen } = this, named = (name) => (value) => this.choose({ [name]: value });
    const streams = Object.fromEntries(Object.keys(data.streams).map((name) => [name, name]));
    const epsilons = Object.fromEntries(data.buckets.map((bucket) => [bucket, `1/${bucket}`]));
    const variants = { improved: "of Manku and Motwani 2002", "as printed": "as printed in 2005" };
    this.why = made("p", { role: "status" });
    this.pointed = made("p", { class: "pointed" });
    this.table = made("table");
    this.root.replaceChildren(made("h1", {}, document.title),
      choice("Stream", streams, chosen.stream, named("stream")),
      choice("ε", epsilons, chosen.bucket, named("bucket")),
      choice("Lossy counting", variants, chosen.variant, named("variant")),
      this.steps.controls, this.steps.caption, this.ribbon.element, this.rows.element, this.entries.element, this.legend(), this.why, this.pointed,
      made("details", {}, made("summary", {}, "These numbers as a table"), scrolled("Entries", this.table)),
      RecordedSteps.footer("point at an item, or choose it by the arrow keys in the picture, to read its numbers"));
  }

  legend() {
    const { counted, missed, dropped, band, water } = this.data.colours;
    return legend([
      [counted, "f: counted, the estimate"],
      [missed, "Δ: may have been missed before, the error bound (the plinth)"],
      [`repeating-linear-gradient(45deg, ${dropped} 0 3px, #ffffff 3px 5px)`, "dropped: f + Δ is at most b"],
      [water, "b = εN, the number of windows that are over (the water)"],
      ["currentColor", "the true count"],
      [`${band}55`, "the guarantee: from true − εN to true; the dot is the estimate"],
    ]);
  }

  // ---- What is chosen.

  // Another stream or ε starts about where the last one stood, another variant at the same step.
  choose(change) {
    const { data, chosen } = this, part = this.steps.at / this.steps.length;
    Object.assign(chosen, change);
    this.stream = data.streams[chosen.stream];
    this.size = Number(chosen.bucket);
    this.windows = data.summaries[`${chosen.stream}, ${chosen.bucket}, ${chosen.variant}`];
    const length = MOMENTS.length * this.windows.length + 1;
    const near = MOMENTS.length * Math.round(part * this.windows.length);
    this.steps.load(length, "variant" in change ? this.steps.at : near);
  }

  seek(event) {
    const place = this.ribbon.element.getBoundingClientRect(), part = (event.clientX - place.left) / place.width;
    this.steps.to(MOMENTS.length * Math.min(this.windows.length - 1, Math.floor(part * this.windows.length)));
  }

  walk(event) {
    const { item } = this, last = this.data.letters.length - 1;
    const to = { ArrowLeft: Math.max(0, item - 1), ArrowRight: Math.min(last, item + 1), Escape: -1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.point(to);
  }

  point(item) {
    if (item === this.item) return;
    this.item = item;
    this.steps.go(this.steps.at);
  }

  // ---- What is shown.

  state(at) {
    const { windows } = this, ended = at === MOMENTS.length * windows.length;
    const window = ended ? windows.length - 1 : Math.floor(at / MOMENTS.length), moment = ended ? END : MOMENTS[at % MOMENTS.length];
    const row = windows[window], none = row.true.map(() => 0), empty = { held: none, missed_now: none, true: none };
    const from = moment.before ? windows[window - 1] ?? empty : row;
    return {
      row, window, moment, f: from[moment.f], missed: from[moment.missed], true: from.true,
      water: moment.over ? row.bound : row.bound - 1,
      bound: moment.before ? row.bound - 1 : row.bound,  // εN, with N without the window or with it
      gone: moment.name === "compress" ? row.dropped : [],
    };
  }

  show(at) {
    const state = this.state(at), { window, row, moment } = state, from = window * this.size;
    this.ribbon.draw(this.stream, this.size, window, moment === END);
    this.rows.draw(this.stream.slice(from, from + this.size), row, moment.rows);
    this.entries.draw(state, this.most(window), this.item);
    this.why.textContent = this.reason(state);
    this.pointed.textContent = this.item < 0 ? "" : this.told(state, this.item);
    this.fillTable(state);
    return this.captionOf(state);
  }

  // The highest number up to a window.
  most(window) {
    const tops = ({ merged, missed, missed_now: now }) => merged.map((count, i) => count + Math.max(missed[i], now[i]));
    return Math.max(...this.windows.slice(0, window + 1).flatMap((row) => [row.bound, ...row.true, ...tops(row)]));
  }

  captionOf({ moment, window, row }) {
    const texts = {
      arrive: `its ${this.size} items arrive`,
      sort: "sort: equal items stand side by side, and their runs are counted",
      merge: "merge: the counts are added to the entries",
      compress: `compress: the window is over, the water rises to ${row.bound}`,
    };
    return moment === END ? `the end: all ${this.windows.length} windows are counted` : `window ${window + 1} of ${this.windows.length} · ${texts[moment.name]}`;
  }

  reason({ moment, row, f }) {
    const printed = this.chosen.variant === "as printed";
    if (moment.name === "merge") return this.whyNew(row);
    if (moment.name === "compress") return this.whyDropped(row, printed);
    const held = counted(f.filter((count) => count).length, "entry", "entries");
    if (moment !== END) return `Held so far: ${held}.`;
    const never = printed ? " As printed, every plinth rises with the water, so that an entry never drowns." : "";
    return `${held} for ${this.data.letters.length} letters. No estimate is too high, and none is too low by more than εN = ${row.bound}.${never}`;
  }

  whyNew({ counts, merged, bound }) {
    const come = this.data.letters.filter((_, i) => counts[i] && counts[i] === merged[i]);
    if (!come.length) return "No new entry: all of these items are held.";
    return `New entries: ${come.join(", ")}. Each may have come before and been dropped, at most ${counted(bound - 1, "time", "times")}: Δ = ${bound - 1}.`;
  }

  whyDropped({ dropped, merged, missed, bound }, printed) {
    if (!dropped.length) return `Nothing is dropped: every f + Δ is more than ${bound}.`;
    const sums = dropped.map((i) => `${this.data.letters[i]} (${merged[i]} + ${missed[i]})`);
    return `Dropped, as f + Δ is at most ${bound}: ${sums.join(", ")}.${printed ? " As printed: all items that were counted once." : ""}`;
  }

  told({ f, missed, true: truth, bound, gone, water }, i) {
    const now = `truly ${truth[i]}, so the estimate may be ${Math.max(0, truth[i] - bound)} to ${truth[i]}`;
    if (!f[i]) return `${this.data.letters[i]}: no entry, so the estimate is 0; ${now}.`;
    const fate = gone.includes(i) ? `; ${f[i]} + ${missed[i]} is at most ${water}: dropped` : "";
    return `${this.data.letters[i]}: f = ${f[i]}, Δ = ${missed[i]}; ${now}${fate}.`;
  }

  fillTable({ f, missed, true: truth, bound, gone }) {
    const fate = (i) => (gone.includes(i) ? "dropped now" : f[i] ? "held" : "not held");
    const rows = this.data.letters.map((letter, i) => [letter, f[i], ...(f[i] ? [missed[i], f[i] + missed[i]] : ["", ""]), truth[i], Math.max(0, truth[i] - bound), fate(i)]);
    tabulate(this.table, ["item", "f", "Δ", "f + Δ", "true", "at least", "entry"], rows.filter(([, count, , , real]) => count || real));
  }
}

const streamPiece = new StreamPiece(document.querySelector("main"), dataOf("stream"));
