// Runs a kernel on the GPU of a WebGPU device, once; returns what `result` holds, and the milliseconds that it took
// with its transfers. Throws an error if WebGPU refuses the translation. A kernel that is not right in the
// simulator should not run here.
async function runOnGpu(device, kernel, { keys, result, blocks, numbers }) {
  const { STORAGE, UNIFORM, COPY_SRC, COPY_DST, MAP_READ } = GPUBufferUsage, bytes = 4 * result.length, began = performance.now();
  const buffer = (usage, values) => {
    const made = device.createBuffer({ size: Math.max(16, 4 * values.length), usage, mappedAtCreation: true });
    new Int32Array(made.getMappedRange()).set(values);
    made.unmap();
    return made;
  };
  const given = [buffer(STORAGE, keys), buffer(STORAGE | COPY_SRC, result), buffer(UNIFORM, [keys.length, ...numbers])];
  const read = device.createBuffer({ size: bytes, usage: MAP_READ | COPY_DST });
  const module = device.createShaderModule({ code: translateToWgsl(kernel) });
  const pipeline = await device.createComputePipelineAsync({ layout: "auto", compute: { module } });
  const used = given.map((each, binding) => ({ binding, resource: { buffer: each } }));
  const encoder = device.createCommandEncoder(), pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries: used }));
  pass.dispatchWorkgroups(blocks);
  pass.end();
  encoder.copyBufferToBuffer(given[1], 0, read, 0, bytes);
  device.queue.submit([encoder.finish()]);
  await read.mapAsync(GPUMapMode.READ);
  const found = [...new Int32Array(read.getMappedRange())], milliseconds = performance.now() - began;
  [...given, read].forEach((each) => each.destroy());
  return { result: found, milliseconds };
}
