// bucketMultiSelect as printed (Blanchard et al. 2015, Subroutine 2): finds the KD interval of each finite key by a
// binary search, projects the key to a bucket, writes the bucket, and counts by one atomicInc in shared memory. Each
// block copies its counters to its own column of CounterArray.
//
// Reads every key once, and writes an integer for it. Shared memory: `buckets` counters of 32 bits.

#include "keys.cuh"
#include "assigned.cuh"

extern "C" __global__ void __launch_bounds__(1024)
    blanchard_assign_buckets(const RAW* keys, u64 n, const double* given_pivots, const double* given_slopes, u64 count,
                             u32* bucket, u32* counter_array) {
    extern __shared__ u32 counter[];
    const u32 buckets = (u32)count;
    __shared__ double pivots[INTERVALS], slopes[INTERVALS];
    for (u32 i = threadIdx.x; i < INTERVALS; i += blockDim.x)
        pivots[i] = given_pivots[i], slopes[i] = given_slopes[i];
    for (u32 i = threadIdx.x; i < buckets; i += blockDim.x) counter[i] = 0;
    __syncthreads();
    const u32 each = buckets / INTERVALS;
    for_each_place(n, [&](u64 i) {
        const RAW bits = keys[i];
        u32 b = buckets;
        if (is_finite(bits)) {
            const double key = (double)value_of(bits);
            u32 p = 0;
            UNROLLED for (u32 step = INTERVALS / 2; step; step /= 2)
                if (key >= pivots[p + step]) p += step;
            const double place = projected(key, pivots[p], slopes[p]);
            // an interval without width has the slope ∞, and 0 · ∞ is NaN: its first bucket
            b = p * each + (place != place ? 0 : place < each ? (u32)place : each);
            if (b >= buckets) b = buckets - 1;  // the right end of the last bucket is closed
            atomicInc(&counter[b], ~0u);
        }
        bucket[i] = b;
    });
    __syncthreads();
    for (u32 i = threadIdx.x; i < buckets; i += blockDim.x)
        counter_array[(u64)i * gridDim.x + blockIdx.x] = counter[i];
}
