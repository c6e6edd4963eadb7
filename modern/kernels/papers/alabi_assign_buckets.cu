// bucketSelect as printed (Alabi et al. 2012): writes the bucket of each key, and increments the counter of that bucket
// by one atomicInc in shared memory. Other keys get the number of the dummy bucket, which has no counter.
//
// assignBuckets (section 2.3) gives buckets to the keys from low to high; with AGAIN, reassignBucket (Alg. 5) gives new
// ones to the keys of the chosen bucket, and does not read the others. Reads every key once, or the bucket of each, and
// writes an integer for it. Shared memory: `buckets` counters of 32 bits.

#include "keys.cuh"
#include "totals.cuh"
#include "assigned.cuh"

extern "C" __global__ void __launch_bounds__(1024)
    alabi_assign_buckets(const RAW* keys, u64 n, u64 chosen, double low, double high, double slope, u64 count,
                         u32* bucket, u64* totals, u32* ticket, u64* result) {
    extern __shared__ u32 counter[];
    const u32 buckets = (u32)count;
    for (u32 i = threadIdx.x; i < buckets; i += blockDim.x) counter[i] = 0;
    __syncthreads();
    for_each_place(n, [&](u64 i) {
        u32 b = buckets;
        if (!AGAIN || bucket[i] == chosen) {
            const RAW bits = keys[i];
            const double key = (double)value_of(bits);
            if (AGAIN || is_finite(bits) && key >= low && key <= high)
                b = bucket_at(projected(key, low, slope), buckets);
        }
        bucket[i] = b;
        if (b < buckets) atomicInc(&counter[b], ~0u);
    });
    add_up(counter, buckets, totals);
    hand_over(totals, buckets, ticket, result);
}
