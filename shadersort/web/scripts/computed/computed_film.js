// A sort of codes that was computed, step by step, as panels show a film: memory, one key to a cell.

class ComputedFilm extends Film {
  // `states` are the codes before the first step and after each, or after the last one only.
  constructor(states, steps, dtype, count) {
    const [codes] = states, width = 2 ** Math.floor(Math.log2(codes.length) / 2), last = 2 ** 32 - 1, keys = codes.subarray(0, count);
    const fill = count < codes.length && !keys.includes(last) ? last : null;
    super({ width, height: codes.length / width, wires: codes.length, passes: states, channels: 1, values: differentKeys(keys), dtype, states, fill, depth: steps.length });
    this.joins = states.length > steps.length ? [null, ...steps] : [];  // the step before each state
  }

  // What the step before a state did to each wire, and which wire it was compared with.
  rolesOf(at) {
    const [half, mask] = this.joins[at] ?? [0, 0], wires = Uint32Array.from({ length: this.wires }, (_, i) => i);
    const role = Uint8Array.from(wires, (i) => !half ? ROLE.UNTOUCHED : i & half ? ROLE.MAX : ROLE.MIN);
    return { role, partner: wires.map((i) => i ^ mask) };
  }

  caption(at) {
    const { depth, joins } = this;
    if (!joins[at]) return at ? `after step ${depth} of ${depth}` : `before step 1 of ${depth}`;
    const [half] = joins[at];
    return `step ${at} of ${depth}: blocks of ${2 * half} · ${2 * half <= TILE ? "in workgroup memory" : "across workgroups"}`;
  }

  word(code) {
    return code === this.fill ? "fill" : keyText(keysOfBits(new (bitArray(this.dtype))([bitsOfCode(code, this.dtype)]), this.dtype)[0], this.dtype);
  }
}
