// Long rows: finds the bound of the first keys in a sample of each row, and sets all that is counted to 0
// (long_firsts.cuh).
//
// A block for each row, which takes `samples` loads for each thread, a power of two. If `many` keys equal the bound,
// it is tied. Blocks of 1,024 threads. Shared memory: 16 bytes for each thread, and the sample.

#include "long_firsts.cuh"

extern "C" __global__ void __launch_bounds__(THREADS, 1)
    long_firsts_sampled(const RAW* keys, u32 length, u64 row_step, u32 count, u32 samples, u32 many, float wide,
                        Job* jobs, Column* columns, u32 groups) {
    __shared__ Shared s;
    clear(columns, groups);
    const RowSample sample{{keys + blockIdx.x * row_step, length}, samples, (RAW*)(memory + BINS / 2)};
    sample.read();
    __syncthreads();
    const Bound bound = sampled_bound(s, sample, count, many, wide);
    if (!threadIdx.x) jobs[blockIdx.x] = {bound.order, bound.tied, 0, 0, 0};
}
