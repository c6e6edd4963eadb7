// One rank, or two neighbours, of pieces: what the steps share.

#define SPILLED_AT_ONCE 8
#include "piece.cuh"
#include "steps.cuh"

// What is asked of n keys: `ask` as in one_read.cu.
struct Wanted {
    u64 n, rank, pair, unless_nan, ask;
};

#define ROUNDS ((KEY_BITS + BITS - 2) / (BITS - 1))  // that two ranks need, of BITS - 1 each

// What devices share: the bracket, what the read has counted, and the rounds of digits if the bracket missed.
struct Across {
    Bracket bracket;
    Totals totals;
    struct Round {
        Range range[2];
        u64 totals[BINS];
    } rounds[ROUNDS];
};

// Loads what the read has counted, and sets the ranks. Returns whether the counts prove where they are.
__device__ __forceinline__ bool load_counts(Search& search, const Across* across, const Wanted& wanted, u64 room,
                                            u64& numbers) {
    if (threadIdx.x < sizeof(Totals) / sizeof(u64))
        ((u64*)&search.totals)[threadIdx.x] = ((const u64*)&across->totals)[threadIdx.x];
    __syncthreads();
    numbers = FLOATING ? search.totals.numbers : wanted.n;
    if (!threadIdx.x) search.want(wanted.rank, wanted.pair, wanted.ask, wanted.ask == NANMEDIAN ? numbers : wanted.n);
    __syncthreads();
    return search.is_hit(numbers, room);
}

// Loads the ranges of a round: all codes, or those that the round before has found.
__device__ __forceinline__ void load_round(Search& search, const Across* across, u32 round, u64 n) {
    Range* range = search.range;
    if (threadIdx.x < 2) range[threadIdx.x] = round ? across->rounds[round - 1].range[threadIdx.x] : Range{0, (RAW)~(RAW)0, 0, n};
    __syncthreads();
    if (!round || range[0].is_one() && range[1].is_one()) return;
    u32 shift[2];
    const u32 start = shift_bins(range, shift);
    const u64* own = across->rounds[round - 1].totals + 4 * threadIdx.x;
    const u64 count[4] = {own[0], own[1], own[2], own[3]};
    locate(range, search.rank, shift, start, count);
}
