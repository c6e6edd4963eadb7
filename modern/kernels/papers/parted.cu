// Compaction: copies the keys strictly between two pivots that are not NaN, in any order, and counts.
// result[0]: the number of copies; 1: keys below the first pivot; 2 and 3: keys equal to the first and
// to the second; with NANS, 4: NaNs.
//
// With HANDED_ON the pivots are in memory, where an earlier kernel left them, and a later kernel reads
// the result. The result is then not in the host's memory, which many blocks read slowly.
//
// Reads every key once and writes every copy once. Any grid of blocks of THREADS.

#include "keys.cuh"
#include "compaction.cuh"

#if HANDED_ON
#define PIVOTS const RAW* pivots
#else
#define PIVOTS RAW low, RAW high
#endif

#ifndef NANS
#define NANS 0
#endif
#define COUNTS (4 + NANS)

struct Parted {
    VALUE low, high;
    u32 below = 0, at_low = 0, at_high = 0, nans = 0;
    __device__ __forceinline__ bool wants(RAW bits) {
        const VALUE key = value_of(bits);
        below += key < low, at_low += key == low, at_high += key == high;
        if (NANS) nans += key != key;
        return key > low && key < high;
    }
    __device__ __forceinline__ bool again(RAW bits, bool) const {
        const VALUE key = value_of(bits);
        return key > low && key < high;
    }
};

extern "C" __global__ void __launch_bounds__(THREADS)
    parted(const RAW* keys, u64 n, PIVOTS, RAW* chosen, u64 room, u64* totals, u32* ticket,
           u64* result) {
#if HANDED_ON
    const RAW low = pivots[0], high = pivots[1];
#endif
    Parted filter{value_of(low), value_of(high)};
    compact(keys, n, filter, Together{chosen, room, totals});
    __shared__ u32 counts[COUNTS];
    if (threadIdx.x < COUNTS) counts[threadIdx.x] = 0;
    __syncthreads();
    const u32 sums[] = {warp_sum(filter.below), warp_sum(filter.at_low), warp_sum(filter.at_high),
                        NANS ? warp_sum(filter.nans) : 0};
    if (!(threadIdx.x % LANES))
        for (int i = 0; i < COUNTS - 1; ++i) atomicAdd(&counts[1 + i], sums[i]);
    add_up(counts, COUNTS, totals);
    hand_over(totals, COUNTS, ticket, result);
}
