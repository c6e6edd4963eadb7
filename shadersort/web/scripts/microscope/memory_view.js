// The arrays of a kernel as cells. Eight cells are a sector; 32, a row of a wide page, are in different banks.

const MOST_CELLS = 256;  // of an array, at a time

class MemoryView {
  constructor() {
    this.element = html("div", { class: "memory" });
  }

  // Begins with a run, { steps, instructions, result }, of a kernel with the data of a case.
  load({ shared }, { keys, result, expected }, run, inAnyOrder) {
    this.first = { keys, result, ...Object.fromEntries(shared.map(({ name: { name }, length }) => [name, Array(length).fill(null)])) };
    Object.assign(this, { run, shared: shared.map(({ name: { name } }) => name), parts: {}, at: Infinity });
    for (const [name, values] of Object.entries({ keys, result, ...(expected && { expected }), ...this.first })) this.parts[name] = this.part(name, values.length);
    this.expected = expected && { values: expected, wrong: (place) => !inAnyOrder && run.result[place] !== expected[place] };
    this.element.replaceChildren(...Object.values(this.parts).map(({ element }) => element));
  }

  // The cells of an array, in groups with the number of the first place.
  part(name, length) {
    const cells = Array.from({ length: Math.min(length, MOST_CELLS) }, () => html("span")), title = html("p", { class: "kind" }), groups = [];
    for (let i = 0; i < cells.length; i += SECTOR) groups.push(html("span", {}, html("b", {}), ...cells.slice(i, i + SECTOR)));
    const space = this.shared.includes(name) ? "shared memory of the block" : name === "expected" ? "what result should hold in the end" : "global memory";
    return { name, length, cells, groups, title, about: `${name}, ${space}: ${countText(length, "place")}`, from: 0, element: html("div", {}, title, html("div", { class: "cells", role: "img", "aria-label": name }, ...groups)) };
  }

  // Shows the memory after an instruction, with the places that it used.
  show(at) {
    const { accesses } = this.run.instructions[at], values = this.replay(at);
    for (const part of Object.values(this.parts)) {
      const used = accesses.filter(({ array }) => array === part.name), expected = part.name === "expected" ? this.expected : null;
      const [place = part.from] = (expected ? accesses.filter(({ array }) => array === "result") : used).flatMap(({ places }) => places);
      part.from = MOST_CELLS * Math.floor(clamp(place, 0, part.length - 1) / MOST_CELLS);
      this.fill(part, expected?.values ?? values[part.name], used, expected?.wrong ?? (() => false));
    }
  }

  fill({ cells, groups, title, about, length, from }, values, used, wrong) {
    const ways = new Map();
    for (const { way, places } of used) for (const place of places) ways.set(place, `${ways.get(place) ?? ""} ${way}`);
    title.textContent = length > MOST_CELLS ? `${about} (${from} to ${Math.min(from + MOST_CELLS, length) - 1} are shown)` : about;
    groups.forEach((group, i) => {
      group.firstChild.textContent = from + i * SECTOR;
      group.hidden = from + i * SECTOR >= length;
    });
    cells.forEach((cell, i) => {
      const value = values[from + i];
      cell.className = `${ways.get(from + i) ?? ""}${wrong(from + i) ? " wrong" : ""}`;
      cell.textContent = cell.title = value === undefined ? "" : value === null ? "?" : valueText(value);
    });
  }

  // All values after an instruction: its writes, and those of all before it. Blocks begin with new shared memory.
  replay(at) {
    const { run: { instructions, steps } } = this;
    if (at < this.at) Object.assign(this, { at: -1, block: null, values: structuredClone(this.first) });
    while (this.at < at) {
      const { block, steps: numbers } = instructions[++this.at];
      if (block !== this.block) for (const name of this.shared) this.values[name].fill(null);
      this.block = block;
      for (const number of numbers) for (const { array, space, way, place, value } of steps[number].accesses) {
        if (way !== "read" && ["global", "shared"].includes(space) && place in this.values[array]) this.values[array][place] = value;
      }
    }
    return this.values;
  }
}
