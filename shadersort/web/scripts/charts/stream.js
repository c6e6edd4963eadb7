// A stream flows window by window into lossy counting. Python recorded every state.

// What is shown at each moment of a window: entries from before the window or from its own row, by
// the names of the row; whether the window is over; and how many rows of the window are seen.
const MOMENTS = [
  { name: "arrive", before: true, f: "held", missed: "missed_now", rows: 1 },
  { name: "sort", before: true, f: "held", missed: "missed_now", rows: 3 },
  { name: "merge", f: "merged", missed: "missed", rows: 3 },
  { name: "compress", f: "merged", missed: "missed_now", over: true, rows: 3 },
];
const ENDED = { name: "end", f: "held", missed: "missed_now", over: true, rows: 0 };
const PRINTED = "as printed";
const VARIANTS = { improved: "of Manku and Motwani 2002", [PRINTED]: "as printed in 2005" };

class StreamPiece {
  constructor(root, data) {
    const colours = data.palette.map(rgb), places = data.letters.map((_, item) => item / (data.letters.length - 1));
    data.shades = places.map((place) => `rgb(${colourAt(colours, place)})`);
    data.inks = places.map((place) => inkAt(place));
    Object.assign(this, { root, data });
    this.chosen = { stream: Object.keys(data.streams)[0], bucket: String(data.buckets[0]), variant: "improved" };
    this.player = new Player((at) => this.show(at));
    this.ribbon = new Chart(40);
    this.rows = new WindowRows(data);
    this.entries = new Entries(data);
    this.build();
    this.choose({});
    this.player.go(Math.max(0, MOMENTS.length * data.window - 1));
    new ResizeObserver(() => this.player.go()).observe(this.ribbon.element);
  }

  build() {
    const { data, chosen, player } = this, { counted, missed, dropped, band, water } = data.colours;
    const choose = (title, name, options) => choice(title, options, chosen[name], (value) => this.choose({ [name]: value })).element;
    this.why = html("p", { role: "status" });
    this.table = html("table");
    const names = legend([
      [counted, "f: counted, the estimate"],
      [missed, "Δ: may have been missed before, the error bound (the plinth)"],
      [`repeating-linear-gradient(45deg, ${dropped} 0 3px, #ffffff 3px 5px)`, "dropped: f + Δ is at most b"],
      [water, "b = εN, the number of windows that are over (the water)"],
      ["currentColor", "the true count"],
      [`${band}55`, "the guarantee: from true − εN to true; the dot is the estimate"],
    ]);
    this.root.replaceChildren(html("h1", {}, document.title),
      choose("Stream", "stream", sameNames(Object.keys(data.streams))),
      choose("ε", "bucket", Object.fromEntries(data.buckets.map((bucket) => [bucket, `1/${bucket}`]))),
      choose("Lossy counting", "variant", VARIANTS),
      player.controls, player.caption, this.ribbon.element, this.rows.element, this.entries.element, names, this.why,
      html("details", {}, html("summary", {}, "These numbers as a table"), scrollBox("Entries", this.table)),
      player.footer());
  }

  // Another stream or ε starts about where the last one stood, another variant at the same step.
  choose(change) {
    const { data, chosen, player } = this, part = player.length ? player.at / player.length : 0;
    const { stream, bucket, variant } = Object.assign(chosen, change);
    Object.assign(this, { stream: data.streams[stream], size: Number(bucket), windows: data.summaries[`${stream}, ${bucket}, ${variant}`] });
    const near = MOMENTS.length * Math.round(part * this.windows.length);
    player.load(MOMENTS.length * this.windows.length + 1, "variant" in change ? player.at : near);
  }

  state(at) {
    const { windows } = this, ended = at === MOMENTS.length * windows.length, moment = ended ? ENDED : MOMENTS[at % MOMENTS.length];
    const window = ended ? windows.length - 1 : Math.floor(at / MOMENTS.length), row = windows[window], none = row.true.map(() => 0);
    const from = moment.before ? windows[window - 1] ?? { held: none, missed_now: none, true: none } : row;
    return {
      row, window, moment, f: from[moment.f], missed: from[moment.missed], true: from.true,
      water: moment.over ? row.bound : row.bound - 1,
      bound: moment.before ? row.bound - 1 : row.bound,  // εN, with N without the window or with it
      gone: moment.name === "compress" ? row.dropped : [],
    };
  }

  show(at) {
    const state = this.state(at), { window, row, moment } = state, { size, stream } = this, from = window * size;
    drawRibbon(this.ribbon, this.data.shades, stream, size, window, moment === ENDED);
    this.rows.draw(stream.slice(from, from + size), row.counts, moment.rows);
    const tops = ({ bound, true: truth, merged, missed, missed_now: now }) => [bound, ...truth, ...merged.map((count, i) => count + Math.max(missed[i], now[i]))];
    this.entries.draw(state, Math.max(...this.windows.slice(0, window + 1).flatMap(tops)));
    this.why.textContent = this.reason(state);
    this.showTable(state);
    const captions = {
      arrive: `its ${size} items arrive`,
      sort: "sort: equal items stand side by side, and their runs are counted",
      merge: "merge: the counts are added to the entries",
      compress: `compress: the window is over, the water rises to ${row.bound}`,
    };
    return moment === ENDED ? `the end: all ${this.windows.length} windows are counted` : `window ${window + 1} of ${this.windows.length} · ${captions[moment.name]}`;
  }

  reason({ moment, row: { counts, merged, missed, dropped, bound }, f }) {
    const { letters } = this.data, printed = this.chosen.variant === PRINTED, held = countText(f.filter((count) => count).length, "entry", "entries");
    if (moment.name === "merge") {
      const come = letters.filter((_, i) => counts[i] && counts[i] === merged[i]);
      if (!come.length) return "No new entry: all of these items are held.";
      return `New entries: ${come.join(", ")}. Each may have come before and been dropped, at most ${countText(bound - 1, "time")}: Δ = ${bound - 1}.`;
    }
    if (moment.name === "compress") {
      if (!dropped.length) return `Nothing is dropped: every f + Δ is more than ${bound}.`;
      const sums = dropped.map((i) => `${letters[i]} (${merged[i]} + ${missed[i]})`).join(", ");
      return `Dropped, as f + Δ is at most ${bound}: ${sums}.${printed ? " As printed: all items that were counted once." : ""}`;
    }
    if (moment !== ENDED) return `Held so far: ${held}.`;
    const never = printed ? " As printed, every plinth rises with the water, so that an entry never drowns." : "";
    return `${held} for ${letters.length} letters. No estimate is too high, and none is too low by more than εN = ${bound}.${never}`;
  }

  showTable({ f, missed, true: truth, bound, gone }) {
    const fate = (i) => (gone.includes(i) ? "dropped now" : f[i] ? "held" : "not held");
    const rows = this.data.letters.map((letter, i) => [letter, f[i], ...(f[i] ? [missed[i], f[i] + missed[i]] : ["", ""]), truth[i], Math.max(0, truth[i] - bound), fate(i)]);
    fillTable(this.table, ["item", "f", "Δ", "f + Δ", "true", "at least", "entry"], rows.filter(([, count, , , real]) => count || real));
  }
}
