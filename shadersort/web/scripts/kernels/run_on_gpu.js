// Runs a kernel by WebGPU, once; returns a promise of what `result` holds, and of the milliseconds that a launch takes.
// Throws an error if WebGPU refuses the translation. A kernel that is not right in the simulator should not run
// here.
async function runOnGpu(compute, kernel, { keys, result, blocks, numbers }) {
  const { main } = await compute.kernels(translateToWgsl(kernel), ["main"], ["read-only-storage", "storage"]);
  const buffers = [keys, result].map((each) => compute.buffer(Int32Array.from(each))), launch = [[main, blocks, [keys.length, ...numbers]]];
  const once = await compute.run(launch, buffers), found = [...new Int32Array((await compute.read(buffers[1], 4 * result.length)).buffer)];
  const milliseconds = await compute.time(launch, buffers, once);
  buffers.forEach((each) => each.destroy());
  return { result: found, milliseconds };
}
