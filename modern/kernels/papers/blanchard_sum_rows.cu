// bucketMultiSelect as printed (Blanchard et al. 2015, Subroutine 3, step 1): replaces each row of
// CounterArray by its cumulative sum, and hands the last column to the host.
//
// One thread for each of the `buckets` rows.

#include "keys.cuh"

extern "C" __global__ void blanchard_sum_rows(u32* counter_array, u32 buckets, u32 blocks, u64* result) {
    const u32 b = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= buckets) return;
    u32 sum = 0;
    for (u32 block = 0; block < blocks; ++block) {
        u32* const here = &counter_array[(u64)b * blocks + block];
        *here = sum += *here;
    }
    result[b] = sum;
}
