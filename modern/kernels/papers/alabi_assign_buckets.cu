// bucketSelect as printed (Alabi et al. 2012, section 2.3, assignBuckets): writes the bucket of each key,
// and increments the counter of that bucket by one atomicInc in shared memory. Keys outside [low, high]
// get the number of the dummy bucket, which has no counter.
//
// Reads every key once, and writes an integer for it. Shared memory: `buckets` counters of 32 bits.

#include "keys.cuh"
#include "totals.cuh"
#include "assigned.cuh"

extern "C" __global__ void __launch_bounds__(1024)
    alabi_assign_buckets(const RAW* keys, u64 n, double low, double high, double slope, u32 buckets,
                         u32* bucket, u64* totals, u32* ticket, u64* result) {
    extern __shared__ u32 counter[];
    for (u32 i = threadIdx.x; i < buckets; i += blockDim.x) counter[i] = 0;
    __syncthreads();
    for_each_place(n, [&](u64 i) {
        const RAW bits = keys[i];
        const double key = (double)value_of(bits);
        u32 b = buckets;
        if (is_finite(bits) && key >= low && key <= high)
            b = bucket_at(projected(key, low, slope), buckets);
        bucket[i] = b;
        if (b < buckets) atomicInc(&counter[b], ~0u);
    });
    add_up(counter, buckets, totals);
    hand_over(totals, buckets, ticket, result);
}
