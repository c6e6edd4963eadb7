// Computes in WebGPU: sorts and selects codes by the kernels of sort.wgsl and select.wgsl. Each answer says
// how many dispatches it took, the bytes that they read and wrote, and the milliseconds by which clock.

const TILE = 2048, THREADS = 256, LOADS = 16;  // as in the kernels
const SLOT = 256;  // bytes between the numbers of two dispatches: WebGPU's alignment
const MOST_GROUPS = 32768;  // in a row of workgroups
const ENOUGH = 5;  // milliseconds that are measured well
const ACCESS = { sort: ["uniform", "read-only-storage", "storage"], select: ["uniform", "read-only-storage", "storage", "storage", "storage"] };

class Compute {
  // Returns a promise of what computes here, or throws a UserError that says why nothing does.
  static async open(wgsl) {
    if (!navigator.gpu) throw new UserError(isSecureContext ? "This browser has no WebGPU, or it is switched off." : "WebGPU is only there for pages that come by https.");
    const adapter = await navigator.gpu.requestAdapter({ powerPreference: "high-performance" }).catch(() => null);
    if (!adapter) throw new UserError("This browser has WebGPU, but no GPU that it may use.");
    const clock = adapter.features.has("timestamp-query"), { maxBufferSize, maxStorageBufferBindingSize } = adapter.limits;
    const device = await adapter.requestDevice({ requiredFeatures: clock ? ["timestamp-query"] : [], requiredLimits: { maxBufferSize, maxStorageBufferBindingSize } });
    return new Compute(device, adapter.info, clock, wgsl);
  }

  constructor(device, { vendor, architecture, description }, clock, wgsl) {
    const name = description || [vendor, architecture].filter(Boolean).join(" ") || "a GPU without a name";
    Object.assign(this, { device, clock, name, software: /swiftshader|llvmpipe|lavapipe|basic render/i.test(`${name} ${architecture}`), kernels: {} });
    for (const [file, kernels] of Object.entries({ sort: ["sort_tiles", "sort_fours"], select: ["count_digits", "narrow", "copy_codes"] })) {
      const entries = ACCESS[file].map((type, binding) => ({ binding, visibility: GPUShaderStage.COMPUTE, buffer: { type, hasDynamicOffset: type === "uniform" } }));
      const layout = device.createBindGroupLayout({ entries }), module = device.createShaderModule({ code: wgsl[file] });
      const whole = device.createPipelineLayout({ bindGroupLayouts: [layout] });
      for (const entryPoint of kernels) this.kernels[entryPoint] = { layout, pipeline: device.createComputePipeline({ layout: whole, compute: { module, entryPoint } }) };
    }
  }

  buffer(content, usage = GPUBufferUsage.STORAGE) {
    const size = Math.max(16, content.byteLength ?? content);
    const buffer = this.device.createBuffer({ size, usage: usage | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST });
    if (content.byteLength) this.device.queue.writeBuffer(buffer, 0, content);
    return buffer;
  }

  // Runs dispatches, [kernel, workgroups, numbers] of each, as often as wanted. With `after`, each is a pass of
  // its own, and `after(encoder, i)` encodes what follows it. Returns a promise of the milliseconds of one time.
  async run(dispatches, buffers, repeats = 1, after = null) {
    const { device, kernels } = this, clock = this.clock && !after, numbers = new Uint32Array((dispatches.length * SLOT) / 4);
    dispatches.forEach(([, , some], i) => numbers.set(some, (i * SLOT) / 4));
    const uniform = this.buffer(numbers, GPUBufferUsage.UNIFORM), resources = [{ buffer: uniform, size: 16 }, ...buffers.map((buffer) => ({ buffer }))];
    const group = device.createBindGroup({ layout: kernels[dispatches[0][0]].layout, entries: resources.map((resource, binding) => ({ binding, resource })) });
    const encoder = device.createCommandEncoder(), querySet = clock ? device.createQuerySet({ type: "timestamp", count: 2 }) : null;
    const timed = clock ? { timestampWrites: { querySet, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 } } : {};
    let pass = encoder.beginComputePass(timed);
    for (let i = 0; i < repeats * dispatches.length; i++) {
      const at = i % dispatches.length, [kernel, groups] = dispatches[at];
      pass.setPipeline(kernels[kernel].pipeline);
      pass.setBindGroup(0, group, [at * SLOT]);
      pass.dispatchWorkgroups(Math.min(groups, MOST_GROUPS), Math.ceil(groups / MOST_GROUPS));
      if (!after) continue;
      pass.end();
      after(encoder, i);
      pass = encoder.beginComputePass();
    }
    pass.end();
    const stamps = clock ? this.buffer(16, GPUBufferUsage.QUERY_RESOLVE) : null;
    if (clock) encoder.resolveQuerySet(querySet, 0, 2, stamps, 0);
    await device.queue.onSubmittedWorkDone();
    const began = performance.now();
    device.queue.submit([encoder.finish()]);
    await device.queue.onSubmittedWorkDone();
    const wall = performance.now() - began, [start, stop] = clock ? new BigUint64Array((await this.read(stamps, 16)).buffer) : [];
    [uniform, stamps].forEach((buffer) => buffer?.destroy());
    querySet?.destroy();
    return (clock && stop > start ? Number(stop - start) / 1e6 : wall) / repeats;
  }

  // Runs dispatches that were run before, often enough for a clock that ticks every tenth of a millisecond.
  async time(dispatches, buffers, once) {
    return once > ENOUGH ? once : this.run(dispatches, buffers, Math.min(100, Math.ceil(ENOUGH / Math.max(once, 0.01))));
  }

  async read(buffer, size) {
    const shown = this.device.createBuffer({ size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST }), encoder = this.device.createCommandEncoder();
    encoder.copyBufferToBuffer(buffer, 0, shown, 0, size);
    this.device.queue.submit([encoder.finish()]);
    await shown.mapAsync(GPUMapMode.READ);
    const words = new Uint32Array(shown.getMappedRange().slice(0));
    shown.destroy();
    return words;
  }

  // The dispatches of a network's steps: `ranges` are the first of each, and the one after its last.
  dispatches(steps, ranges, wires) {
    return ranges.map(([first, last]) => {
      const [kernel, codes] = 2 * steps[first][0] <= TILE ? ["sort_tiles", TILE] : ["sort_fours", 4 * THREADS];
      return [kernel, Math.ceil(wires / codes), [first, last, wires]];
    });
  }

  // Sorts codes, as many as the network has wires.
  async sort(codes, steps, ranges) {
    const wires = codes.length, rows = this.dispatches(steps, ranges, wires), buffers = [this.buffer(Uint32Array.from(steps.flat())), this.buffer(codes)];
    if (!rows.length) return { sorted: codes, dispatches: 0, bytes: 0, ms: 0 };
    const once = await this.run(rows, buffers), sorted = await this.read(buffers[1], 4 * wires);
    const ms = await this.time(rows, buffers, once);  // a network takes as long for any keys
    buffers.forEach((buffer) => buffer.destroy());
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
    const padded = new Uint32Array(4 * Math.ceil(codes.length / 4)).fill(2 ** 32 - 1), vectors = padded.length / 4, rows = [];
    padded.set(codes);
    for (let shift = bits - 8; shift >= 0; shift -= 8) {
      const numbers = [shift, shift + 8 === bits ? 0 : (2 ** bits - 2 ** (shift + 8)), vectors, rank];
      rows.push(["count_digits", Math.ceil(vectors / THREADS / LOADS), numbers], ["narrow", 1, numbers]);
    }
    const found = this.buffer(56), buffers = [this.buffer(padded), this.buffer(1024), found, this.buffer(16)];
    const once = await this.run(rows, buffers), [, code, ...words] = await this.read(found, 56), ms = await this.time(rows, buffers, once);
    buffers.forEach((buffer) => buffer.destroy());
    const rounds = Array.from({ length: bits / 8 }, (_, i) => ({ digit: words[3 * i], below: words[3 * i + 1], among: words[3 * i + 2] }));
    return { code, rounds, dispatches: rows.length, bytes: (bits / 8) * (16 * vectors + 2 * 1024), ms };
  }

  // Bytes a millisecond that a copy reads and writes on this GPU.
  async bandwidth() {
    const size = this.software ? 2 ** 23 : 2 ** 26, buffers = [this.buffer(size), this.buffer(1024), this.buffer(56), this.buffer(size)];
    const rows = [["copy_codes", size / 16 / THREADS, [0, 0, size / 16, 0]]];
    const ms = await this.time(rows, buffers, await this.run(rows, buffers));
    buffers.forEach((buffer) => buffer.destroy());
    return (2 * size) / ms;
  }
}
