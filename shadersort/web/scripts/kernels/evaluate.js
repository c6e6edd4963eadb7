// Makes a function of a value's tree: it takes a thread, and returns a number, true or false. An int has 32
// bits and wraps, a float is a float32. The twin of this is arithmetic.py.

const INT_SIGNS = {
  "+": (a, b) => (a + b) | 0, "-": (a, b) => (a - b) | 0, "*": Math.imul, "/": (a, b) => (a / divisor(b)) | 0, "%": (a, b) => (a % divisor(b)) | 0,
  "&": (a, b) => a & b, "|": (a, b) => a | b, "^": (a, b) => a ^ b, "<<": (a, b) => a << b, ">>": (a, b) => a >> b,
};
const FLOAT_SIGNS = {
  "+": (a, b) => Math.fround(a + b), "-": (a, b) => Math.fround(a - b), "*": (a, b) => Math.fround(a * b), "/": (a, b) => Math.fround(a / b),
};
const COMPARE = { "==": (a, b) => a === b, "!=": (a, b) => a !== b, "<": (a, b) => a < b, ">": (a, b) => a > b, "<=": (a, b) => a <= b, ">=": (a, b) => a >= b };
const FUNCTIONS = {
  abs: (a) => Math.abs(a), min: (a, b) => (b < a ? b : a), max: (a, b) => (b > a ? b : a), "+": (a) => a, "-": (a) => -a, "~": (a) => ~a,
  atomicAdd: INT_SIGNS["+"], atomicMax: Math.max, atomicMin: Math.min,
};

// Ends a run; the message is the kind of fault.
class Stop extends Error {
  constructor(kind, array = "") {
    super(kind);
    this.array = array;
  }
}

function divisor(number) {
  if (number === 0) throw new Stop("zero");
  return number;
}

// A float without its fraction, or the nearest int that there is; 0 for a NaN.
const truncate = (x) => Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, x)) | 0;

let sites = 0;  // reads and writes of arrays, of all kernels

// What a function of numbers returns, as its type holds it.
const rounded = (compute, type) => (type === "float" ? (...numbers) => Math.fround(compute(...numbers)) : (...numbers) => compute(...numbers) | 0);

const EVALUATORS = {
  number: ({ number }) => () => number,
  name: ({ name: { name, slot, constant } }) => (constant === undefined ? (t) => t.get(slot, name) : () => constant),
  cast: ({ type, a }) => {
    const run = evaluator(a), compute = type === "float" ? Math.fround : a.type === "float" ? truncate : Number;
    return (t) => compute(run(t));
  },
  choice: (value) => {
    const [condition, a, b] = [value.condition, value.a, value.b].map(evaluator);
    return (t) => (condition(t) ? a(t) : b(t));
  },
  sign: ({ sign, type, a }) => {
    const run = evaluator(a), compute = sign === "!" ? (truth) => !truth : rounded(FUNCTIONS[sign], type);
    return (t) => compute(run(t));
  },
  join: ({ sign, ...both }) => {
    const [a, b] = [both.a, both.b].map(evaluator), compute = COMPARE[sign] ?? (both.a.type === "float" ? FLOAT_SIGNS : INT_SIGNS)[sign];
    if (sign === "&&") return (t) => a(t) && b(t);
    if (sign === "||") return (t) => a(t) || b(t);
    return (t) => compute(a(t), b(t));
  },
  call: ({ call, type, values }) => {
    const runs = values.map(evaluator), compute = rounded(FUNCTIONS[call], type);
    return (t) => compute(...runs.map((run) => run(t)));
  },
  place: ({ name: { slot }, at }) => {
    const place = evaluator(at), site = ++sites;
    return (t) => t.values[slot].read(place(t), site);
  },
  old: ({ name: { slot } }) => {
    const site = ++sites;
    return (t) => t.values[slot].read(t.place, site);
  },
  assign: ({ target: { name: { name, slot, stored }, at }, value }) => {
    const run = evaluator(value), place = at && evaluator(at), site = ++sites;
    if (!stored) return (t) => t.set(slot, name, run(t));
    return (t) => {
      const here = (t.place = place(t));  // the old value is read before another place is computed
      return t.values[slot].write(here, run(t), site);
    };
  },
  atomic: ({ call, target: { name: { slot }, at }, value }) => {
    const place = evaluator(at), run = evaluator(value), site = ++sites;
    return (t) => {
      const here = place(t);
      return t.values[slot].atomic(here, FUNCTIONS[call], run(t), site);
    };
  },
};

function evaluator(value) {
  return EVALUATORS[value.op](value);
}
