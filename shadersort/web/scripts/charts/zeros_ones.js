// Whether comparators sort: by the 0-1 principle, a network that sorts all inputs of zeros and ones
// sorts everything. All 2^n inputs go through the network at once: a wire is a row of bits, one for
// each input, and of two bits the smaller is their AND, the larger their OR.

"use strict";

class BadNetwork extends Error {}

// The zeros and ones of an input, which is written in binary from wire 0 on.
const bitsOf = (input, wires) => Array.from({ length: wires }, (_, wire) => (input >> (wires - 1 - wire)) & 1);

// The numbers of the inputs that some comparators, [low, high] in their order, leave unsorted.
function unsortedInputs(comparators, wires) {
  const rows = Array.from({ length: wires }, () => new Uint32Array(Math.max(1, 2 ** wires / 32))), failed = [];
  for (let input = 0; input < 2 ** wires; input++) bitsOf(input, wires).forEach((bit, wire) => { rows[wire][input >> 5] |= bit << (input & 31); });
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

// The keys on the wires before the first comparator, and after each.
function journey(keys, comparators) {
  const states = [keys];
  for (const [low, high] of comparators) {
    const before = states.at(-1);
    states.push(before.with(low, Math.min(before[low], before[high])).with(high, Math.max(before[low], before[high])));
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

// ---- Networks as text: "0-1 2-3 0-2", comparators in their order.

const networkText = (comparators) => comparators.map((pair) => pair.join("-")).join(" ");

// The comparators of a text, words between spaces, commas or semicolons.
function parseNetwork(text, wires) {
  return text.split(/[\s,;]+/).filter(Boolean).map((word) => {
    const fail = (why) => { throw new BadNetwork(`“${word}” ${why}`); };
    const found = /^\(?(\d+)[-–−:](\d+)\)?$/.exec(word) ?? fail("is not a comparator. Write the two wires that it joins, as in 0-1.");
    const [low, high] = found.slice(1).map(Number), strange = [low, high].find((wire) => wire >= wires);
    if (strange !== undefined) fail(`names wire ${strange}, but there are ${wires} wires: 0 to ${wires - 1}.`);
    if (low === high) fail(`joins wire ${low} to itself. A comparator joins two different wires.`);
    if (low > high) fail(`names the higher wire first. Write ${high}-${low}: the smaller key always goes to the wire with the smaller number.`);
    return [low, high];
  });
}
