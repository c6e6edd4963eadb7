// Counts the keys in each bucket; keys outside all buckets are not counted.
//
// Reads every key once. Shared memory: a counter of 32 bits for each bucket, for each block.

#include "keys.cuh"
#include "buckets.cuh"
#include "totals.cuh"

extern "C" __global__ void __launch_bounds__(1024)
    bucket_histogram(const RAW* keys, u64 n, GIVEN given, u64 count, u64* totals, u32* ticket, u64* result) {
    extern __shared__ u32 bins[];
    for (u32 i = threadIdx.x; i < count; i += blockDim.x) bins[i] = 0;
    load_division(DIVISION(given));
    for_each_key(keys, n, [&](RAW bits) {
        if (is_inside(DIVISION(given), bits)) atomicAdd(&bins[bucket_of(DIVISION(given), bits)], 1);
    });
    add_up(bins, (u32)count, totals);
    hand_over(totals, (u32)count, ticket, result);
}
