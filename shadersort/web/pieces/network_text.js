// Networks as text, to be copied and pasted: "0-1 2-3 0-2", comparators in their order.

"use strict";

class BadNetwork extends Error {}

const written = (comparators) => comparators.map((pair) => pair.join("-")).join(" ");

// The comparators of a text, words between spaces, commas or semicolons.
function parsedNetwork(text, wires) {
  return text.split(/[\s,;]+/).filter(Boolean).map((word) => comparatorOf(word, wires));
}

function comparatorOf(word, wires) {
  const found = /^\(?(\d+)[-–−:](\d+)\)?$/.exec(word);
  if (!found) throw new BadNetwork(`“${word}” is not a comparator. Write the two wires that it joins, as in 0-1.`);
  const [low, high] = found.slice(1).map(Number), strange = [low, high].find((wire) => wire >= wires);
  if (strange !== undefined) throw new BadNetwork(`“${word}” names wire ${strange}, but there are ${wires} wires: 0 to ${wires - 1}.`);
  if (low === high) throw new BadNetwork(`“${word}” joins wire ${low} to itself. A comparator joins two different wires.`);
  if (low > high) throw new BadNetwork(`“${word}” names the higher wire first. Write ${high}-${low}: the smaller key always goes to the wire with the smaller number.`);
  return [low, high];
}
