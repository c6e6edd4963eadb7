// Merges Greenwald-Khanna summaries in pairs: the first row with the second, and so on. Equal values keep their order,
// those of the first row come first (merge_pairs of GKSummaries and MassSummaries in shadersort/streams/).
//
// Without MASSES, `low` holds the smallest rank of each entry and `high` its largest rank less 1, as numbers of
// RANK_BYTES; their rows begin `stride` apart, 0 if all summaries share one row; each row is the summary of `size`
// values. The ranks of an entry grow by those of its place in the other row. With MASSES, `low` and `high` hold three
// planes of (rows, entries) increments, which move with their entries.
//
// Reads and writes every entry once, and reads what a binary search in the other row needs. One thread for each entry.

#include "keys.cuh"

#if MASSES
#define WEIGHT double
#elif RANK_BYTES == 8
#define WEIGHT u64
#else
#define WEIGHT u32
#endif

extern "C" __global__ void gk_merge(const RAW* values, const WEIGHT* low, const WEIGHT* high, u64 rows, u64 entries,
                                    u64 stride, u64 size, RAW* merged, WEIGHT* merged_low, WEIGHT* merged_high) {
    const u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x, plane = rows * entries;
    if (i >= plane) return;
    const u64 row = i / entries, column = i % entries, is_second = row & 1, other = row ^ 1;
    const RAW code = encode(values[i]);
    const u64 passed = partition_point<u64>(0, entries, [&](u64 at) {
        const RAW there = encode(values[other * entries + at]);
        return there < code || (is_second && there == code);
    });
    const u64 place = (row - is_second) * entries + column + passed;
    merged[place] = values[i];
#if MASSES
    for (u64 start = 0; start < 3 * plane; start += plane) {
        merged_low[start + place] = low[start + i];
        merged_high[start + place] = high[start + i];
    }
#else
    const WEIGHT *own = low + row * stride, *others = low + other * stride;
    merged_low[place] = own[column] + (passed ? others[passed - 1] : 0);
    own = high + row * stride, others = high + other * stride;
    merged_high[place] = own[column] + (passed < entries ? others[passed] : (WEIGHT)size);
#endif
}
