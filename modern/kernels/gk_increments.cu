// What the ranks of ranked values grow by: the smallest up to each entry, and the largest after it
// (shadersort/streams/greenwald_khanna.py).
//
// Ranks are the keys here. `smallest` are the smallest ranks, and `before` the largest ones, less 1;
// their rows begin `stride` apart: 0 if all share one. Each row stands for `size` values.
//
// Reads every rank twice, most of them from the cache, and writes as many. An entry a thread.

#include "keys.cuh"

extern "C" __global__ void gk_increments(const RAW* smallest, const RAW* before, u64 rows, u64 entries,
                                      u64 stride, u64 size, RAW* lower, RAW* upper) {
    const u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows * entries) return;
    const u64 column = i % entries, from = i / entries * stride + column;
    lower[i] = smallest[from] - (column ? smallest[from - 1] : 0);
    upper[i] = (column + 1 < entries ? before[from + 1] : (RAW)size) - before[from];
}
