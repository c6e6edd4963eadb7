// Counts the keys in each bucket; keys outside all buckets are not counted. With NANS, the result has one
// number more: how many keys are NaN.
//
// Reads every key once. Shared memory: a counter of 32 bits for each number, for each block.

#include "keys.cuh"
#include "buckets.cuh"
#include "totals.cuh"

#ifndef NANS
#define NANS 0
#endif

extern "C" __global__ void __launch_bounds__(1024)
    bucket_histogram(const RAW* keys, u64 n, GIVEN given, u32 count, u64* totals, u32* ticket,
                     u64* result) {
    extern __shared__ u32 bins[];
    for (u32 i = threadIdx.x; i < count + NANS; i += blockDim.x) bins[i] = 0;
    load_division(DIVISION(given));

    u32 nans = 0;
    for_each_key(keys, n, [&](RAW bits) {
        if (NANS) nans += value_of(bits) != value_of(bits);
        if (is_inside(DIVISION(given), bits)) atomicAdd(&bins[bucket_of(DIVISION(given), bits)], 1);
    });
    if (NANS && (nans = warp_sum(nans)) && !(threadIdx.x % LANES)) atomicAdd(&bins[count], nans);
    add_up(bins, count + NANS, totals);
    hand_over(totals, count + NANS, ticket, result);
}
