// Sorts and selects codes in WebGPU by the kernels of sort.wgsl and select.wgsl. Each answer says how many
// dispatches it took, the bytes that they read and wrote, and the milliseconds by which clock.

const TILE = 2048, THREADS = 256, LOADS = 16;  // as in the kernels

class KeyCompute extends Compute {
  async load({ sort, select }) {
    const all = "storage", codes = "read-only-storage";
    this.sorting = await this.kernels(sort, ["sort_tiles", "sort_fours"], [codes, all]);
    this.selecting = await this.kernels(select, ["count_digits", "narrow", "copy_codes"], [codes, all, all, all]);
  }

  // The dispatches of a network's steps: `ranges` are the first of each, and the one after its last.
  dispatches(steps, ranges, wires) {
    return ranges.map(([first, last]) => {
      const [kernel, codes] = 2 * steps[first][0] <= TILE ? [this.sorting.sort_tiles, TILE] : [this.sorting.sort_fours, 4 * THREADS];
      return [kernel, Math.ceil(wires / codes), [first, last, wires]];
    });
  }

  // Sorts codes, as many as the network has wires.
  async sort(codes, steps, ranges) {
    const wires = codes.length, rows = this.dispatches(steps, ranges, wires);
    if (!rows.length) return { sorted: codes, dispatches: 0, bytes: 0, ms: 0 };
    const { words: sorted, ms } = await this.measure(rows, [Uint32Array.from(steps.flat()), codes], 1, 4 * wires);  // a network takes as long for any keys
    return { sorted, dispatches: rows.length, bytes: rows.length * 8 * wires, ms };
  }

  // The codes before the first step and after each: a dispatch for each step, which are the same comparisons.
  async states(codes, steps) {
    const size = 4 * codes.length, rows = this.dispatches(steps, steps.map((_, i) => [i, i + 1]), codes.length);
    const buffers = [this.buffer(Uint32Array.from(steps.flat())), this.buffer(codes)], all = this.buffer(Math.max(1, rows.length) * size);
    if (rows.length) await this.run(rows, buffers, 1, (encoder, i) => encoder.copyBufferToBuffer(buffers[1], 0, all, i * size, size));
    const words = await this.read(all, rows.length * size);
    [...buffers, all].forEach((buffer) => buffer.destroy());
    return [codes, ...rows.map((_, i) => words.subarray(i * codes.length, (i + 1) * codes.length))];
  }

  // Selects the code of a rank, by digits of eight bits.
  async select(codes, rank, bits) {
    const padded = new Uint32Array(4 * Math.ceil(codes.length / 4)).fill(2 ** 32 - 1), vectors = padded.length / 4, rows = [], { count_digits, narrow } = this.selecting;
    padded.set(codes);
    for (let shift = bits - 8; shift >= 0; shift -= 8) {
      const numbers = [shift, shift + 8 === bits ? 0 : (2 ** bits - 2 ** (shift + 8)), vectors, rank];
      rows.push([count_digits, Math.ceil(vectors / THREADS / LOADS), numbers], [narrow, 1, numbers]);
    }
    const { words: [, code, ...found], ms } = await this.measure(rows, [padded, 1024, 56, 16], 2, 56);
    const rounds = Array.from({ length: bits / 8 }, (_, i) => ({ digit: found[3 * i], below: found[3 * i + 1], among: found[3 * i + 2] }));
    return { code, rounds, dispatches: rows.length, bytes: (bits / 8) * (16 * vectors + 2 * 1024), ms };
  }

  // Bytes a millisecond that a copy reads and writes on this GPU.
  async bandwidth() {
    const size = this.software ? 2 ** 23 : 2 ** 26, rows = [[this.selecting.copy_codes, size / 16 / THREADS, [0, 0, size / 16, 0]]];
    const { ms } = await this.measure(rows, [size, 1024, 56, size], 2, 56);
    return (2 * size) / ms;
  }
}
