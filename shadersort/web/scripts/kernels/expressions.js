// Reads the expressions of a kernel into a tree. A value is { op, type, … }:
//   number { number } · name { name } · place { name, at } · old { name }: what stands at the place of an assignment
//   assign { target, value } · atomic { call, target, value } · cast { a } · sign { sign, a } · join { sign, a, b }
//   choice { condition, a, b } · call { call, values }
// A name is { name, type, slot, changeable, array, stored, common }; a thread has its value, or the array that stores
// it, in a slot; `common` names belong to all threads of a block.

const ATOMICS = ["atomicAdd", "atomicMax", "atomicMin"];
const ASSIGNMENTS = ["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="];
const COMPARISONS = ["==", "!=", "<", ">", "<=", ">="];
// Signs between two values; those of a later level join more tightly.
const LEVELS = [["||"], ["&&"], ["|"], ["^"], ["&"], COMPARISONS.slice(0, 2), COMPARISONS.slice(2), ["<<", ">>"], ["+", "-"], ["*", "/", "%"]];

const CONDITION = "A condition must be one value, true or false: for example i != 0 instead of i.";
const TRUTH = "True or false stands where a number is needed: write … ? 1 : 0.";
const ATOMIC = "An atomic takes a place of `result` or of shared memory, and a number.";
const otherType = (one, other) => `A value of type ${one} stands where ${other} is needed: write ${other}(…).`;
const ONE = { op: "number", type: "int", number: 1 };

class KernelExpressions extends KernelParser {
  constructor(text) {
    super(text);
    this.scopes = [];
    this.changes = false;  // whether an expression changes something
  }

  // Reads an expression as a value of a type.
  typed(type) {
    return this.convert(this.expression(), type);
  }

  // A value as one of a type that can hold it.
  convert(value, wanted) {
    const { type } = value;
    if (type !== wanted && [type, wanted].includes("bool")) this.fail(wanted === "bool" ? CONDITION : TRUTH);
    if (VALUE_TYPES.indexOf(type) > VALUE_TYPES.indexOf(wanted)) this.fail(otherType(type, wanted));
    return type === wanted ? value : { op: "cast", type: wanted, a: value };
  }

  // Reads values joined by signs, perhaps with `?` and `:`, or an assignment.
  expression() {
    const left = this.joined(0), sign = this.take(...ASSIGNMENTS);
    if (sign) return this.assign(left, sign.slice(0, -1), this.expression());
    if (!this.take("?")) return left;
    const then = this.expression();
    this.need(":");
    const [type, [a, b]] = this.common(then, this.expression());
    return { op: "choice", type, condition: this.convert(left, "bool"), a, b };
  }

  // An assignment; the sign, if any, joins the old value and the new one. A place is computed once.
  assign(target, sign, value) {
    const { name } = this.changed(target), { type } = name, old = name.stored ? { op: "old", type, name } : target;
    return { op: "assign", type, target, value: this.convert(sign ? this.join(sign, old, value) : value, type) };
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

  // The type that holds all values, and the values of this type.
  common(...values) {
    const type = VALUE_TYPES[Math.max(...values.map((each) => VALUE_TYPES.indexOf(each.type)))];
    return [type, values.map((each) => this.convert(each, type))];
  }

  // Two values joined by a sign; both are computed from left to right.
  join(sign, left, right) {
    const logical = sign === "&&" || sign === "||", truths = [left, right].filter((each) => each.type === "bool").length;
    if (truths !== 2 * logical && (truths < 2 || !["==", "!="].includes(sign))) this.fail(`“${sign}” does not join these: && and || join true or false, and other signs join numbers.`);
    const [type, [a, b]] = this.common(left, right), compares = COMPARISONS.includes(sign);
    if (type === "float" && !compares && !"+-*/".includes(sign)) this.fail(otherType(type, "int"));
    return { op: "join", type: compares ? "bool" : type, sign, a, b };
  }

  // Reads a value with the signs before it and behind it.
  signed() {
    let sign = this.take("++", "--");
    if (sign) return this.assign(this.signed(), sign[0], ONE);
    if (this.take("!")) return { op: "sign", type: "bool", sign: "!", a: this.convert(this.signed(), "bool") };
    if ((sign = this.take("+", "-", "~"))) {
      const a = this.signed(), { type } = a;
      if (type === "bool" || (type === "float" && sign === "~")) this.fail(otherType(type, "int"));
      return { op: "sign", type, sign, a };
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
    if (this.take("true", "false")) return { op: "number", type: "bool", number: text === "true" };
    if (kind === "number") {
      this.take(text);
      const whole = /^0x/i.test(text) || !/[.eEfF]/.test(text);
      const number = whole ? Number(BigInt.asIntN(32, BigInt(text))) : Math.fround(Number(text.replace(/[fF]$/, "")));
      return { op: "number", type: whole ? "int" : "float", number };
    }
    if (kind === "name" && this.tokens[this.at + 1].text === "(") {
      this.need(text, "(");
      return this.call(text);
    }
    return this.named(this.name());
  }

  // Reads what stands behind a name: the place of an array.
  named(word) {
    const name = this.scopes.find((scope) => scope.has(word))?.get(word);
    if (!name) this.fail(`“${word}” is not declared. Is it spelled right? Capitals matter.`);
    const { type } = name;
    if (name.array !== Boolean(this.take("["))) this.fail("[…] stands behind an array, and behind nothing else, as in sums[i].");
    if (!name.stored) return { op: "name", type, name };
    const at = name.array ? this.typed("int") : { op: "number", type: "int", number: 0 };
    if (name.array) this.need("]");
    return { op: "place", type, name, at };
  }

  // Reads the arguments of a function, and its closing bracket.
  call(name) {
    const values = [];
    while (!this.take(")")) {
      if (values.length) this.need(",");
      values.push(this.expression());
    }
    if (ATOMICS.includes(name)) return this.atomic(name, values);
    if (["int", "float"].includes(name) && values.length === 1) return { op: "cast", type: name, a: values[0] };
    const count = { abs: 1, min: 2, max: 2 }[name];
    if (values.length !== count || values.some((each) => each.type === "bool")) this.fail(`There is no function “${name}” that takes this. Is it spelled right?`);
    const [type, numbers] = this.common(...values);
    return { op: "call", type, call: name, values: numbers };
  }

  // A call that reads, computes and writes in one go, and returns the old value.
  atomic(name, values) {
    if (values.length !== 2 || values[0].type !== "int") this.fail(ATOMIC);
    const target = this.changed(values[0]);
    if (!target.name.common) this.fail(ATOMIC);  // it belongs to one thread
    return { op: "atomic", type: "int", call: name, target, value: this.convert(values[1], "int") };
  }
}
