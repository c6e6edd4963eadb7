// Translates a kernel's tree into WGSL, and runs it. WGSL gives no value to an assignment or an atomic inside of another
// value: so what changes something becomes a statement before it, and what was computed earlier is kept in a `let`.
// The numbers, `keys` and `result` are bound to 0, 1 and 2 of group 0. WGSL refuses a barrier unless it can prove
// that all threads come to it: a loop up to a number of shared memory is right in the simulator, and no proof.

const WGSL_TYPES = { int: "i32", float: "f32", bool: "bool" };
const FALSE = { op: "number", type: "bool", number: false }, TRUE = { ...FALSE, number: true };

// Whether a value changes something.
const changes = (tree) => ["assign", "atomic"].includes(tree.op) || Object.values(tree).some((each) => each instanceof Object && changes(each));

// The number of a value that needs no thread, or undefined: WGSL refuses constants that overflow.
function constantOf(value) {
  try {
    return evaluator(value)(null);
  } catch {
    return undefined;
  }
}

// The names whose places atomics use: WGSL declares these in another way.
function atomicNames(tree, found = new Set()) {
  if (tree.op === "atomic") found.add(tree.target.name);
  for (const each of Object.values(tree)) if (each instanceof Object) atomicNames(each, found);
  return found;
}

// Returns the text of a compute shader whose function is `main`.
function translateToWgsl(kernel) {
  const writer = new WgslWriter(kernel), { shared, numbers, threads } = kernel;
  writer.add(kernel.tree);
  const place = (name) => (writer.atomics.has(name) ? `atomic<${WGSL_TYPES[name.type]}>` : WGSL_TYPES[name.type]);
  return [
    `struct Numbers { ${["n", ...numbers].map((name) => `v_${name}: i32`).join(", ")} }`,
    "@group(0) @binding(0) var<uniform> numbers: Numbers;",
    "@group(0) @binding(1) var<storage, read> v_keys: array<i32>;",
    `@group(0) @binding(2) var<storage, read_write> v_result: array<${place(kernel.result)}>;`,
    ...shared.map(({ name, length }) => `var<workgroup> v_${name.name}: ${name.array ? `array<${place(name)}, ${length}>` : place(name)};`),
    `@compute @workgroup_size(${threads})`,
    "fn main(@builtin(local_invocation_id) own: vec3u, @builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u) {",
    "  _ = &v_keys; _ = &v_result; _ = numbers.v_n;",  // bound even where they are not used
    "  let v_thread = i32(own.x); let v_block = i32(group.x); let v_blocks = i32(groups.x);",
    ...["n", ...numbers].map((name) => `  let v_${name} = numbers.v_${name};`),
    ...writer.lines, "}", "",
  ].join("\n");
}

// Runs a kernel once; returns a promise of what `result` holds, and of the milliseconds that a launch takes. Throws an
// error if WebGPU refuses the translation. A kernel that is not right in the simulator should not run here.
async function runOnGpu(compute, kernel, { keys, result, blocks, numbers }) {
  const { main } = await compute.kernels(translateToWgsl(kernel), ["main"], ["read-only-storage", "storage"]);
  const contents = [keys, result].map((each) => Int32Array.from(each));
  const { words, ms } = await compute.measure([[main, blocks, [keys.length, ...numbers]]], contents, 1, 4 * result.length);
  return { result: [...new Int32Array(words.buffer)], ms };
}

class WgslWriter {
  constructor({ tree }) {
    Object.assign(this, { atomics: atomicNames(tree), lines: [], depth: 1, count: 0, old: "" });
  }

  write(text) {
    this.lines.push("  ".repeat(this.depth) + text);
  }

  // Writes what stands in braces.
  inside(head, fill) {
    this.write(`${head}{`);
    this.depth++;
    fill();
    this.depth--;
    this.write("}");
  }

  branch(condition, fill, otherwise) {
    this.inside(`if ${condition} `, fill);
    if (otherwise) this.inside("else ", otherwise);
  }

  // Keeps a value under a new name, whatever changes later.
  keep(text) {
    const name = `t${++this.count}`;
    this.write(`let ${name} = ${text};`);
    return name;
  }

  addAll({ statements }) {
    statements.forEach((each) => this.add(each));
  }

  add(statement) {
    const { kind, condition, value, name } = statement;
    if (kind === "block") this.inside("", () => this.addAll(statement));
    else if (kind === "do") this.effect(value);
    else if (kind === "barrier") this.write("storageBarrier(); workgroupBarrier();");
    else if (kind === "declare") {
      const type = WGSL_TYPES[name.type], first = value ? ` = ${this.value(value)}` : "";
      this.write(`var v_${name.name}: ${name.array ? `array<${type}, ${statement.length}>` : type}${first};`);
    } else if (kind === "if") {
      this.branch(this.value(condition), () => this.addAll(statement.then), statement.otherwise && (() => this.addAll(statement.otherwise)));
    } else if (kind === "loop") {
      this.inside("loop ", () => {
        this.write(`if (!${this.value(condition)}) { break; }`);
        this.inside("", () => this.addAll(statement.body));
        if (statement.steps.length) this.inside("continuing ", () => statement.steps.forEach((each) => this.effect(each)));
      });
    } else this.write(`${kind};`);
  }

  // Writes an expression whose value nobody needs.
  effect(value) {
    if (value.op === "assign") this.assign(value);
    else if (value.op === "atomic") this.write(`${this.atomic(value)};`);
    else this.value(value);
  }

  // The texts of values, which are computed from left to right.
  values(...all) {
    return all.map((each, i) => {
      const text = this.value(each);
      return all.slice(i + 1).some(changes) ? this.keep(text) : text;
    });
  }

  // The text of a variable, or of a place that `at` tells.
  target({ name }, at) {
    return name.array ? `v_${name.name}[${at}]` : `v_${name.name}`;
  }

  load(name, place) {
    return this.atomics.has(name) ? `atomicLoad(&${place})` : place;
  }

  assign({ target, value }) {
    const array = target.name.array, at = array ? this.value(target.at) : "";
    const place = this.target(target, array && changes(value) ? this.keep(at) : at), outer = this.old;
    this.old = this.load(target.name, place);
    const text = this.value(value);
    this.old = outer;
    this.write(this.atomics.has(target.name) ? `atomicStore(&${place}, ${text});` : `${place} = ${text};`);
    return this.load(target.name, place);
  }

  atomic({ call, target, value }) {
    const [at, number] = this.values(target.at, value);
    return `${call}(&${this.target(target, at)}, ${number})`;
  }

  // A value that depends on whether a condition holds: only one side is computed.
  either(condition, a, b) {
    const name = `t${++this.count}`, text = this.value(condition);
    this.write(`var ${name}: ${WGSL_TYPES[a.type]};`);
    this.branch(text, () => this.write(`${name} = ${this.value(a)};`), () => this.write(`${name} = ${this.value(b)};`));
    return name;
  }

  // Writes what a value needs; returns its text.
  value(value) {
    const { op, type, name, sign } = value, known = constantOf(value);
    if (known !== undefined && (type === "bool" || Number.isFinite(known))) return type === "float" ? `${known}f` : String(known);
    if (op === "name") return `v_${name.name}`;
    if (op === "place") return this.load(name, this.target(value, this.value(value.at)));
    if (op === "old") return this.old;
    if (op === "assign") return this.keep(this.assign(value));
    if (op === "atomic") return this.keep(this.atomic(value));
    if (op === "cast") return `${WGSL_TYPES[type]}(${this.value(value.a)})`;
    if (op === "sign") return sign === "+" ? this.value(value.a) : `(${sign}${this.value(value.a)})`;
    if (op === "call") return `${value.call}(${this.values(...value.values).join(", ")})`;
    if (op === "choice") return this.either(value.condition, value.a, value.b);
    if (sign === "&&" && changes(value.b)) return this.either(value.a, value.b, FALSE);
    if (sign === "||" && changes(value.b)) return this.either(value.a, TRUE, value.b);
    const [a, b] = this.values(value.a, value.b);
    return sign === "<<" || sign === ">>" ? `(${a} ${sign} u32(${b} & 31))` : `(${a} ${sign} ${b})`;
  }
}
