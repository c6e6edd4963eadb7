// Compresses Greenwald-Khanna summaries: keeps the first entry of each row, and the last entry of every
// `step` ranks; an empty slot repeats the entry before it
// (GKSummaries.compressed in shadersort/streams/greenwald_khanna.py).
//
// RANK_BYTES: the size of a rank. `smallest` holds the smallest ranks, `before` the largest ranks less
// 1; their rows begin `stride` apart, 0 if all summaries share one row.
//
// Reads and writes every kept entry once, and reads what the searches need. One thread for each kept
// entry, which it finds by binary search.

#include "keys.cuh"

#if RANK_BYTES == 8
#define RANK u64
#else
#define RANK u32
#endif

// The last entry of a row whose largest rank less 1 is below a limit; the first entry if there is none.
__device__ __forceinline__ u64 last_below(const RANK* before, u64 entries, u64 limit) {
    u64 first = 1, last = entries;
    while (first < last) {
        const u64 middle = (first + last) / 2;
        if (before[middle] < limit) first = middle + 1;
        else last = middle;
    }
    return first - 1;
}

extern "C" __global__ void gk_compressed(const RAW* values, const RANK* smallest,
                                         const RANK* before, u64 rows, u64 entries, u64 stride,
                                         u64 step, u64 kept, RAW* kept_values, RANK* kept_smallest,
                                         RANK* kept_before) {
    const u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows * kept) return;
    const u64 row = i / kept, slot = i % kept;
    const u64 here = last_below(before + row * stride, entries, slot * step);
    kept_values[i] = values[row * entries + here];
    kept_smallest[i] = smallest[row * stride + here];
    kept_before[i] = before[row * stride + here];
}
