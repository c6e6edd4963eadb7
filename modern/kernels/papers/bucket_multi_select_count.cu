// bucketMultiSelect, first kernel: counts the keys in open buckets, and finds the bucket of each rank;
// the ranks are ascending. The pivots are the edges in buckets.cuh. A bucket with a rank is active, and
// gets a flag, if it has at most `most` keys and its interval has more than one code. The next kernel,
// bucket_multi_select_copy.cu, copies the keys of active buckets.
//
// `table` has five rows of `asked` numbers: the bucket of a rank, the number of keys before the bucket,
// the number inside, the number of its part (0 if the bucket is not active), and the rank. result[0] is
// the number of keys to copy; the first four rows of the table follow. Every active bucket has a part,
// numbered from 1; `parts` has the place where each part begins, and `passed` the number of flags before
// each word of `flags`.
//
// Reads every key once. A block needs at least as many threads as there are ranks, and `count` counters
// of 32 bits in shared memory. `starts` has room for 2 × buckets + 2 numbers, `flags` for a bit for each
// bucket.

#include "keys.cuh"
#include "buckets.cuh"
#include "totals.cuh"
#include "scan.cuh"
#include "starts.cuh"

__device__ __forceinline__ bool is_single(const Division& division, u32 interval) {
#if INTERVALS > 1
    return interval && interval < division.last_interval &&
           (RAW)(edges[interval + 1] - edges[interval]) == 1;
#else
    return false;
#endif
}

extern "C" __global__ void __launch_bounds__(1024)
    bucket_multi_select_count(const RAW* keys, u64 n, GIVEN given, u32 count, const u64* ranks, u32 asked, u64 most,
           u64* starts, u64* parts, u32* flags, u32* passed, u64* table, u64* totals, u32* ticket,
           u64* result) {
    extern __shared__ u32 bins[];
    for (u32 i = threadIdx.x; i < count; i += blockDim.x) bins[i] = 0;
    load_division(DIVISION(given));

    for_each_key(keys, n, [&](RAW bits) { atomicAdd(&bins[bucket_of(DIVISION(given), bits)], 1); });
    add_up(bins, count, totals);
    if (!comes_last(ticket)) return;

    const u32 words = (count + 31) / 32;
    for (u32 word = threadIdx.x; word < words; word += blockDim.x) bins[word] = 0;  // now flags
    scan(count, starts, [&](u32 i) { return fresh(&totals[i]); });
    const u32 i = threadIdx.x;  // the number of a rank from here on
    const u64 rank = i < asked ? ranks[i] : 0;  // in the host's memory: read once
    u64 start = 0, size = 0;
    u32 bucket = 0, bit = 0;
    if (i < asked) {
        bucket = counter_at(starts, count, rank), bit = 1u << bucket % 32;
        start = starts[bucket], size = starts[bucket + 1] - start;
        if (size <= most && !is_single(DIVISION(given), bucket / DIVISION(given).per_interval))
            atomicOr(&bins[bucket / 32], bit);
    }
    __syncthreads();
    u64* flagged = starts + count + 1;
    scan(count, flagged, [&](u32 i) { return bins[i / 32] >> i % 32 & 1 ? fresh(&totals[i]) : 0; });
    scan(words, parts, [&](u32 i) { return (u64)__popc(bins[i]); });
    for (u32 word = threadIdx.x; word < words; word += blockDim.x)
        flags[word] = bins[word], passed[word] = (u32)parts[word];
    __syncthreads();
    if (i < asked) {
        const bool flag = bins[bucket / 32] & bit;
        const u32 number = passed[bucket / 32] + __popc(bins[bucket / 32] & (bit - 1)) + 1;
        const u64 row[] = {bucket, start, size, flag ? number : 0};
        for (int j = 0; j < 4; ++j) table[j * asked + i] = result[1 + j * asked + i] = row[j];
        table[4 * asked + i] = rank;
        if (flag) parts[number - 1] = flagged[bucket];
    }
    for (u32 j = threadIdx.x; j < count; j += blockDim.x) totals[j] = 0;
    if (!threadIdx.x) result[0] = flagged[count];
}
