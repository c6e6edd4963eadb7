// Counts the keys in open buckets, and finds the bucket of each of some ranks, in ascending order.
// Buckets with up to `most` keys are flagged, if their interval has room for more than one code:
// their keys are to be copied.
//
// table, four rows of `asked`: a rank's bucket, the keys before it, those in it, and the number of its
// part, or 0. result[0]: how many keys are to be copied; the table follows. A flagged bucket has a
// part of its own: they are numbered from 1 on, `parts` tells where each begins, and `passed` how many
// flags there are in the words before each.
//
// Reads every key once. `count` counters of 32 bits a block, in shared memory. `starts` has room for
// two more than twice the buckets, and `flags` for a bit for each.

#include "keys.cuh"
#include "buckets.cuh"
#include "totals.cuh"
#include "scan.cuh"

// Fills `starts` with the number of keys in the buckets before each, of those that `counts` tells.
template <class Counts>
__device__ void scan(u32 count, u64* starts, Counts counts) {
    const u32 each = (count + blockDim.x - 1) / blockDim.x, first = threadIdx.x * each;
    u64 mine = 0;
    for (u32 i = first; i < first + each && i < count; ++i) mine += counts(i);
    u64 start = before_in_block(mine);
    for (u32 i = first; i < first + each && i < count; ++i) starts[i] = start, start += counts(i);
    if (first + each >= count && first < count) starts[count] = start;
    __syncthreads();
}

// The last bucket that starts at a rank or before.
__device__ u32 bucket_at(const u64* starts, u32 count, u64 rank) {
    u32 first = 0, last = count;
    while (first < last) {
        const u32 middle = (first + last) / 2;
        if (starts[middle + 1] <= rank) first = middle + 1;
        else last = middle;
    }
    return first;
}

__device__ __forceinline__ bool is_single(const Division& division, u32 interval) {
#if INTERVALS > 1
    return interval && interval < division.last_interval &&
           (RAW)(edges[interval + 1] - edges[interval]) == 1;
#else
    return false;
#endif
}

extern "C" __global__ void __launch_bounds__(1024)
    around(const RAW* keys, u64 n, GIVEN given, u32 count, const u64* ranks, u32 asked, u64 most,
           u64* starts, u64* parts, u32* flags, u32* passed, u64* table, u64* totals, u32* ticket,
           u64* result) {
    extern __shared__ u32 bins[];
    for (u32 i = threadIdx.x; i < count; i += blockDim.x) bins[i] = 0;
    load_division(DIVISION(given));

    for_each_key(keys, n, [&](RAW bits) { atomicAdd(&bins[bucket_of(DIVISION(given), bits)], 1); });
    add_up(bins, count, totals);
    if (!comes_last(ticket)) return;

    const u32 words = (count + 31) / 32;
    for (u32 i = threadIdx.x; i < words; i += blockDim.x) bins[i] = 0;  // flags now
    scan(count, starts, [&](u32 i) { return fresh(&totals[i]); });
    const auto bucket_of_rank = [&](u32 i) { return bucket_at(starts, count, ranks[i]); };
    for (u32 i = threadIdx.x; i < asked; i += blockDim.x) {
        const u32 bucket = bucket_of_rank(i);
        const u64 size = starts[bucket + 1] - starts[bucket];
        if (size <= most && !is_single(DIVISION(given), bucket / DIVISION(given).per_interval))
            atomicOr(&bins[bucket / 32], 1u << bucket % 32);
    }
    __syncthreads();
    u64* flagged = starts + count + 1;
    scan(count, flagged, [&](u32 i) { return bins[i / 32] >> i % 32 & 1 ? fresh(&totals[i]) : 0; });
    scan(words, parts, [&](u32 i) { return (u64)__popc(bins[i]); });
    for (u32 i = threadIdx.x; i < words; i += blockDim.x)
        flags[i] = bins[i], passed[i] = (u32)parts[i];
    __syncthreads();
    for (u32 i = threadIdx.x; i < asked; i += blockDim.x) {
        const u32 bucket = bucket_of_rank(i), bit = 1u << bucket % 32;
        const bool flag = bins[bucket / 32] & bit;
        const u32 number = passed[bucket / 32] + __popc(bins[bucket / 32] & (bit - 1)) + 1;
        const u64 start = starts[bucket], size = starts[bucket + 1] - start;
        const u64 row[] = {bucket, start, size, flag ? number : 0};
        for (int j = 0; j < 4; ++j) table[j * asked + i] = result[1 + j * asked + i] = row[j];
        if (flag) parts[number - 1] = flagged[bucket];
    }
    for (u32 i = threadIdx.x; i < count; i += blockDim.x) totals[i] = 0;
    if (!threadIdx.x) result[0] = flagged[count];
}
