// The arrays of a kernel. They note who used each place since all threads of a block met; blocks never meet.

const LEFTOVER = 7;  // what is read where nothing was written, or where no place is
const [READ, WRITE, ATOMIC_USE] = [0, 1, 2], WAYS = ["read", "write", "atomic"];
const SEVERAL = -1;  // several threads, or blocks, in place of the number of one

class KernelArray {
  // A place without a value is null. `users` are those who may clash: "thread", and "block" for `result`.
  constructor(machine, name, space, values, users = []) {
    Object.assign(this, { machine, name, space, values, strict: users.includes("block") });
    this.uses = users.map((kind) => [kind, WAYS.map(() => new Map())]);  // by place
  }

  // Notes a use of a place; returns whether the array has it. Several threads may write the same value to
  // shared memory: no order changes it.
  use(place, way, value = null) {
    const has = place >= 0 && place < this.values.length;
    if (!has) this.machine.note("outside", this.name, place);
    for (const [kind, uses] of has ? this.uses : []) {
      const user = this.machine[kind], own = uses[way], before = own.get(place) ?? user;
      own.set(place, before === user ? user : SEVERAL);
      const one = uses[(way + 1) % 3].get(place) ?? user, two = uses[(way + 2) % 3].get(place) ?? user;
      const other = way === WRITE && before !== user ? before : one !== user ? one : two;
      if (other !== user && (this.strict || this.values[place] !== value)) this.machine.note(kind, this.name, place, { other });
    }
    return has;
  }

  read(place, site, way = READ) {
    const found = this.use(place, way) ? this.values[place] : LEFTOVER;
    if (found === null) this.machine.note("unwritten", this.name, place);
    const value = found ?? LEFTOVER;
    if (way === READ) this.machine.trace?.access(this, way, place, value, site);
    return value;
  }

  write(place, value, site) {
    if (this.use(place, WRITE, value)) this.values[place] = value;
    this.machine.trace?.access(this, WRITE, place, value, site);
    return value;
  }

  // Joins the value of a place with a number; returns the value from before.
  atomic(place, join, number, site) {
    const old = this.read(place, site, ATOMIC_USE), value = join(old, number);
    if (place in this.values) this.values[place] = value;
    this.machine.trace?.access(this, ATOMIC_USE, place, value, site);
    return old;
  }

  // All threads have met.
  forgetThreads() {
    for (const [kind, uses] of this.uses) if (kind === "thread") for (const each of uses) each.clear();
  }
}
