// Compresses Greenwald-Khanna summaries: keeps the first entry of each row, and the last entry of every `step` ranks;
// an empty slot repeats the entry before it (GKSummaries.compress in shadersort/streams/quantiles/gk_summaries.py).
//
// `smallest` holds the smallest rank of each entry and `before` its largest rank less 1, as numbers of RANK_BYTES;
// their rows begin `stride` apart, 0 if all summaries share one row. Reads and writes every kept entry once, and reads
// what a binary search needs. One thread for each kept entry.

#include "keys.cuh"

#if RANK_BYTES == 8
#define RANK u64
#else
#define RANK u32
#endif

extern "C" __global__ void gk_compress(const RAW* values, const RANK* smallest, const RANK* before, u64 rows,
                                       u64 entries, u64 stride, u64 step, u64 kept, RAW* kept_values,
                                       RANK* kept_smallest, RANK* kept_before) {
    const u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows * kept) return;
    const u64 row = i / kept, limit = i % kept * step;
    smallest += row * stride, before += row * stride;
    const u64 here = partition_point<u64>(1, entries, [&](u64 at) { return before[at] < limit; }) - 1;
    kept_values[i] = values[row * entries + here];
    kept_smallest[i] = smallest[here];
    kept_before[i] = before[here];
}
