// Whether comparators sort: by the 0-1 principle, a network that sorts all inputs of zeros and ones
// sorts everything. An input is a number, written in binary from wire 0 on.

const bitsOf = (input, wires) => Array.from({ length: wires }, (_, wire) => (input >> (wires - 1 - wire)) & 1);

// The inputs that some comparators, [low, high] in their order, leave unsorted.
function unsortedInputs(comparators, wires) {
  const bits = comparators.map((pair) => pair.map((wire) => 1 << (wires - 1 - wire))), failed = [];
  for (let input = 0; input < 2 ** wires; input++) {
    let keys = input;
    for (const [low, high] of bits) if (keys & low && !(keys & high)) keys ^= low | high;  // a one above a zero: they change places
    if (keys & (keys + 1)) failed.push(input);  // sorted keys are zeros, and then ones
  }
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
