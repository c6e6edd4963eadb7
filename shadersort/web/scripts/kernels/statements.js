// Reads the statements of a kernel into a list of operations. A thread runs them one by one, and can be
// stopped after each: { line, run, shown, barrier, loops }. `run` takes a thread, and returns the place of
// the next operation if that is not the next one of the list. `shown` ones are steps for a reader; the
// others only count turns and jump. `loops` are the places where the loops around it begin.

const MOST_TURNS = 10_000;  // of all loops of a thread
const MOST_PLACES = 12_288;  // numbers that 48 KB hold, the shared memory of a block
const KNOWN = "A length is known before a kernel runs, such as 64 or THREADS, and is not above 12,288.";
const GIVEN = ["thread", "n", "blocks", "block"];  // and then the numbers of the exercise, `keys` and `result`

// Reads a kernel for an exercise, { threads, numbers, constants }; returns { ops, shared, threads }, where
// `shared` has the names and lengths of a block's arrays. Throws NotUnderstood if the text is no kernel.
function readKernel(text, exercise) {
  if (!KERNEL.test(codeOf(text))) throw new NotUnderstood(0, "it has no function `void kernel() {`");
  try {
    return new KernelReader(linesOf(text), exercise).kernel();
  } catch (error) {
    if (error instanceof NotUnderstood || !(error instanceof RangeError || error.name === "InternalError")) throw error;
    throw new NotUnderstood(0, "too many brackets or loops stand inside one another");
  }
}

class KernelReader extends KernelExpressions {
  constructor(text, { threads, numbers, constants }) {
    super(text);
    this.threads = threads;
    this.slots = 0;
    this.scopes.push(new Map());
    for (const name of [...GIVEN, ...numbers]) this.add(name, { type: "int" });
    for (const [name, constant] of Object.entries({ THREADS: threads, ...constants })) this.add(name, { type: "int", constant });
    this.add("keys", { type: "int", array: true, stored: true });
    this.add("result", { type: "int", array: true, stored: true, changeable: true, common: true });
    this.ops = [];
    this.loops = [];  // those around: { head, breaks, continues }, with operations that jump out of a turn
    this.shared = [];
  }

  // Adds a name to the innermost scope; constants have no slot.
  add(name, about) {
    const slot = about.constant === undefined ? this.slots++ : null;
    const made = { name, slot, changeable: false, array: false, stored: false, common: false, ...about };
    this.scopes.at(-1).set(name, made);
    return made;
  }

  // Adds an operation at the line of the last token.
  write(run, about = {}) {
    const op = { line: this.line, run, shown: true, barrier: false, loops: this.loops.map(({ head }) => head), ...about };
    this.ops.push(op);
    return op;
  }

  // Adds a jump to where `target` says; it is read when a thread jumps.
  jump(target, shown = false) {
    this.write(() => target.at, { shown });
  }

  kernel() {
    while (this.take("shared")) this.declare(true);
    this.need("void", "kernel", "(", ")", "{");
    this.end = { at: Infinity };
    this.restOfBlock();
    this.end.at = this.ops.length;
    if (this.token.text) this.refuse();
    return { ops: this.ops, shared: this.shared, threads: this.threads };
  }

  // Reads the length of an array; it is 0 where there is none.
  length() {
    if (!this.take("[")) return 0;
    const run = this.typed("int");
    this.need("]");
    let length = 0;
    try {
      length = run(null);
    } catch {}  // it has a variable, or divides by zero
    return length > 0 && length <= MOST_PLACES ? length : this.fail(KNOWN);
  }

  declare(common = false) {
    const fixed = this.take("const"), type = this.take(...VALUE_TYPES);
    if (!type) this.refuse();
    do {
      const name = this.name(), length = this.length(), run = !common && !length && this.take("=") ? this.typed(type) : null;
      if (this.scopes.some((scope) => scope.has(name))) this.fail(`“${name}” is known already: leave out its type, or take another name.`);
      const { slot } = this.add(name, { type, changeable: !fixed, array: length > 0, stored: common || length > 0, common });
      if (common) this.shared.push({ name, slot, length: length || 1 });
      else if (run) this.write((t) => { t.set(slot, name, run(t)); });
      else this.write((t) => { t.values[slot] = length ? t.local(name, length) : undefined; }, { shown: false });
      if (common && this.take("=")) this.fail("A `shared` variable has no value at first: threads write to it.");
    } while (this.take(","));
    this.need(";");
  }

  restOfBlock() {
    this.scopes.push(new Map());
    while (!this.take("}")) this.statement();
    this.scopes.pop();
  }

  // Reads what a loop or an `if` takes.
  body(header) {
    const first = this.token;
    if (this.take(";")) this.fail("A semicolon stands right behind the brackets: nothing depends on them.");
    this.scopes.push(new Map());
    this.statement();
    this.scopes.pop();
    const after = this.token, alone = first.text !== "{" && first.first && after.first && after.text !== "}";
    if (alone && header.column < first.column && first.column === after.column) this.fail("Without { … } a loop or an `if` takes one statement: here are more.");
  }

  statement() {
    const { token } = this;
    if (token.text === "const" || (VALUE_TYPES.includes(token.text) && this.tokens[this.at + 1].text !== "(")) this.declare();
    else if (this.take("{")) this.restOfBlock();
    else if (this.take("if")) this.choice(token);
    else if (this.take("while")) this.whileLoop(token);
    else if (this.take("for")) this.forLoop(token);
    else if (!this.take(";")) {
      this.shortStatement();
      this.need(";");
    }
  }

  // Adds an operation that goes on only if a condition holds, and jumps to a target otherwise.
  test(condition, target, about = {}) {
    this.write((t) => (condition(t) ? undefined : target.at), about);
  }

  choice(header) {
    const otherwise = {}, after = {};
    this.need("(");
    this.test(this.typed("bool"), otherwise);
    this.need(")");
    this.body(header);
    if (this.token.text === "else") this.jump(after);
    otherwise.at = this.ops.length;
    if (this.take("else")) this.body(header);
    after.at = this.ops.length;
  }

  whileLoop(header) {
    this.need("(");
    const condition = this.typed("bool"), { line } = this;
    this.need(")");
    this.loop(header, condition, [], line);
  }

  forLoop(header) {
    this.scopes.push(new Map());
    this.need("(");
    this.statement();
    const condition = this.token.text === ";" ? () => true : this.typed("bool"), steps = [];
    this.need(";");
    if (this.token.text !== ")") do steps.push(this.effect()); while (this.take(","));
    this.need(")");
    this.loop(header, condition, steps, this.line);
    this.scopes.pop();
  }

  // A loop: a turn begins with its test, so that turns and places of operations together are in the order
  // in which a thread runs them. Turns whose test holds are counted.
  loop(header, condition, steps, line) {
    const depth = this.loops.length, head = this.ops.length, step = {}, after = {}, first = this.line;
    this.write((t) => { t.turns[depth] = 0; }, { shown: false });
    this.loops.push({ head, step, after });
    const again = { at: this.ops.length };
    this.write((t) => { t.turns[depth]++; }, { shown: false });
    this.test(condition, after, { line });
    this.write((t) => { if (++t.allTurns > MOST_TURNS) throw new Stop("endless"); }, { shown: false });
    this.body(header);
    step.at = this.ops.length;
    for (const run of steps) this.write((t) => { run(t); }, { line: first });
    this.jump(again);
    this.loops.pop();
    after.at = this.ops.length;
  }

  // Reads a statement up to its semicolon.
  shortStatement() {
    let word = this.take("barrier", "break", "continue", "return");
    if (word === "barrier") {
      this.need("(", ")");
      this.write(() => {}, { barrier: true });
    } else if (word === "return") {
      if (this.token.text !== ";" && !this.token.first) this.fail("This returns nothing: write to a place, as in result[i] = …;");
      this.jump(this.end, true);
    } else if (word) {
      if (!this.loops.length) this.refuse();
      this.jump(this.loops.at(-1)[word === "break" ? "after" : "step"], true);
    } else {
      const run = this.effect();
      this.write((t) => { run(t); });
    }
  }

  // Reads an expression that changes something.
  effect() {
    this.changes = false;
    const { run } = this.expression();
    return this.changes ? run : this.fail("This changes nothing: values are given by =.");
  }
}
