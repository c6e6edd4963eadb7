// A stream flows window by window into lossy counting. Python recorded every state; here they are
// drawn.

"use strict";

const MOMENTS = ["arrive", "sort", "merge", "compress"];  // of each window
const CHART = { height: 330, left: 34, right: 6, top: 12, bottom: 24 };
const HEIGHTS = [12, 25, 50, 100, 200];  // that the picture reaches: it grows with the counts
const RIBBON = { height: 40, band: 26 };
const entries = (count) => (count === 1 ? "1 entry" : `${count} entries`);

class StreamPiece {
  constructor(root, data) {
    Object.assign(this, { root, data, chosen: { stream: Object.keys(data.streams)[0], bucket: String(data.buckets[0]), variant: "improved" }, item: -1 });
    this.steps = new RecordedSteps((at) => this.shown(at));
    this.build();
    this.choose({});
    new ResizeObserver(() => this.steps.go(this.steps.at)).observe(this.chart);
  }

  build() {
    const { data, chosen } = this, named = (name) => (value) => this.choose({ [name]: value });
    const same = (names) => Object.fromEntries(names.map((name) => [name, name]));
    const choices = made("div", {},
      choice("Stream", same(Object.keys(data.streams)), chosen.stream, named("stream")),
      choice("ε", Object.fromEntries(data.buckets.map((bucket) => [bucket, `1/${bucket}`])), chosen.bucket, named("bucket")),
      choice("Lossy counting", { improved: "of Manku and Motwani 2002", "as printed": "as printed in 2005" }, chosen.variant, named("variant")));
    this.ribbon = drawn("svg", { width: "100%", height: RIBBON.height, role: "img", onpointerdown: (event) => this.seek(event) });
    this.rows = made("div", {});
    this.chart = drawn("svg", { width: "100%", height: CHART.height, role: "img", tabindex: 0, style: "display: block; touch-action: manipulation" });
    this.chart.addEventListener("pointermove", (event) => this.point(this.itemAt(event)));
    this.chart.addEventListener("pointerdown", (event) => this.point(this.itemAt(event)));
    this.chart.addEventListener("keydown", (event) => this.walk(event));
    this.why = made("p", { role: "status" });
    this.pointed = made("p", { class: "pointed" });
    this.table = made("table");
    this.root.replaceChildren(made("h1", {}, document.title), choices, this.steps.controls, this.steps.caption,
      this.ribbon, this.rows, this.chart, this.legend(), this.why, this.pointed,
      made("details", {}, made("summary", {}, "These numbers as a table"), scrolled("Entries", this.table)),
      RecordedSteps.footer("point at an item, or choose it by the arrow keys in the picture, to read its numbers"));
  }

  legend() {
    const { counted, missed, dropped, band, water } = this.data.colours, striped = `repeating-linear-gradient(45deg, ${dropped} 0 3px, #ffffff 3px 5px)`;
    const entries = [[counted, "f: counted, the estimate"], [missed, "Δ: may have been missed before, the error bound (the plinth)"], [striped, "dropped: f + Δ is at most b"],
      [water, "b = εN, the number of windows that are over (the water)"], ["currentColor", "the true count"], [`${band}55`, "the guarantee: from true − εN to true; the dot is the estimate"]];
    return made("ul", { class: "legend" }, ...entries.map(([colour, name]) => made("li", {}, made("span", { class: "swatch", style: `background: ${colour}` }), name)));
  }

  // ---- What is chosen.

  choose(change) {
    const { data, chosen } = this, part = this.steps.at / this.steps.length;
    Object.assign(chosen, change);
    this.windows = data.summaries[`${chosen.stream}, ${chosen.bucket}, ${chosen.variant}`];
    this.stream = data.streams[chosen.stream];
    this.size = Number(chosen.bucket);
    const length = 4 * this.windows.length + 1;
    this.steps.load(length, "variant" in change ? this.steps.at : 4 * Math.round((part * length) / 4));
  }

  // The height of the picture, which does not shrink from step to step.
  highest({ window, water }) {
    const rows = this.windows.slice(0, window + 1), most = (name) => Math.max(...rows.flatMap((row) => row[name]));
    const tops = rows.flatMap((row) => row.merged.map((count, i) => count + Math.max(row.missed[i], row.missed_now[i])));
    return HEIGHTS.find((height) => height >= Math.max(water, most("true"), ...tops));
  }

  seek(event) {
    const box = this.ribbon.getBoundingClientRect(), part = (event.clientX - box.left) / box.width;
    this.steps.to(4 * Math.max(0, Math.min(this.windows.length - 1, Math.floor(part * this.windows.length))));
  }

  itemAt(event) {
    const box = this.chart.getBoundingClientRect(), width = box.width - CHART.left - CHART.right;
    const item = Math.floor(((event.clientX - box.left - CHART.left) / width) * this.data.letters.length);
    return item >= 0 && item < this.data.letters.length ? item : -1;
  }

  walk(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1, Escape: 0 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    this.point(by === 0 ? -1 : Math.max(0, Math.min(this.data.letters.length - 1, this.item + by)));
  }

  point(item) {
    if (item === this.item) return;
    this.item = item;
    this.steps.go(this.steps.at);
  }

  // ---- What is shown.

  // What is known at a step: counts and errors of the entries, the truth, and what goes now.
  state(at) {
    const { windows } = this, at_end = at === 4 * windows.length, window = at_end ? windows.length - 1 : at >> 2, moment = at_end ? "end" : MOMENTS[at % 4];
    const row = windows[window], before = windows[window - 1], none = row.true.map(() => 0);
    const of = (each, f, missed) => (each ? { f: each[f], missed: each[missed], true: each.true } : { f: none, missed: none, true: none });
    const shown = { arrive: () => of(before, "held", "missed_now"), sort: () => of(before, "held", "missed_now"), merge: () => of(row, "merged", "missed"),
      compress: () => ({ ...of(row, "merged", "missed"), missed: row.missed.map((missed, i) => (row.held[i] ? row.missed_now[i] : missed)) }), end: () => of(row, "held", "missed_now") }[moment]();
    const over = moment === "compress" || moment === "end";
    return { ...shown, row, window, moment, water: over ? row.bound : row.bound - 1, bound: moment === "merge" || over ? row.bound : row.bound - 1,
      gone: moment === "compress" ? row.dropped : [], tops: row.merged.map((count, i) => count + row.missed[i]) };
  }

  shown(at) {
    const state = this.state(at);
    this.drawRibbon(state);
    this.showWindow(state);
    this.drawChart(state);
    this.why.textContent = this.reason(state);
    this.pointed.textContent = this.item < 0 ? "" : this.told(state, this.item);
    this.fillTable(state);
    return this.captionOf(state);
  }

  captionOf({ moment, window, row }) {
    const what = { arrive: `its ${this.size} items arrive`, sort: "sort: equal items stand side by side, and their runs are counted", merge: "merge: the counts are added to the entries", compress: `compress: the window is over, the water rises to ${row.bound}` }[moment];
    return moment === "end" ? `the end: all ${this.windows.length} windows are counted` : `window ${window + 1} of ${this.windows.length} · ${what}`;
  }

  reason({ moment, row, f, missed, gone, tops }) {
    const { letters } = this.data, held = row.held.filter((count) => count).length, printed = this.chosen.variant === "as printed";
    if (moment === "merge") {
      const come = letters.filter((_, i) => row.counts[i] && row.counts[i] === row.merged[i]), plinth = row.bound - 1;
      return come.length ? `New entries: ${come.join(", ")}. Each may have come and been dropped before, at most ${plinth === 1 ? "once" : `${plinth} times`}: Δ = ${plinth}.` : "No new entry: all of these items are held.";
    }
    if (moment === "compress") {
      if (!gone.length) return `Nothing is dropped: every f + Δ is more than ${row.bound}.`;
      const sums = gone.map((i) => `${letters[i]} (${row.merged[i]} + ${row.missed[i]} = ${tops[i]})`);
      return `Dropped, as f + Δ is at most ${row.bound}: ${sums.join(", ")}.${printed ? " As printed: all items that were counted once." : ""}`;
    }
    if (moment === "end") return `${entries(held)} for ${letters.length} letters. No estimate is too high, and none is too low by more than εN = ${row.bound}.${printed ? " As printed, every plinth rises with the water, so that an entry never drowns." : ""}`;
    const count = f.filter((value) => value).length;
    return `Held so far: ${entries(count)}${count && !printed && missed.some((value) => value) ? "; those on a plinth were not held from the beginning" : ""}.`;
  }

  told({ f, missed, true: truth, bound, gone, water }, i) {
    const letter = this.data.letters[i], now = `truly ${truth[i]}, so the estimate may be ${Math.max(0, truth[i] - bound)} to ${truth[i]}`;
    if (!f[i]) return `${letter}: no entry, so the estimate is 0; ${now}.`;
    const fate = gone.includes(i) ? `; ${f[i]} + ${missed[i]} is at most ${water}: dropped` : "";
    return `${letter}: f = ${f[i]}, Δ = ${missed[i]}; ${now}${fate}.`;
  }

  // The whole stream; what came already is bright, and a frame is around the window.
  drawRibbon({ window, moment }) {
    const width = this.ribbon.getBoundingClientRect().width || 700, each = width / this.stream.length, { shades } = this.data, ended = moment === "end";
    const last = (window + 1) * this.size, wide = this.size * each, left = window * wide;
    const items = this.stream.map((item, i) => drawn("rect", { x: i * each, y: 7, width: each + 0.4, height: RIBBON.band, fill: shades[item], opacity: i < last || ended ? 1 : 0.3 }));
    const frame = drawn("rect", { x: Math.max(1.5, left), y: 1.5, width: Math.min(wide, width - left - 1.5), height: RIBBON.height - 3, fill: "none", stroke: "currentColor", "stroke-width": 3 });
    this.ribbon.setAttribute("aria-label", `The stream of ${this.stream.length} items; ${ended ? "all of it" : `window ${window + 1} of ${this.windows.length}`}`);
    this.ribbon.replaceChildren(...items, ...(ended ? [] : [frame]));
  }

  // The window as it came, in order, and as a histogram.
  showWindow({ row, window, moment }) {
    const { letters, shades, inks } = this.data, came = this.stream.slice(window * this.size, (window + 1) * this.size);
    const tile = (item, wide, text = letters[item]) => made("span", { style: `display: inline-block; width: ${wide}; text-align: center; background: ${shades[item]}; color: ${inks[item]}` }, text);
    const line = (name, tiles, items) => made("div", { style: "display: flex; flex-wrap: wrap; min-height: 1.5em; font-size: .9rem; line-height: 1.5; margin: .15rem 0" },
      made("span", { style: "width: 6.2em; color: var(--soft)" }, name), made("span", { role: "img", "aria-label": `${name}: ${items}`, style: "flex: 1 1 14rem" }, ...tiles));
    const plain = (name, items) => line(name, items.map((item) => tile(item, "1.35em")), items.map((item) => letters[item]).join(" "));
    const runs = row.counts.flatMap((count, item) => (count ? [[item, count]] : []));
    const lines = [plain("as it came", came), plain("sorted", row.sorted),
      line("histogram", runs.map(([item, count]) => made("span", { style: "display: inline-block; margin-right: .7em" }, tile(item, "1.35em"), ` × ${count}`)), runs.map(([item, count]) => `${letters[item]} × ${count}`).join(", "))];
    const visible = { arrive: 1, end: 0 }[moment] ?? 3;
    lines.forEach((each, i) => { each.style.visibility = i < visible ? "visible" : "hidden"; });
    this.rows.replaceChildren(...lines);
  }

  drawChart(state) {
    const { letters, colours } = this.data, { height, left, right, top, bottom } = CHART, { f, missed, true: truth, water, bound, gone } = state;
    const width = this.chart.getBoundingClientRect().width || 700, slot = (width - left - right) / letters.length, wide = slot * 0.54;
    const highest = this.highest(state), y = (count) => height - bottom - (count / highest) * (height - top - bottom);
    const bar = (x, from, to, fill, more = {}) => drawn("rect", { x, y: y(to), width: wide, height: y(from) - y(to), fill, ...more });
    const parts = [hatching(colours.dropped), ...this.axis(width, highest, y)];
    parts.push(drawn("rect", { x: left, y: y(water), width: width - left - right, height: y(0) - y(water), fill: colours.water, opacity: 0.3 }));
    letters.forEach((letter, i) => {
      const x = left + (i + 0.06) * slot, beside = x + wide + slot * 0.08, narrow = slot * 0.24, floor = Math.max(0, truth[i] - bound);
      if (i === this.item) parts.push(drawn("rect", { x: left + i * slot, y: top, width: slot, height: height - top - 2, fill: "none", stroke: "currentColor", "stroke-dasharray": "3 2" }));
      if (f[i]) parts.push(bar(x, 0, missed[i], colours.missed), bar(x, missed[i], missed[i] + f[i], gone.includes(i) ? "url(#dropped)" : colours.counted, { "data-item": letter, "data-f": f[i], "data-missed": missed[i] }));
      parts.push(drawn("rect", { x: beside, y: y(truth[i]), width: narrow, height: Math.max(0, y(floor) - y(truth[i])), fill: colours.band, opacity: 0.45 }));
      parts.push(drawn("line", { x1: x, x2: beside + narrow, y1: y(truth[i]), y2: y(truth[i]), stroke: "currentColor", "stroke-width": 2 }));
      parts.push(drawn("circle", { cx: beside + narrow / 2, cy: y(f[i]), r: Math.min(3.5, 0.2 * slot), fill: f[i] ? colours.counted : "none", stroke: "currentColor" }));
      parts.push(written(left + (i + 0.5) * slot, height - 7, letter, { "text-anchor": "middle" }));
    });
    parts.push(drawn("line", { x1: left, x2: width - right, y1: y(water), y2: y(water), stroke: colours.water, "stroke-width": 2.5 }));
    this.chart.setAttribute("aria-label", `Entries and true counts of ${letters.length} items; arrow keys choose an item`);
    this.chart.replaceChildren(...parts);
  }

  axis(width, highest, y) {
    const step = [2, 5, 10, 20, 50].find((each) => highest / each <= 7), ticks = [];
    for (let at = 0; at <= highest; at += step) ticks.push(at);
    return ticks.flatMap((at) => [drawn("line", { x1: CHART.left, x2: width - CHART.right, y1: y(at), y2: y(at), stroke: "currentColor", opacity: 0.2 }),
      written(CHART.left - 6, y(at) + 4.5, String(at), { "text-anchor": "end" })]);
  }

  fillTable({ f, missed, true: truth, bound, gone }) {
    const head = ["item", "f", "Δ", "f + Δ", "true", "true − εN", "dropped"];
    const rows = this.data.letters.flatMap((letter, i) => (f[i] || truth[i] ? [[letter, f[i], missed[i], f[i] + missed[i], truth[i], truth[i] - bound, gone.includes(i) ? "now" : f[i] ? "" : "not held"]] : []));
    this.table.replaceChildren(rowOf(head, "th"), ...rows.map((cells) => rowOf(cells)));
  }
}

// Stripes, so that what is dropped is told from what is kept without its colour.
function hatching(colour) {
  return drawn("defs", {}, drawn("pattern", { id: "dropped", width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
    drawn("rect", { width: 6, height: 6, fill: "#ffffff" }), drawn("rect", { width: 4, height: 6, fill: colour })));
}

const streamPiece = new StreamPiece(document.querySelector("main"), dataOf("stream"));
