// radixSelect: counts the digits (code >> shift) % BINS of the keys whose codes lie from `first` to `last`. With PREFIXES
// counter `place × BINS + digit` is for keys whose code >> (shift + bits of a digit) is the prefix at that place. With
// CODES the array holds codes already.
//
// Reads every key once. Shared memory: BINS × REPLICAS counters of 32 bits for each block, or BINS for each prefix and 8
// bytes more. With as many replicas as lanes, each lane has a memory bank of its own, and equal digits do not collide.

#include "keys.cuh"
#include "totals.cuh"
#include "tables.cuh"

#ifndef CODES
#define CODES 0
#endif

extern "C" __global__ void digit_histogram(const RAW* keys, u64 n, u64 shift, u64 first, u64 last, const RAW* from,
                                           u64 count, u64* totals, u32* ticket, u64* result) {
    extern __shared__ u64 memory[];
    RAW* prefixes = (RAW*)memory;
    u32* bins = (u32*)(memory + (PREFIXES ? count : 0));
    const u32 size = BINS * (PREFIXES ? (u32)count : REPLICAS), replica = threadIdx.x % REPLICAS;
    for (u32 i = threadIdx.x; PREFIXES && i < count; i += blockDim.x) prefixes[i] = from[i];
    for (u32 i = threadIdx.x; i < size; i += blockDim.x) bins[i] = 0;
    __syncthreads();

    const RAW low = (RAW)first, span = (RAW)(last - first);
    for_each_key(keys, n, [&](RAW bits) {
        const RAW code = CODES ? bits : encode(bits);
        const u32 digit = (u32)(code >> (u32)shift) % BINS;
        if (PREFIXES) {
            const u32 place = place_among(prefixes, (u32)count, shifted(code, (u32)last));
            if (place < count) atomicAdd(&bins[place * BINS + digit], 1);
        } else if ((RAW)(code - low) <= span)
            atomicAdd(&bins[digit * REPLICAS + replica], 1);
    });
    __syncthreads();
    const u32 counters = PREFIXES ? size : BINS;
    for (u32 bin = threadIdx.x; bin < counters; bin += blockDim.x) {
        u32 sum = 0;
        for (u32 i = 0; i < (PREFIXES ? 1 : REPLICAS); ++i)
            sum += PREFIXES ? bins[bin] : bins[bin * REPLICAS + (bin + i) % REPLICAS];
        if (sum) atomicAdd(&totals[bin], (u64)sum);
    }
    hand_over(totals, counters, ticket, result);
}
