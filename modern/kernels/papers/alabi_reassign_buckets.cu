// bucketSelect as printed (Alabi et al. 2012, Alg. 5, reassignBucket): keys of the chosen bucket get one
// of the new buckets and are counted as in alabi_assign_buckets.cu; all others get the dummy bucket.
//
// Reads the bucket of each key, and the keys of the chosen bucket; writes all buckets.

#include "keys.cuh"
#include "totals.cuh"
#include "assigned.cuh"

extern "C" __global__ void __launch_bounds__(1024)
    alabi_reassign_buckets(const RAW* keys, u64 n, u32 chosen, double low, double slope, u32 buckets,
                           u32* bucket, u64* totals, u32* ticket, u64* result) {
    extern __shared__ u32 counter[];
    for (u32 i = threadIdx.x; i < buckets; i += blockDim.x) counter[i] = 0;
    __syncthreads();
    for_each_place(n, [&](u64 i) {
        u32 b = buckets;
        if (bucket[i] == chosen)
            b = bucket_at(projected((double)value_of(keys[i]), low, slope), buckets);
        bucket[i] = b;
        if (b < buckets) atomicInc(&counter[b], ~0u);
    });
    add_up(counter, buckets, totals);
    hand_over(totals, buckets, ticket, result);
}
