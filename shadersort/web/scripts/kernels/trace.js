// What a kernel does, step by step, and what this costs on a GPU.
//
// A step is one operation of one thread: { line, thread, block, path, barrier, accesses }. An access is
// { array, space, way, place, value, site }: space is "global", "shared", "local" or "variable"; way is "read",
// "write" or "atomic", whose value is the new one; site tells the accesses of a step apart.
//
// A path has the turns of the loops around a step and its place in the kernel. Kernels have no functions
// and no jumps into loops, so lanes of a warp that come to one path execute one instruction together.
// Paths in order are the order of the program.

const LANES = 32;  // threads of a warp
const SECTOR = 8;  // numbers of 4 bytes in the 32 bytes that global memory moves at once; arrays begin with one
const BANKS = 32;  // of shared memory, each with words of 4 bytes

class KernelTrace {
  constructor(most) {
    Object.assign(this, { most, steps: [] });
  }

  begin(thread, { line, barrier }) {
    if (this.steps.length === this.most) throw new Stop("cut");
    const { number, machine: { block, kernel: { ops } } } = thread;
    this.steps.push({ line, thread: number, block, path: thread.path(ops), barrier, accesses: [] });
  }

  lastStep({ thread, block }) {
    return this.steps.findLastIndex((each) => each.thread === thread && each.block === block);
  }

  access({ name: array, space }, way, place, value, site = 0) {
    this.steps.at(-1).accesses.push({ array, space, way: WAYS[way], place, value, site });
  }
}

// Runs a kernel once, in one order of its threads. Returns { steps, faults, result, complete }: a fault has the
// number of its step; `complete` says whether there were at most `most` steps, and all are there.
function traceKernel(kernel, launch, order = 0, most = 100_000) {
  const trace = new KernelTrace(most), faults = new Map(), machine = new KernelMachine(kernel, launch, faults, trace);
  machine.run(order);
  return { steps: trace.steps, faults: [...faults.values()], result: machine.result.values, complete: trace.steps.length < most || !machine.stopped };
}

// The instructions of warps, block by block as they ran, each in the order of the program. One is { line, block,
// warp, path, barrier, steps, lanes, of, accesses }: the numbers of its steps, the threads that take part, and
// how many threads its warp has. An access is { array, space, way, places, … }, with what it costs.
function warpInstructions(steps, threads) {
  const found = new Map(), blocks = [...new Set(steps.map((each) => each.block))];
  steps.forEach(({ line, thread, block, path, barrier }, number) => {
    const warp = Math.floor(thread / LANES), key = `${block} ${warp} ${path}`;
    if (!found.has(key)) found.set(key, { line, block, warp, path, barrier, steps: [], lanes: [], of: Math.min(LANES, threads - warp * LANES) });
    found.get(key).steps.push(number);
    found.get(key).lanes.push(thread);
  });
  const order = (a, b) => blocks.indexOf(a.block) - blocks.indexOf(b.block) || comparePaths(a.path, b.path) || a.warp - b.warp;
  return [...found.values()].sort(order).map((each) => ({ ...each, accesses: warpAccesses(each.steps.map((number) => steps[number])) }));
}

// The same of single threads, in the order in which they ran.
function threadInstructions(steps, threads) {
  return steps.flatMap((step) => warpInstructions([step], threads)).map((each, number) => ({ ...each, steps: [number] }));
}

// The accesses of the lanes of an instruction, together.
function warpAccesses(steps) {
  const sites = Map.groupBy(steps.flatMap((step) => step.accesses.filter(({ space }) => ["global", "shared"].includes(space))), ({ site }) => site);
  return [...sites].sort(([a], [b]) => a - b).map(([, all]) => {
    const [{ array, space, way }] = all, places = all.map(({ place }) => place);
    return { array, space, way, places, ...(space === "global" ? globalCost(places) : sharedCost(places)) };
  });
}

// What instructions cost, line by line, in a Map: how many there are, how many threads take part (`lanes`) of those
// that their warps have (`of`), and of their accesses the sectors, the ways, and how many only some lanes make.
function costsByLine(instructions) {
  return new Map([...Map.groupBy(instructions, ({ line }) => line)].map(([line, all]) => {
    const accesses = all.flatMap((each) => each.accesses.map((access) => ({ ...access, divergent: access.places.length < each.of, shared: access.ways > 0 })));
    const sum = (name, list = accesses) => list.reduce((total, each) => total + Number(each[name] ?? 0), 0), counted = ["sectors", "least", "ways", "shared", "divergent"];
    const threads = { lanes: sum("length", all.map(({ lanes }) => lanes)), of: sum("of", all) };
    return [line, { instructions: all.length, ...threads, ...Object.fromEntries(counted.map((name) => [name, sum(name)])) }];
  }));
}

// The sectors that are moved, and how few of them could hold as many different numbers.
function globalCost(places) {
  const different = new Set(places);
  return { sectors: new Set(places.map((place) => Math.floor(place / SECTOR))).size, least: Math.ceil(different.size / SECTOR) };
}

// The most different words of one bank: so many times shared memory is asked. One word is read for all at once.
function sharedCost(places) {
  const banks = Map.groupBy(new Set(places), (place) => ((place % BANKS) + BANKS) % BANKS);
  return { ways: Math.max(...[...banks.values()].map((words) => words.length)) };
}
