// Long rows: finds the bracket of each rank in a sample of its row, and sets all that is counted to 0
// (long_ranks.cuh).
//
// A block for each job, which takes `samples` loads for each thread, a power of two. Blocks of 1,024 threads. Shared
// memory: 16 bytes for each thread, and the sample.

#include "long_ranks.cuh"

extern "C" __global__ void __launch_bounds__(THREADS, 1)
    long_ranks_sampled(const RAW* keys, u32 length, u64 row_step, const long long* ranks, u32 count, u32 own, u32 inner,
                       u32 from, u32 some, u32 samples, float wide, Job* jobs, Column* columns, u32 groups) {
    __shared__ Wanted s;
    clear(columns, groups);
    const u32 row = blockIdx.x / some;
    const RowSample sample{{keys + row * row_step, length}, samples, LISTS};
    if (ASK == SELECT && !threadIdx.x)
        s.rank[0] = s.rank[1] = Asked{ranks, count, own, inner, nullptr}.rank(row, from + blockIdx.x % some);
    sample.read();
    __syncthreads();
    const Expected expected = expect(s, sample);
    const Bracket bracket = sampled_bracket(s, sample, expected, wide);
    if (!threadIdx.x) jobs[blockIdx.x] = {bracket.first, bracket.last, bracket.tied, {}};
}
