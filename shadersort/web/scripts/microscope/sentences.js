// What is said of a step, of its lanes, and of what each line costs.

const valueText = (value) => (Number.isInteger(value) || typeof value === "boolean" ? String(value) : keyText(value, "float32"));

// What an instruction of a warp, or a step of a thread, does: its line, its lanes, and what each access costs.
function instructionSentence({ line, block, warp, lanes, of, barrier, accesses }, alone) {
  const who = alone ? `thread ${lanes[0]} of block ${block}` : `block ${block}, warp ${warp}: ${lanes.length} of ${of} lanes`;
  return [`line ${line}`, who, ...(barrier ? ["wait for all threads of the block"] : []), ...accesses.map(accessSentence)].join(" · ");
}

function accessSentence({ array, way, places, sectors, least, ways }) {
  const verb = { read: "read", write: "write", atomic: "change by atomics" }[way];
  if (sectors) return `${verb} ${countText(places.length, "place")} of ${array}: ${countText(sectors, "sector")}${least < sectors ? `, where ${least} could hold them` : ""}`;
  return `${verb} ${array}: ${ways > 1 ? `${ways} different words of one bank, one after the other` : "no bank conflict"}`;
}

// Rows of a table: what each lane of a warp reads and writes. `single` are arrays of one place, without a place.
function laneRows({ warp, of, steps: numbers }, steps, single) {
  const done = Map.groupBy(numbers.map((number) => steps[number]), ({ thread }) => thread);
  const text = ({ array, space, way, place, value }) => `${array}${space === "variable" || single.has(array) ? "" : `[${place}]`} = ${valueText(value)}${way === "atomic" ? " (atomic)" : ""}`;
  return Array.from({ length: of }, (_, lane) => {
    const thread = warp * LANES + lane, all = done.get(thread)?.flatMap(({ accesses }) => accesses);
    const list = (reads) => all?.filter(({ way }) => (way === "read") === reads).map(text).join(", ") ?? "–";
    return [`thread ${thread}`, list(true), list(false)];
  });
}

const COST_HEAD = ["line", "run by warps", "lanes at work", "sectors (at least)", "bank turns (at least)"];

// Rows of a table: what each line costs, and all.
function costRows(instructions) {
  const lines = [...costsByLine(instructions)].sort(([a], [b]) => a - b), all = lines.reduce((sum, [, costs]) => {
    Object.entries(costs).forEach(([name, count]) => { sum[name] = (sum[name] ?? 0) + count; });
    return sum;
  }, {});
  return [...lines, ["all", all]].map(([line, { instructions: count, lanes, of, sectors, least, ways, shared }]) =>
    [line, numberText(count), `${Math.round((100 * lanes) / of)} %`, sectors ? `${numberText(sectors)} (${numberText(least)})` : "", ways ? `${numberText(ways)} (${numberText(shared)})` : ""]);
}

// A fault of a trace in words, with who else used the place.
function faultSentence(fault, words) {
  const { kind, other } = fault, who = other === undefined ? "" : other === SEVERAL ? ` Several other ${kind}s use it, too.` : ` The other one is ${kind} ${other}.`;
  return `${describeFault(fault, words).replace(/^line \d+, /, "")}.${who}`;
}
