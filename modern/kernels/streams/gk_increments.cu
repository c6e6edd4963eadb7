// The increments of the ranks of Greenwald-Khanna summaries: of the smallest rank up to each entry, and
// of the largest rank after it (GKSummaries in shadersort/streams/greenwald_khanna.py).
//
// The keys of this kernel are ranks. `smallest` holds the smallest ranks, `before` the largest ranks
// less 1; their rows begin `stride` apart, 0 if all summaries share one row. Each row is the summary of
// `size` values.
//
// Reads every rank twice, mostly from the cache. One thread for each entry.

#include "keys.cuh"

extern "C" __global__ void gk_increments(const RAW* smallest, const RAW* before, u64 rows,
                                         u64 entries, u64 stride, u64 size, RAW* lower,
                                         RAW* upper) {
    const u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows * entries) return;
    const u64 column = i % entries, from = i / entries * stride + column;
    lower[i] = smallest[from] - (column ? smallest[from - 1] : 0);
    upper[i] = (column + 1 < entries ? before[from + 1] : (RAW)size) - before[from];
}
