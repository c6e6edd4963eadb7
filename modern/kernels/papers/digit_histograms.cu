// Counts digits under several prefixes: counter `place × BINS + digit` is for keys whose
// code >> (shift + bits of a digit) equals the prefix at that place.
//
// Reads every key once. Shared memory: the prefixes, and BINS × prefixes counters of 32 bits.

#include "keys.cuh"
#include "prefixes.cuh"
#include "totals.cuh"

extern "C" __global__ void digit_histograms(const RAW* keys, u64 n, u32 shift, u32 prefix_shift,
                                            const RAW* from, u32 count, u64* totals, u32* ticket,
                                            u64* result) {
    extern __shared__ u64 memory[];
    RAW* prefixes = (RAW*)memory;
    u32* bins = (u32*)(memory + count);
    for (u32 i = threadIdx.x; i < count; i += blockDim.x) prefixes[i] = from[i];
    for (u32 i = threadIdx.x; i < BINS * count; i += blockDim.x) bins[i] = 0;
    __syncthreads();

    for_each_key(keys, n, [&](RAW bits) {
        const RAW code = encode(bits);
        const u32 place = place_among(prefixes, count, shifted(code, prefix_shift));
        if (place < count) atomicAdd(&bins[place * BINS + (u32)(code >> shift) % BINS], 1);
    });
    add_up(bins, BINS * count, totals);
    hand_over(totals, BINS * count, ticket, result);
}
