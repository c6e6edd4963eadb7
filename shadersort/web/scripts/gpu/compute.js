// Computes in WebGPU: kernels, buffers, dispatches of kernels, and the time that these take.

const SLOT = 256;  // bytes between the numbers of two dispatches: WebGPU's alignment
const NUMBERS = 64;  // bytes of numbers that a dispatch is given
const MOST_GROUPS = 32768;  // in a row of workgroups
const ENOUGH = 5;  // milliseconds that are measured well

class Compute {
  // Returns a promise of what computes here, or of { why }, which says why nothing does. `given` is for `load`.
  static async open(...given) {
    if (!navigator.gpu) return { why: isSecureContext ? "This browser has no WebGPU, or it is switched off." : "WebGPU is only there for pages that come by https." };
    const adapter = await navigator.gpu.requestAdapter({ powerPreference: "high-performance" }).catch(() => null);
    if (!adapter) return { why: "This browser has WebGPU, but no GPU that it may use." };
    const clock = adapter.features.has("timestamp-query"), { maxBufferSize, maxStorageBufferBindingSize, maxComputeWorkgroupStorageSize } = adapter.limits;
    const requiredLimits = { maxBufferSize, maxStorageBufferBindingSize, maxComputeWorkgroupStorageSize };
    const device = await adapter.requestDevice({ requiredFeatures: clock ? ["timestamp-query"] : [], requiredLimits });
    const compute = new this(device, adapter.info, clock);
    await compute.load(...given);
    return compute;
  }

  constructor(device, { vendor, architecture, description }, clock) {
    const name = description || [vendor, architecture].filter(Boolean).join(" ") || "a GPU without a name";
    Object.assign(this, { device, clock, name, software: /swiftshader|llvmpipe|lavapipe|basic render/i.test(`${name} ${architecture}`) });
  }

  async load() {}

  // Returns a promise of kernels of a text in WGSL by their names. The numbers of a dispatch are bound to 0;
  // `access` has the types of the buffers after them. Throws a UserError if WebGPU refuses the text.
  async kernels(code, names, access) {
    const { device } = this, entries = ["uniform", ...access].map((type, binding) => ({ binding, visibility: GPUShaderStage.COMPUTE, buffer: { type, hasDynamicOffset: !binding } }));
    const layout = device.createBindGroupLayout({ entries }), whole = device.createPipelineLayout({ bindGroupLayouts: [layout] });
    device.pushErrorScope("validation");
    const module = device.createShaderModule({ code }), { messages } = await module.getCompilationInfo();
    if (await device.popErrorScope()) throw new UserError(messages.find(({ type }) => type === "error").message);
    const made = names.map(async (entryPoint) => [entryPoint, { layout, pipeline: await device.createComputePipelineAsync({ layout: whole, compute: { module, entryPoint } }) }]);
    return Object.fromEntries(await Promise.all(made).catch(({ message }) => { throw new UserError(message); }));
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
    const { device } = this, clock = this.clock && !after, numbers = new Uint32Array((dispatches.length * SLOT) / 4);
    dispatches.forEach(([, , some], i) => numbers.set(some, (i * SLOT) / 4));
    const uniform = this.buffer(numbers, GPUBufferUsage.UNIFORM), resources = [{ buffer: uniform, size: NUMBERS }, ...buffers.map((buffer) => ({ buffer }))];
    const group = device.createBindGroup({ layout: dispatches[0][0].layout, entries: resources.map((resource, binding) => ({ binding, resource })) });
    const encoder = device.createCommandEncoder(), querySet = clock ? device.createQuerySet({ type: "timestamp", count: 2 }) : null;
    const timed = clock ? { timestampWrites: { querySet, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 } } : {};
    let pass = encoder.beginComputePass(timed);
    for (let i = 0; i < repeats * dispatches.length; i++) {
      const at = i % dispatches.length, [kernel, groups] = dispatches[at];
      pass.setPipeline(kernel.pipeline);
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

  // Runs dispatches once on new buffers, and reads one of them; then often enough for a clock that ticks every
  // tenth of a millisecond. Returns a promise of the words, and of the milliseconds of one time.
  async measure(dispatches, contents, place, size) {
    const buffers = contents.map((content) => this.buffer(content)), once = await this.run(dispatches, buffers), words = await this.read(buffers[place], size);
    const ms = once > ENOUGH ? once : await this.run(dispatches, buffers, Math.min(100, Math.ceil(ENOUGH / Math.max(once, 0.01))));
    buffers.forEach((buffer) => buffer.destroy());
    return { words, ms };
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
}
