// Counts keys at sorted pivots, by their codes: counter 2i is for keys between pivots i − 1 and i, counter 2i + 1 for
// keys equal to pivot i, and the last counter for keys above all pivots. Reads every key once. Shared memory: the
// pivots, and 2 × pivots + 1 counters of 32 bits.

#include "keys.cuh"
#include "totals.cuh"

extern "C" __global__ void counts_at(const RAW* keys, u64 n, const RAW* from, u64 pivots, u64* totals, u32* ticket,
                                     u64* result) {
    extern __shared__ u64 memory[];
    RAW* pivot = (RAW*)memory;
    u32* bins = (u32*)(memory + pivots);  // one word for each pivot is enough for any type
    for (u32 i = threadIdx.x; i < pivots; i += blockDim.x) pivot[i] = from[i];
    for (u32 i = threadIdx.x; i <= 2 * pivots; i += blockDim.x) bins[i] = 0;
    __syncthreads();

    for_each_key(keys, n, [&](RAW bits) {
        const RAW code = encode(bits);
        const u32 first = partition_point(0u, (u32)pivots, [&](u32 i) { return pivot[i] < code; });
        atomicAdd(&bins[2 * first + (first < pivots && pivot[first] == code)], 1);
    });
    add_up(bins, 2 * (u32)pivots + 1, totals);
    hand_over(totals, 2 * (u32)pivots + 1, ticket, result);
}
