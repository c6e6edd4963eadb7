// Counts the keys in each of some buckets; keys outside all of them are not counted.
//
// Reads every key once. `count` counters of 32 bits a block, in shared memory.

#include "keys.cuh"
#include "buckets.cuh"

extern "C" __global__ void bucket_histogram(const RAW* keys, u64 n, RAW first, RAW last,
                                            const u64* table, u32 last_interval, u32 per_interval, u32 count,
                                            u64* counts) {
    extern __shared__ u32 bins[];
    for (u32 i = threadIdx.x; i < count; i += blockDim.x) bins[i] = 0;
    load_intervals(table);
    __syncthreads();

    const RAW span = last - first;
    for_each_key(keys, n, [&](RAW bits) {
        const RAW code = encode(bits);
        if ((RAW)(code - first) <= span) atomicAdd(&bins[bucket_of(bits, code, last_interval, per_interval)], 1);
    });
    __syncthreads();
    for (u32 i = threadIdx.x; i < count; i += blockDim.x)
        if (bins[i]) atomicAdd(&counts[i], (u64)bins[i]);
}
