// Reads the statements of a kernel into a tree. A statement is { kind, line, … }:
//   do { value } · declare { name, length, value } · block { statements } · if { condition, then, otherwise }
//   loop { condition, body, steps, first } · barrier, break, continue, return
// A line is that of the last word that was read; `first` of a loop is the line where its brackets end.

const MOST_PLACES = 12_288;  // numbers that 48 KB hold, the shared memory of a block
const KNOWN = "A length is known before a kernel runs, such as 64 or THREADS, and is not above 12,288.";
const GIVEN = ["thread", "n", "blocks", "block"];  // and then the numbers of the exercise, `keys` and `result`

// Reads a kernel for an exercise, { threads, numbers, constants }; returns { tree, ops, shared, result, numbers, threads }:
// `shared` has the names and lengths of a block's arrays. Throws NotUnderstood if the text is no kernel.
function readKernel(text, exercise) {
  if (!KERNEL.test(codeOf(text))) throw new NotUnderstood(0, "it has no function `void kernel() {`");
  try {
    const kernel = new KernelReader(linesOf(text), exercise).kernel();
    return { ...kernel, ops: operationsOf(kernel.tree) };
  } catch (error) {
    if (error instanceof NotUnderstood || !(error instanceof RangeError || error.name === "InternalError")) throw error;
    throw new NotUnderstood(0, "too many brackets or loops stand inside one another");
  }
}

class KernelReader extends KernelExpressions {
  constructor(text, { threads, numbers, constants }) {
    super(text);
    Object.assign(this, { threads, numbers, slots: 0, loops: 0, shared: [] });
    this.scopes.push(new Map());
    for (const name of [...GIVEN, ...numbers]) this.add(name, { type: "int" });
    for (const [name, constant] of Object.entries({ THREADS: threads, ...constants })) this.add(name, { type: "int", constant });
    this.add("keys", { type: "int", array: true, stored: true });
    this.result = this.add("result", { type: "int", array: true, stored: true, changeable: true, common: true });
  }

  // Adds a name to the innermost scope; constants have no slot.
  add(name, about) {
    const slot = about.constant === undefined ? this.slots++ : null;
    const made = { name, slot, changeable: false, array: false, stored: false, common: false, ...about };
    this.scopes.at(-1).set(name, made);
    return made;
  }

  kernel() {
    while (this.take("shared")) this.declare(true);
    this.need("void", "kernel", "(", ")", "{");
    const tree = this.restOfBlock(), { shared, numbers, threads, result } = this;
    if (this.token.text) this.refuse();
    return { tree, shared, result, numbers, threads };
  }

  // Reads the length of an array; it is 0 where there is none.
  length() {
    if (!this.take("[")) return 0;
    const run = evaluator(this.typed("int"));
    this.need("]");
    let length = 0;
    try {
      length = run(null);
    } catch {}  // it has a variable, or divides by zero
    return length > 0 && length <= MOST_PLACES ? length : this.fail(KNOWN);
  }

  // Reads names and their first values; returns statements.
  declare(common = false) {
    const fixed = this.take("const"), type = this.take(...VALUE_TYPES), statements = [];
    if (!type) this.refuse();
    do {
      const word = this.name(), length = this.length(), value = !common && !length && this.take("=") ? this.typed(type) : null;
      if (this.scopes.some((scope) => scope.has(word))) this.fail(`“${word}” is known already: leave out its type, or take another name.`);
      const name = this.add(word, { type, changeable: !fixed, array: length > 0, stored: common || length > 0, common });
      if (common) this.shared.push({ name, length: length || 1 });
      else statements.push({ kind: "declare", line: this.line, name, length, value });
      if (common && this.take("=")) this.fail("A `shared` variable has no value at first: threads write to it.");
    } while (this.take(","));
    this.need(";");
    return statements;
  }

  restOfBlock() {
    const statements = [];
    this.scopes.push(new Map());
    while (!this.take("}")) statements.push(...this.statement());
    this.scopes.pop();
    return { kind: "block", statements };
  }

  // Reads what a loop or an `if` takes.
  body(header) {
    const first = this.token;
    if (this.take(";")) this.fail("A semicolon stands right behind the brackets: nothing depends on them.");
    this.scopes.push(new Map());
    const statements = this.statement();
    this.scopes.pop();
    const after = this.token, alone = first.text !== "{" && first.first && after.first && after.text !== "}";
    if (alone && header.column < first.column && first.column === after.column) this.fail("Without { … } a loop or an `if` takes one statement: here are more.");
    return statements.length === 1 && statements[0].kind === "block" ? statements[0] : { kind: "block", statements };
  }

  // Reads a statement; returns none, one, or those of a declaration.
  statement() {
    const { token } = this;
    if (token.text === "const" || (VALUE_TYPES.includes(token.text) && this.tokens[this.at + 1].text !== "(")) return this.declare();
    if (this.take("{")) return [this.restOfBlock()];
    if (this.take("if", "while")) return [this.conditional(token)];
    if (this.take("for")) return [this.forLoop(token)];
    if (this.take(";")) return [];
    const statement = this.shortStatement();
    this.need(";");
    return [statement];
  }

  conditional(header) {
    this.need("(");
    const condition = this.typed("bool"), { line } = this;
    this.need(")");
    if (header.text === "while") return this.loop(header, line, condition, []);
    const then = this.body(header), otherwise = this.take("else") ? this.body(header) : null;
    return { kind: "if", line, condition, then, otherwise };
  }

  forLoop(header) {
    this.scopes.push(new Map());
    this.need("(");
    const begin = this.statement();
    const condition = this.token.text === ";" ? { op: "number", type: "bool", number: true } : this.typed("bool"), steps = [];
    this.need(";");
    if (this.token.text !== ")") do steps.push(this.effect()); while (this.take(","));
    this.need(")");
    const loop = this.loop(header, this.line, condition, steps);
    this.scopes.pop();
    return { kind: "block", statements: [...begin, loop] };
  }

  loop(header, line, condition, steps) {
    const first = this.line;
    this.loops++;
    const body = this.body(header);
    this.loops--;
    return { kind: "loop", line, condition, body, steps, first };
  }

  // Reads a statement up to its semicolon.
  shortStatement() {
    const kind = this.take("barrier", "break", "continue", "return");
    if (kind === "barrier") this.need("(", ")");
    if (["break", "continue"].includes(kind) && !this.loops) this.refuse();
    if (kind === "return" && this.token.text !== ";" && !this.token.first) this.fail("This returns nothing: write to a place, as in result[i] = …;");
    if (kind) return { kind, line: this.line };
    const value = this.effect();
    return { kind: "do", line: this.line, value };
  }

  // Reads an expression that changes something.
  effect() {
    this.changes = false;
    const value = this.expression();
    return this.changes ? value : this.fail("This changes nothing: values are given by =.");
  }
}
