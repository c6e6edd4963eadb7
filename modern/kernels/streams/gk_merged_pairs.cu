// Greenwald and Khanna's merge of summaries in pairs: of the first row with the second, and so on.
// Equal values keep their order, those of the first row come first
// (GKSummaries.merged_in_pairs in shadersort/streams/greenwald_khanna.py).
//
// RANK_BYTES: the size of a rank. `smallest` holds the smallest ranks, `before` the largest ranks less
// 1; their rows begin `stride` apart, 0 if all summaries share one row. Each row is the summary of
// `size` values.
//
// Reads and writes every entry once, and reads what the searches need. One thread for each entry. Its
// place is its column plus the number of entries of the other row before it, found by a binary search;
// its ranks are its own ranks plus those of its place in the other row.

#include "keys.cuh"
#include "gk_places.cuh"

#if RANK_BYTES == 8
#define RANK u64
#else
#define RANK u32
#endif

extern "C" __global__ void gk_merged_pairs(const RAW* values, const RANK* smallest,
                                           const RANK* before, u64 rows, u64 entries, u64 stride,
                                           u64 size, RAW* merged, RANK* merged_smallest,
                                           RANK* merged_before) {
    const u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows * entries) return;
    const u64 row = i / entries, column = i % entries, is_second = row & 1, other = row ^ 1;
    const u64 passed =
        entries_before(values + other * entries, entries, encode(values[i]), is_second);
    const u64 place = (row - is_second) * entries + column + passed;
    const RANK least = passed ? smallest[other * stride + passed - 1] : 0;
    const RANK most = passed < entries ? before[other * stride + passed] : (RANK)size;
    merged[place] = values[i];
    merged_smallest[place] = smallest[row * stride + column] + least;
    merged_before[place] = before[row * stride + column] + most;
}
