// Reads the expressions of a kernel. A value is { type, run, name, place }: `run` takes a thread and returns
// a number, true or false; what can be changed has a name, and in an array `place` returns where.
// A name is { name, type, slot, changeable, array, stored, common }: a thread has its value, or the array
// that stores it, in a slot; `common` names belong to all threads of a block.

const ATOMICS = { atomicAdd: (a, b) => (a + b) | 0, atomicMax: (a, b) => Math.max(a, b), atomicMin: (a, b) => Math.min(a, b) };
const ASSIGNMENTS = ["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="];
const COMPARISONS = { "==": (a, b) => a === b, "!=": (a, b) => a !== b, "<": (a, b) => a < b, ">": (a, b) => a > b, "<=": (a, b) => a <= b, ">=": (a, b) => a >= b };
// Signs between two values; those of a later level join more tightly.
const LEVELS = [["||"], ["&&"], ["|"], ["^"], ["&"], ["==", "!="], ["<", ">", "<=", ">="], ["<<", ">>"], ["+", "-"], ["*", "/", "%"]];

const INT_SIGNS = {
  "+": (a, b) => (a + b) | 0, "-": (a, b) => (a - b) | 0, "*": Math.imul, "/": (a, b) => (a / divisor(b)) | 0, "%": (a, b) => (a % divisor(b)) | 0,
  "&": (a, b) => a & b, "|": (a, b) => a | b, "^": (a, b) => a ^ b, "<<": (a, b) => a << b, ">>": (a, b) => a >> b,
};
const FLOAT_SIGNS = {
  "+": (a, b) => Math.fround(a + b), "-": (a, b) => Math.fround(a - b), "*": (a, b) => Math.fround(a * b), "/": (a, b) => Math.fround(a / b),
};
// What stands before a number: of an int all, of a float the first two.
const PREFIXES = { "+": (a) => a, "-": (a) => -a, "~": (a) => ~a };
const FUNCTIONS = { abs: [1, (a) => Math.abs(a)], min: [2, (a, b) => (b < a ? b : a)], max: [2, (a, b) => (b > a ? b : a)] };

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

const CONDITION = "A condition must be one value, true or false: for example i != 0 instead of i.";
const TRUTH = "True or false stands where a number is needed: write … ? 1 : 0.";
const ATOMIC = "An atomic takes a place of `result` or of shared memory, and a number.";
const otherType = (one, other) => `A value of type ${one} stands where ${other} is needed: write ${other}(…).`;
const ONE = { type: "int", run: () => 1 };

class KernelExpressions extends KernelParser {
  constructor(text) {
    super(text);
    this.scopes = [];
    this.sites = 0;  // how many reads and writes of arrays the text has
    this.changes = false;  // whether an expression changes something
  }

  // Reads an expression as a value of a type.
  typed(type) {
    return this.convert(this.expression(), type);
  }

  // The function of a value, as one of a type that can hold it.
  convert({ type, run }, wanted) {
    if (type !== wanted && [type, wanted].includes("bool")) this.fail(wanted === "bool" ? CONDITION : TRUTH);
    if (VALUE_TYPES.indexOf(type) > VALUE_TYPES.indexOf(wanted)) this.fail(otherType(type, wanted));
    return type === wanted ? run : (t) => Math.fround(run(t));
  }

  // A function of numbers, as their type holds its result.
  rounded(compute, type) {
    return type === "float" ? (a, b) => Math.fround(compute(a, b)) : (a, b) => compute(a, b) | 0;
  }

  // Reads values joined by signs, perhaps with `?` and `:`, or an assignment.
  expression() {
    const left = this.joined(0), sign = this.take(...ASSIGNMENTS);
    if (sign) return this.assign(left, sign.slice(0, -1), this.expression());
    if (!this.take("?")) return left;
    const then = this.expression();
    this.need(":");
    const [type, [a, b]] = this.common(then, this.expression()), condition = this.convert(left, "bool");
    return { type, run: (t) => (condition(t) ? a(t) : b(t)) };
  }

  // An assignment; the sign, if any, joins the old value and the new one. A place is computed once.
  assign(target, sign, value) {
    const { name, place } = this.changed(target), { slot, type } = name, from = ++this.sites, to = ++this.sites;
    if (!name.stored) {
      const run = this.convert(sign ? this.join(sign, target, value) : value, type);
      return { type, run: (t) => t.set(slot, name.name, run(t)) };
    }
    let at = 0;
    const old = { type, run: (t) => t.values[slot].read(at, from) };  // is read before `at` can change
    const run = this.convert(sign ? this.join(sign, old, value) : value, type);
    return { type, run: (t) => { const here = at = place(t); return t.values[slot].write(here, run(t), to); } };
  }

  // A value to which another one is given.
  changed(target) {
    if (!target.name?.changeable) this.fail("This can be read, but not changed.");
    this.changes = true;
    return target;
  }

  // Reads values joined by signs of a level, and of those that join more tightly.
  joined(level) {
    if (level === LEVELS.length) return this.signed();
    let left = this.joined(level + 1), sign;
    while ((sign = this.take(...LEVELS[level]))) left = this.join(sign, left, this.joined(level + 1));
    return left;
  }

  // The type that holds all values, and their functions.
  common(...values) {
    const type = VALUE_TYPES[Math.max(...values.map((each) => VALUE_TYPES.indexOf(each.type)))];
    return [type, values.map((each) => this.convert(each, type))];
  }

  // Two values joined by a sign; both are computed from left to right.
  join(sign, left, right) {
    const logical = sign === "&&" || sign === "||", truths = [left, right].filter((each) => each.type === "bool").length;
    if (truths !== 2 * logical && (truths < 2 || !["==", "!="].includes(sign))) this.fail(`“${sign}” does not join these: && and || join true or false, and other signs join numbers.`);
    if (logical) return { type: "bool", run: sign === "&&" ? (t) => left.run(t) && right.run(t) : (t) => left.run(t) || right.run(t) };
    const [type, [a, b]] = this.common(left, right), signs = type === "float" ? FLOAT_SIGNS : INT_SIGNS, compute = COMPARISONS[sign] ?? signs[sign];
    if (!compute) this.fail(otherType(type, "int"));
    return { type: COMPARISONS[sign] ? "bool" : type, run: (t) => compute(a(t), b(t)) };
  }

  // Reads a value with the signs before it and behind it.
  signed() {
    let sign = this.take("++", "--");
    if (sign) return this.assign(this.signed(), sign[0], ONE);
    if (this.take("!")) {
      const run = this.convert(this.signed(), "bool");
      return { type: "bool", run: (t) => !run(t) };
    }
    if ((sign = this.take("+", "-", "~"))) {
      const { type, run } = this.signed();
      if (type === "bool" || (type === "float" && sign === "~")) this.fail(otherType(type, "int"));
      const compute = this.rounded(PREFIXES[sign], type);
      return { type, run: (t) => compute(run(t)) };
    }
    let value = this.value();
    while ((sign = this.take("++", "--"))) value = this.join(sign === "++" ? "-" : "+", this.assign(value, sign[0], ONE), ONE);
    return value;
  }

  // Reads a number, a name, a place, a call, or an expression in brackets.
  value() {
    const { kind, text } = this.token;
    if (this.take("(")) {
      const value = this.expression();
      this.need(")");
      return value;
    }
    if (this.take("true", "false")) return { type: "bool", run: () => text === "true" };
    if (kind === "number") {
      this.take(text);
      const whole = /^0x/i.test(text) || !/[.eEfF]/.test(text);
      const number = whole ? Number(BigInt.asIntN(32, BigInt(text))) : Math.fround(Number(text.replace(/[fF]$/, "")));
      return { type: whole ? "int" : "float", run: () => number };
    }
    if (kind === "name" && this.tokens[this.at + 1].text === "(") {
      this.need(text, "(");
      return this.call(text);
    }
    return this.named(this.name());
  }

  // Reads what stands behind a name: the place of an array.
  named(word) {
    const name = this.scopes.find((scope) => scope.has(word))?.get(word), site = ++this.sites;
    if (!name) this.fail(`“${word}” is not declared. Is it spelled right? Capitals matter.`);
    const { slot, type } = name;
    if (name.array !== Boolean(this.take("["))) this.fail("[…] stands behind an array, and behind nothing else, as in sums[i].");
    if (name.constant !== undefined) return { type, name, run: () => name.constant };
    if (!name.stored) return { type, name, run: (t) => t.get(slot, word) };
    const place = name.array ? this.typed("int") : () => 0;
    if (name.array) this.need("]");
    return { type, name, place, run: (t) => t.values[slot].read(place(t), site) };
  }

  // Reads the arguments of a function, and its closing bracket.
  call(name) {
    const values = [];
    while (!this.take(")")) {
      if (values.length) this.need(",");
      values.push(this.expression());
    }
    if (Object.hasOwn(ATOMICS, name)) return this.atomic(name, values);
    if (["int", "float"].includes(name) && values.length === 1) {
      const [{ run, type }] = values, compute = name === "float" ? Math.fround : type === "float" ? truncate : Number;
      return { type: name, run: (t) => compute(run(t)) };
    }
    const [count, compute] = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : [0];
    if (values.length !== count || !count || values.some((each) => each.type === "bool")) this.fail(`There is no function “${name}” that takes this. Is it spelled right?`);
    const [type, [a, b]] = this.common(...values), hold = this.rounded(compute, type);
    return { type, run: (t) => hold(a(t), b?.(t)) };
  }

  // A call that reads, computes and writes in one go, and returns the old value.
  atomic(name, values) {
    if (values.length !== 2 || values[0].type !== "int") this.fail(ATOMIC);
    const { name: array, place } = this.changed(values[0]), site = ++this.sites;
    if (!array.common) this.fail(ATOMIC);  // it belongs to one thread
    const number = this.convert(values[1], "int"), join = ATOMICS[name];
    return { type: "int", run: (t) => { const here = place(t); return t.values[array.slot].atomic(here, join, number(t), site); } };
  }
}
