// Makes a list of operations of a kernel's tree. A thread runs them one by one, and can be stopped after each:
// { line, run, shown, barrier, loops }. `run` takes a thread, and returns the place of the next operation if that
// is not the next one of the list. `shown` ones are steps for a reader; the others only count turns and
// jump. `loops` are the places where the loops around it begin.

const MOST_TURNS = 10_000;  // of all loops of a thread

function operationsOf(tree) {
  const list = new OperationList();
  list.add(tree);
  list.end.at = list.ops.length;
  return list.ops;
}

class OperationList {
  constructor() {
    Object.assign(this, { ops: [], loops: [], end: {} });  // loops are those around: { head, step, after }
  }

  write(line, run, about = {}) {
    this.ops.push({ line, run, shown: true, barrier: false, loops: this.loops.map(({ head }) => head), ...about });
  }

  // Adds a jump to where `target` says; it is read when a thread jumps.
  jump(line, target, shown = false) {
    this.write(line, () => target.at, { shown });
  }

  add(statement) {
    const { kind, line, value } = statement;
    if (kind === "block") for (const each of statement.statements) this.add(each);
    else if (kind === "if") this.choice(statement);
    else if (kind === "loop") this.loop(statement);
    else if (kind === "declare") this.declare(statement);
    else if (kind === "barrier") this.write(line, () => {}, { barrier: true });
    else if (kind === "do") this.effect(line, value);
    else this.jump(line, kind === "return" ? this.end : this.loops.at(-1)[kind === "break" ? "after" : "step"], true);
  }

  effect(line, value) {
    const run = evaluator(value);
    this.write(line, (t) => { run(t); });
  }

  declare({ line, name: { name, slot }, length, value }) {
    const run = value && evaluator(value);
    if (run) this.write(line, (t) => { t.set(slot, name, run(t)); });
    else this.write(line, (t) => { t.values[slot] = length ? t.local(name, length) : undefined; }, { shown: false });
  }

  // Adds an operation that goes on only if a condition holds, and jumps to a target otherwise.
  test(line, value, target) {
    const condition = evaluator(value);
    this.write(line, (t) => (condition(t) ? undefined : target.at));
  }

  choice({ line, condition, then, otherwise }) {
    const second = {}, after = {};
    this.test(line, condition, second);
    this.add(then);
    if (otherwise) this.jump(line, after);
    second.at = this.ops.length;
    if (otherwise) this.add(otherwise);
    after.at = this.ops.length;
  }

  // A turn begins with its test, so that turns and places of operations together are in the order in which a
  // thread runs them. Turns whose test holds are counted.
  loop({ line, condition, body, steps, first }) {
    const depth = this.loops.length, head = this.ops.length, step = {}, after = {}, again = { at: head + 1 };
    this.write(first, (t) => { t.turns[depth] = 0; }, { shown: false });
    this.loops.push({ head, step, after });
    this.write(first, (t) => { t.turns[depth]++; }, { shown: false });
    this.test(line, condition, after);
    this.write(first, (t) => { if (++t.allTurns > MOST_TURNS) throw new Stop("endless"); }, { shown: false });
    this.add(body);
    step.at = this.ops.length;
    for (const each of steps) this.effect(first, each);
    this.jump(first, again);
    this.loops.pop();
    after.at = this.ops.length;
  }
}
