// Keeps of each row of ranked values the first entry, and the last of every `step` ranks; where there
// is none, the entry before them again (shadersort/streams/greenwald_khanna.py).
//
// RANK_BYTES is what a rank has. `smallest` are the smallest ranks, and `before` the largest ones, less
// 1; their rows begin `stride` apart: 0 if all share one.
//
// Reads and writes every entry that is kept once, beside what searches read. Such an entry a thread,
// found by binary search.

#include "keys.cuh"

#if RANK_BYTES == 8
#define RANK u64
#else
#define RANK u32
#endif

// The last entry of a row whose largest rank, less one, is below a limit, or else the first.
__device__ __forceinline__ u64 last_below(const RANK* before, u64 entries, u64 limit) {
    u64 first = 1, last = entries;
    while (first < last) {
        const u64 middle = (first + last) / 2;
        if (before[middle] < limit) first = middle + 1;
        else last = middle;
    }
    return first - 1;
}

extern "C" __global__ void gk_compressed(const RAW* values, const RANK* smallest, const RANK* before,
                                      u64 rows, u64 entries, u64 stride, u64 step, u64 kept,
                                      RAW* kept_values, RANK* kept_smallest, RANK* kept_before) {
    const u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows * kept) return;
    const u64 row = i / kept, slot = i % kept;
    const u64 here = last_below(before + row * stride, entries, slot * step);
    kept_values[i] = values[row * entries + here];
    kept_smallest[i] = smallest[row * stride + here];
    kept_before[i] = before[row * stride + here];
}
