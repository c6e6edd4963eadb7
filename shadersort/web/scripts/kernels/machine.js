// Runs a kernel in four orders of its threads, and sees what it does wrong. Each thread runs to its next
// barrier before the next thread begins. In a fifth order, which is only shown, all threads of a block run
// together, as the lanes of a warp do. The twin of this script and of `memory.js` is
// `shadersort/lessons/exercises/kernels/simulator.py`, whose faults have the same fields.

const ORDERS = 4;  // as the threads are numbered, backwards, with neighbours apart, and this backwards
const TOGETHER = 4;  // the fifth order
const MOST_TURNS_OF_ALL = 1_000_000;

// A thread: `values` of its names, `at` which operation it is, and the `turns` of the loops around.
class KernelThread {
  constructor(machine, number, values) {
    Object.assign(this, { machine, number, values, at: 0, turns: [], allTurns: 0, op: null });
  }

  get(slot, name) {
    const value = this.values[slot];
    if (value === undefined) throw new Stop("unwritten", name);
    return value;
  }

  set(slot, name, value) {
    this.machine.trace?.access({ name, space: "variable" }, WRITE, 0, value);
    return (this.values[slot] = value);
  }

  // The turns of the loops around the next operation, and its place. Paths in order are in the order of the program.
  path(ops) {
    return [...(ops[this.at]?.loops ?? []).flatMap((head, depth) => [head, this.turns[depth]]), this.at];
  }

  local(name, length) {
    return new KernelArray(this.machine, name, "local", Array(length).fill(null));
  }

  // Runs one operation; returns whether the thread goes on: it waits at a barrier, or has ended.
  advance(ops) {
    const op = (this.op = ops[this.at] ?? null);
    if (!op) return false;
    if (op.shown) this.machine.trace?.begin(this, op);
    this.at = op.run(this) ?? this.at + 1;
    return !op.barrier;
  }
}

// Runs a kernel in one order. A launch is { keys, result, blocks, numbers }; faults are in a Map, the first
// one of each kind and array; a trace, if any, is told of each step.
class KernelMachine {
  constructor(kernel, launch, faults, trace = null) {
    Object.assign(this, { kernel, launch, faults, trace, thread: 0, block: 0, turns: 0, allTurns: 0, running: null });
    this.stopped = false;  // whether a fault left nothing to run
    this.keys = new KernelArray(this, "keys", "global", launch.keys);
    this.result = new KernelArray(this, "result", "global", [...launch.result], ["thread", "block"]);
  }

  // Notes a fault, the first of its kind and its array. `more` has who else used the place, as `other`.
  note(kind, array = "", place = 0, more = {}) {
    const key = `${kind} ${array}`;
    if (this.faults.has(key)) return;
    const step = this.trace ? { step: this.trace.lastStep(this) } : {};
    this.faults.set(key, { kind, order: this.order, line: this.running?.op?.line ?? 0, thread: this.thread, block: this.block, array, place, ...more, ...step });
  }

  // Runs all blocks, one after the other; a fault that leaves nothing to run ends this.
  run(order) {
    this.order = order;
    const numbers = Array.from({ length: this.kernel.threads }, (_, i) => i), blocks = Array.from({ length: this.launch.blocks }, (_, i) => i);
    if (order & 2) numbers.sort((a, b) => (a % 8) - (b % 8));
    if (order & 1) [numbers, blocks].forEach((each) => each.reverse());
    try {
      for (this.block of blocks) this.runBlock(numbers);
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      this.stopped = true;
      if (error.message !== "cut") this.note(error.message, error.array);
    }
  }

  runBlock(numbers) {
    const { kernel, launch } = this;
    const shared = kernel.shared.map(({ name: { name, slot }, length }) => [slot, new KernelArray(this, name, "shared", Array(length).fill(null), ["thread"])]);
    let threads = numbers.map((number) => {
      const values = [number, launch.keys.length, launch.blocks, this.block, ...launch.numbers, this.keys, this.result];
      for (const [slot, array] of shared) values[slot] = array;
      return new KernelThread(this, number, values);
    });
    while (threads.length) {
      if (this.order === TOGETHER) this.runTogether(threads);
      else for (const each of threads) while (this.advance(each));
      const waiting = threads.filter(({ op }) => op);
      if (waiting.length && (waiting.length < threads.length || waiting.some(({ op }) => op !== waiting[0].op))) {
        this.running = waiting.reduce((first, each) => (each.number < first.number ? each : first));
        this.thread = this.running.number;
        throw new Stop("barrier");
      }
      threads = waiting;
      for (const array of [this.result, ...shared.map(([, each]) => each)]) array.forgetThreads();
    }
  }

  // Runs threads to their next barrier, or to their end: always those that are least far.
  runTogether(threads) {
    while (threads.length) {
      const paths = threads.map((each) => each.path(this.kernel.ops)), least = paths.reduce((a, b) => (comparePaths(b, a) < 0 ? b : a));
      threads = threads.filter((each, i) => comparePaths(paths[i], least) || this.advance(each));
    }
  }

  // Runs an operation of a thread; returns whether the thread goes on.
  advance(thread) {
    Object.assign(this, { running: thread, thread: thread.number });
    if (thread.advance(this.kernel.ops)) return true;
    if (thread.op) return false;
    this.turns = Math.max(this.turns, thread.allTurns);
    this.allTurns += thread.allTurns;
    if (this.allTurns > MOST_TURNS_OF_ALL) throw new Stop("endless");
    return false;
  }
}

const comparePaths = (a, b) => {
  const at = a.findIndex((each, i) => each !== b[i]);
  return at < 0 ? a.length - b.length : a[at] - (b[at] ?? -1);
};

// Runs a kernel in some orders; returns { results, faults, turns }: what `result` holds after each order, and how
// many turns of loops a thread did at most.
function simulateKernel(kernel, launch, orders = ORDERS) {
  const machines = [], faults = new Map();
  while (machines.length < orders && !machines.some((each) => each.stopped)) {
    machines.push(new KernelMachine(kernel, launch, faults));
    machines.at(-1).run(machines.length - 1);
  }
  return {
    results: machines.map((each) => each.result.values), faults: [...faults.values()],
    turns: Math.max(...machines.map((each) => each.turns)),
  };
}
