// A network to build, and at once the inputs of zeros and ones that it leaves unsorted.

"use strict";

const SHOWN = 8;  // unsorted inputs to choose from, of 8 wires or fewer
const KEYS = [["arrow keys", "move"], ["Enter", "picks a wire, and then the wire to join it with"], ["Delete", "removes a comparator"], ["Escape", "lets go"]];

class NetworkPiece {
  constructor(root, exported) {
    Object.assign(this, { root, exported, wires: exported.wires, comparators: exported.comparators, history: [], chosen: null });
    this.diagram = new Diagram({
      add: (low, high, column) => this.add(low, high, column),
      remove: (index) => this.change(this.ordered().toSpliced(index, 1)),
      say: (text) => { this.said.textContent = text; },
    });
    this.build();
    this.check();
  }

  // ---- The elements.

  build() {
    const button = (name, action) => made("button", { type: "button", onclick: action }, name);
    this.size = made("select", { onchange: () => this.resize(Number(this.size.value)) }, ...Object.keys(this.exported.networks).map((wires) => made("option", {}, wires)));
    this.undo = button("Undo", () => this.goBack());
    const loads = Object.keys(this.exported.networks[2]).map((name) => button(name, () => this.change(this.exported.networks[this.wires][name].flat())));
    this.verdict = made("p", { class: "verdict", role: "status" });
    this.said = made("p", { class: "said", "aria-live": "polite" });
    this.failing = made("ul", { class: "failing", "aria-label": "Unsorted inputs, from wire 0 on" });
    this.more = made("p", { class: "said" });
    this.text = made("textarea", { rows: 2, spellcheck: "false", oninput: () => this.type() });
    this.error = made("p", { class: "error", role: "alert" });
    this.copy = button("Copy", () => this.copyText());
    this.root.replaceChildren(
      made("h1", {}, document.title),
      made("p", {}, "Click a wire, and then another one: a comparator joins them, at the step where you clicked first, and puts the smaller key on the upper wire. Click a comparator to remove it. Can you sort every input? With how few comparators, in how few steps?"),
      made("div", { class: "controls" }, made("label", {}, "Wires ", this.size), this.undo, button("Clear", () => this.change([])),
        made("span", { class: "loads", role: "group", "aria-label": "Load a network" }, "Load ", ...loads)),
      this.diagram.element, this.said, this.verdict,
      this.failing, this.more,
      made("label", { class: "text" }, "The network as text: comparators in their order", this.text), this.error,
      made("div", { class: "controls" }, this.copy),
      made("footer", {}, ...KEYS.flatMap(([key, does], i) => [i ? " · " : "In the network: ", made("kbd", {}, key), ` ${does}`])));
  }

  // ---- Changes.

  // The comparators in the order of their columns: the same network.
  ordered() {
    const columns = columnsOf(this.comparators, this.wires);
    return this.comparators.map((pair, i) => [columns[i], pair]).sort(([a], [b]) => a - b).map(([, pair]) => pair);
  }

  // A comparator goes before those of a column, or to the end.
  add(low, high, column) {
    const ordered = this.ordered(), place = columnsOf(ordered, this.wires).filter((each) => each < column).length;
    this.change(ordered.toSpliced(place, 0, [low, high]));
  }

  change(comparators, { wires = this.wires, typed = false } = {}) {
    this.history.push({ wires: this.wires, comparators: this.comparators });
    this.set(comparators, wires, typed);
  }

  set(comparators, wires, typed = false) {
    Object.assign(this, { comparators, wires, typed });
    this.diagram.forget();
    this.check();
  }

  resize(wires) {
    this.chosen = null;
    this.change(this.comparators.filter(([, high]) => high < wires), { wires });
  }

  goBack() {
    const { comparators, wires } = this.history.pop();
    this.set(comparators, wires);
  }

  type() {
    clearTimeout(this.typing);
    this.typing = setTimeout(() => this.read(), 250);
  }

  read() {
    try {
      const comparators = parsedNetwork(this.text.value, this.wires);
      this.error.textContent = "";
      if (written(comparators) !== written(this.comparators)) this.change(comparators, { typed: true });
    } catch (error) {
      if (!(error instanceof BadNetwork)) throw error;
      this.error.textContent = error.message;
    }
  }

  copyText() {
    this.said.textContent = copied(this.text, "text");
  }

  // ---- What is shown.

  check() {
    const { wires } = this;
    this.unsorted = unsortedInputs(this.comparators, wires);
    if (!this.unsorted.includes(this.chosen)) this.chosen = this.unsorted[0] ?? null;
    if (!this.typed) {
      this.text.value = written(this.comparators);
      this.error.textContent = "";
    }
    this.typed = false;
    this.size.value = wires;
    this.undo.disabled = !this.history.length;
    this.say();
    this.show();
  }

  show() {
    const { wires } = this, ordered = this.ordered();
    this.diagram.show(ordered, columnsOf(ordered, wires), wires, this.chosen === null ? null : bitsOf(this.chosen, wires));
    const shown = wires > 8 ? SHOWN / 2 : SHOWN, rest = this.unsorted.length - shown;
    this.failing.replaceChildren(...this.unsorted.slice(0, shown).map((input) => this.row(input)));
    this.failing.hidden = this.more.hidden = !this.unsorted.length;
    this.more.textContent = `${rest > 0 ? `And ${rest.toLocaleString("en")} more. ` : ""}Choose one to see it on the wires: thick wires carry a one, thin wires a zero, and rings mark what comes out wrong.`;
  }

  row(input) {
    const keys = bitsOf(input, this.wires), out = journey(keys, this.comparators).at(-1);
    const choose = () => {
      this.chosen = input;
      this.show();
      this.failing.querySelector("[aria-pressed=true]").focus();
    };
    const text = `${keys.join("")} comes out as ${out.join("")}`;
    return made("li", {}, made("button", { type: "button", "aria-pressed": String(input === this.chosen), onclick: choose }, text));
  }

  say() {
    const { comparators, wires, unsorted } = this, all = 2 ** wires, steps = Math.max(0, ...columnsOf(comparators, wires).map((each) => each + 1));
    const count = (number, what) => `${number.toLocaleString("en")} ${what}${number === 1 ? "" : "s"}`;
    const size = `${count(comparators.length, "comparator")} in ${count(steps, "step")}. `;
    const result = unsorted.length ? `${unsorted.length.toLocaleString("en")} of ${all.toLocaleString("en")} inputs of zeros and ones come out unsorted.`
      : `It sorts everything: all ${all.toLocaleString("en")} inputs of zeros and ones come out in order, and by the 0-1 principle so does every other input.`;
    this.verdict.textContent = size + result;
    this.verdict.classList.toggle("sorts", !unsorted.length);
  }
}

const networkPiece = new NetworkPiece(document.querySelector("main"), dataOf("piece"));
