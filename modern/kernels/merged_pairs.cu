// Merges the rows of an array in pairs, each row in order: the first with the second, and so on. Equal
// values stay as they are, those of the first row first. Increments of ranks move with the values.
//
// RANK_BYTES is what an increment has. `stride` is how far apart the rows of increments begin: 0 if all
// rows share one. An entry a thread: its place is its column, and how many entries of the other row
// come before it, which a binary search finds.

#include "keys.cuh"

#if RANK_BYTES == 8
#define RANK u64
#else
#define RANK u32
#endif

// How many entries of a row have codes below one, or up to it.
__device__ __forceinline__ u64 entries_before(const RAW* row, u64 entries, RAW code, bool upto) {
    u64 first = 0, last = entries;
    while (first < last) {
        const u64 middle = (first + last) / 2;
        const RAW here = encode(row[middle]);
        if (here < code || (upto && here == code)) first = middle + 1;
        else last = middle;
    }
    return first;
}

extern "C" __global__ void merged_pairs(const RAW* values, const RANK* lower, const RANK* upper,
                                        u64 rows, u64 entries, u64 stride, RAW* merged,
                                        RANK* merged_lower, RANK* merged_upper) {
    const u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows * entries) return;
    const u64 row = i / entries, column = i % entries, is_second = row & 1;
    const RAW* other = values + (row ^ 1) * entries;
    const u64 before = entries_before(other, entries, encode(values[i]), is_second);
    const u64 place = (row - is_second) * entries + column + before;
    merged[place] = values[i];
    merged_lower[place] = lower[row * stride + column];
    merged_upper[place] = upper[row * stride + column];
}
