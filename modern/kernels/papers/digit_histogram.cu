// radixSelect: counts the digits (code >> shift) % BINS of the keys under some ascending prefixes. Counter `place ×
// BINS + digit` is for keys whose code >> prefix_shift is the prefix at that place. With CODES the array holds codes
// already; without MANY there is one prefix.
//
// Reads every key once. Shared memory: 8 bytes for each of `count` prefixes, and BINS × REPLICAS counters of 32 bits
// for each. With as many replicas as lanes, each lane has a memory bank of its own, and equal digits do not collide.

#include "keys.cuh"
#include "totals.cuh"

extern "C" __global__ void digit_histogram(const RAW* keys, u64 n, u64 shift, u64 prefix_shift, const RAW* from, u64 count,
                                           u64* totals, u32* ticket, u64* result) {
    extern __shared__ u64 memory[];
    RAW* prefixes = (RAW*)memory;
    u32* bins = (u32*)(memory + count);
    const u32 counters = BINS * (u32)count, replica = threadIdx.x % REPLICAS;
    for (u32 i = threadIdx.x; i < count; i += blockDim.x) prefixes[i] = from[i];
    for (u32 i = threadIdx.x; i < counters * REPLICAS; i += blockDim.x) bins[i] = 0;
    __syncthreads();
    for_each_key(keys, n, [&](RAW bits) {
        const RAW code = CODES ? bits : encode(bits);
        const RAW prefix = shifted(code, (u32)prefix_shift);
        const u32 place = MANY ? place_among(prefixes, (u32)count, prefix) : prefix != prefixes[0];
        if (place < count)
            atomicAdd(&bins[(place * BINS + (u32)(code >> (u32)shift) % BINS) * REPLICAS + replica], 1);
    });
    __syncthreads();
    for (u32 bin = threadIdx.x; bin < counters; bin += blockDim.x) {
        u32 sum = 0;
        for (u32 i = 0; i < REPLICAS; ++i) sum += bins[bin * REPLICAS + (bin + i) % REPLICAS];
        if (sum) atomicAdd(&totals[bin], (u64)sum);
    }
    hand_over(totals, counters, ticket, result);
}
