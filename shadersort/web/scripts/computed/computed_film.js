// A sort of codes that was computed, step by step, as panels show a film: memory, one key to a cell.

class ComputedFilm extends Film {
  // `states` are the codes before the first step and after each, or after the last one only.
  constructor(states, steps, dtype, count) {
    const [codes] = states, width = 2 ** Math.floor(Math.log2(codes.length) / 2), last = 2 ** 32 - 1, keys = codes.subarray(0, count);
    const fill = count < codes.length && !keys.includes(last) ? last : null;
    super({ width, height: codes.length / width, wires: codes.length, passes: states, channels: 1, values: differentKeys(keys), dtype, steps, states, fill });
  }

  // The state that belongs to a share of all work, from 0 to 1.
  stateAt(share) {
    return Math.floor(share * (this.states.length - 1) + 1e-9);
  }

  texelsAt(at) {
    const texels = new Uint32Array(4 * this.wires);
    this.states[at].forEach((code, i) => { texels[4 * i] = code; });
    return texels;
  }

  // What the step before a state did to each wire, and which wire it was compared with.
  rolesOf(at) {
    const wires = Uint32Array.from({ length: this.wires }, (_, i) => i), [half, mask] = this.shows(at) ? this.steps[at - 1] : [0, 0];
    const role = half ? Uint8Array.from(wires, (i) => (i & half ? ROLE.MAX : ROLE.MIN)) : new Uint8Array(this.wires);
    return { role, partner: wires.map((i) => i ^ mask) };
  }

  // Whether the step before a state is seen by itself.
  shows(at) {
    return at > 0 && this.states.length > this.steps.length;
  }

  caption(at) {
    const { length } = this.steps;
    if (!this.shows(at)) return at ? `after step ${length} of ${length}` : `before step 1 of ${length}`;
    const [half] = this.steps[at - 1], where = 2 * half <= TILE ? "in workgroup memory" : "across workgroups";
    return `step ${at} of ${length}: blocks of ${2 * half} · ${where}`;
  }

  word(code) {
    return code === this.fill ? "fill" : keyText(keysOfBits(new (bitArray(this.dtype))([bitsOfCode(code, this.dtype)]), this.dtype)[0], this.dtype);
  }
}
