// Counts the keys in each bucket; keys outside all buckets are not counted. One number more says how many are NaN.
// Reads every key once. Shared memory: a counter of 32 bits for each number, for each block.

#include "keys.cuh"
#include "buckets.cuh"
#include "totals.cuh"

extern "C" __global__ void __launch_bounds__(1024)
    bucket_histogram(const RAW* keys, u64 n, const Division division, const RAW* from, const Line* given, u64 count,
                     u64* totals, u32* ticket, u64* result) {
    extern __shared__ u32 bins[];
    for (u32 i = threadIdx.x; i <= count; i += blockDim.x) bins[i] = 0;
    load_intervals(division, from, given);
    u32 nans = 0;
    for_each_key(keys, n, [&](RAW bits) {
        nans += is_nan(bits);
        if (is_inside(division, bits)) atomicAdd(&bins[bucket_of(division, bits)], 1);
    });
    if (FLOATING) add_to(&bins[count], nans);
    add_up(bins, (u32)count + 1, totals);
    hand_over(totals, (u32)count + 1, ticket, result);
}
