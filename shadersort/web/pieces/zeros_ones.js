// Whether comparators sort: by the 0-1 principle, a network that sorts all inputs of zeros and ones
// sorts everything. All 2^n inputs go through the network at once: a wire is a row of bits, one for
// each input, and of two bits the smaller is their AND, the larger their OR.

"use strict";

// The wires before any comparator. Input number r is written in binary from wire 0 on.
function allInputs(wires) {
  const words = Math.max(1, 2 ** wires / 32);
  return Array.from({ length: wires }, (_, wire) => {
    const bits = new Uint32Array(words), place = wires - 1 - wire;
    for (let input = 0; input < 2 ** wires; input++) if ((input >> place) & 1) bits[input >> 5] |= 1 << (input & 31);
    return bits;
  });
}

// The numbers of the inputs that some comparators, [low, high] in their order, leave unsorted.
function unsortedInputs(comparators, wires) {
  const rows = allInputs(wires), failed = [];
  for (const [low, high] of comparators) {
    const smaller = rows[low].map((bits, i) => bits & rows[high][i]);
    rows[high] = rows[high].map((bits, i) => bits | rows[low][i]);
    rows[low] = smaller;
  }
  rows[0].forEach((_, word) => {
    let wrong = 0;  // a one above a zero
    for (let wire = 1; wire < wires; wire++) wrong |= rows[wire - 1][word] & ~rows[wire][word];
    for (let bit = 0; wrong && bit < 32; bit++) if ((wrong >>> bit) & 1) failed.push(32 * word + bit);
  });
  return failed;
}

// The zeros and ones of an input, by wire.
function bitsOf(input, wires) {
  return Array.from({ length: wires }, (_, wire) => (input >> (wires - 1 - wire)) & 1);
}

// The keys on the wires before the first comparator, and after each.
function journey(keys, comparators) {
  const states = [keys];
  for (const [low, high] of comparators) {
    const before = states.at(-1), after = before.slice();
    after[low] = Math.min(before[low], before[high]);
    after[high] = Math.max(before[low], before[high]);
    states.push(after);
  }
  return states;
}

// The column of each comparator: the first in which both its wires are free. Comparators of one
// column touch different wires, so they act at once: a column is a step.
function columnsOf(comparators, wires) {
  const free = new Array(wires).fill(0);
  return comparators.map(([low, high]) => {
    const column = Math.max(free[low], free[high]);
    free[low] = free[high] = column + 1;
    return column;
  });
}
