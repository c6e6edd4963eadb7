// radixSelect: counts the digits (code >> shift) % BINS of the keys whose codes lie from `first` to `last`.
//
// Reads every key once. Shared memory: BINS × REPLICAS counters of 32 bits for each block. With as many
// replicas as lanes, each lane has a memory bank of its own, and equal digits do not collide. With CODES
// the array holds codes already.

#include "keys.cuh"
#include "totals.cuh"

#ifndef CODES
#define CODES 0
#endif

extern "C" __global__ void digit_histogram(const RAW* keys, u64 n, u32 shift, RAW first, RAW last,
                                           u64* totals, u32* ticket, u64* result) {
    extern __shared__ u32 bins[];
    for (u32 i = threadIdx.x; i < BINS * REPLICAS; i += blockDim.x) bins[i] = 0;
    __syncthreads();

    const RAW span = last - first;
    const u32 replica = threadIdx.x % REPLICAS;
    for_each_key(keys, n, [&](RAW bits) {
        const RAW code = CODES ? bits : encode(bits);
        if ((RAW)(code - first) <= span)
            atomicAdd(&bins[(u32)(code >> shift) % BINS * REPLICAS + replica], 1);
    });
    __syncthreads();
    for (u32 bin = threadIdx.x; bin < BINS; bin += blockDim.x) {
        u32 sum = 0;
        for (u32 i = 0; i < REPLICAS; ++i) sum += bins[bin * REPLICAS + (bin + i) % REPLICAS];
        if (sum) atomicAdd(&totals[bin], (u64)sum);
    }
    hand_over(totals, BINS, ticket, result);
}
