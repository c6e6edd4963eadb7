// A network to build, and at once the inputs of zeros and ones that it leaves unsorted.

const SHOWN = 8;  // unsorted inputs to choose from, of 8 wires or fewer
const KEYS = [["arrow keys", "move"], ["Enter", "picks a wire, and then the wire to join it with"], ["Delete", "removes a comparator"], ["Escape", "lets go"]];
const TASK = "Click a wire, and then another one: a comparator joins them, at the step where you clicked first, and puts the smaller key on the upper wire. Click a comparator to remove it. Can you sort every input? With how few comparators, in how few steps?";
const HOW_TO_SEE = "Choose one to see it on the wires: thick wires carry a one, thin wires a zero, and rings mark what comes out wrong.";

class NetworkPiece {
  constructor(root, { wires, comparators, networks }) {
    Object.assign(this, { root, networks, wires, comparators, history: [], chosen: null });
    this.diagram = new Diagram({
      add: (low, high, column) => this.add(low, high, column),
      remove: (index) => this.change(this.byColumn().toSpliced(index, 1)),
      say: (text) => { this.said.textContent = text; },
    });
    this.build();
    this.check();
  }

  build() {
    const { networks } = this, loads = Object.keys(networks[2]).map((name) => button(name, () => this.change(networks[this.wires][name].flat())));
    this.size = menu(sameNames(Object.keys(networks)), (wires) => {
      this.chosen = null;
      this.change(this.comparators.filter(([, high]) => high < wires), Number(wires));
    });
    this.undo = button("Undo", () => this.set(this.history.pop()));
    this.verdict = html("p", { class: "verdict", role: "status" });
    this.said = html("p", { class: "said", "aria-live": "polite" });
    this.failing = html("ul", { class: "failing", "aria-label": "Unsorted inputs, from wire 0 on" });
    this.more = html("p", { class: "said" });
    this.root.replaceChildren(
      html("h1", {}, document.title), html("p", {}, TASK),
      html("div", { class: "controls" }, label("Wires", this.size), this.undo, button("Clear", () => this.change([])),
        html("span", { class: "controls", role: "group", "aria-label": "Load a network" }, "Load ", ...loads)),
      this.diagram.element, this.said, this.verdict, this.failing, this.more,
      html("footer", {}, ...KEYS.flatMap(([key, does], i) => [i ? " · " : "In the network: ", html("kbd", {}, key), ` ${does}`])));
  }

  // The comparators in the order of their columns: the same network.
  byColumn() {
    const columns = columnsOf(this.comparators, this.wires);
    return this.comparators.map((pair, i) => [columns[i], pair]).sort(([a], [b]) => a - b).map(([, pair]) => pair);
  }

  // A comparator goes before those of a column, or to the end.
  add(low, high, column) {
    const ordered = this.byColumn(), place = columnsOf(ordered, this.wires).filter((each) => each < column).length;
    this.change(ordered.toSpliced(place, 0, [low, high]));
  }

  change(comparators, wires = this.wires) {
    this.history.push({ wires: this.wires, comparators: this.comparators });
    this.set({ comparators, wires });
  }

  set({ comparators, wires }) {
    Object.assign(this, { comparators, wires });
    this.diagram.forget();
    this.check();
  }

  check() {
    const { comparators, wires } = this, unsorted = this.unsorted = unsortedInputs(comparators, wires), all = numberText(2 ** wires);
    if (!unsorted.includes(this.chosen)) this.chosen = unsorted[0] ?? null;
    this.size.value = wires;
    this.undo.disabled = !this.history.length;
    const steps = Math.max(0, ...columnsOf(comparators, wires).map((each) => each + 1));
    this.verdict.textContent = `${countText(comparators.length, "comparator")} in ${countText(steps, "step")}. ${unsorted.length
      ? `${numberText(unsorted.length)} of ${all} inputs of zeros and ones come out unsorted.`
      : `It sorts everything: all ${all} inputs of zeros and ones come out in order, and by the 0-1 principle so does every other input.`}`;
    this.verdict.classList.toggle("good", !unsorted.length);
    this.show();
  }

  show() {
    const { wires } = this, ordered = this.byColumn(), shown = wires > 8 ? SHOWN / 2 : SHOWN, rest = this.unsorted.length - shown;
    this.diagram.show(ordered, columnsOf(ordered, wires), wires, this.chosen === null ? null : bitsOf(this.chosen, wires));
    this.failing.replaceChildren(...this.unsorted.slice(0, shown).map((input) => this.row(input)));
    this.failing.hidden = this.more.hidden = !this.unsorted.length;
    this.more.textContent = `${rest > 0 ? `And ${numberText(rest)} more. ` : ""}${HOW_TO_SEE}`;
  }

  row(input) {
    const keys = bitsOf(input, this.wires), out = journey(keys, this.comparators).at(-1);
    const choose = () => {
      this.chosen = input;
      this.show();
      this.failing.querySelector("[aria-pressed=true]").focus();
    };
    return html("li", {}, button(`${keys.join("")} comes out as ${out.join("")}`, choose, { "aria-pressed": String(input === this.chosen) }));
  }
}
