// Ranks of rows by a sample, a bracket and one read: the steps that do not depend on how many blocks have a row. It
// needs ranges (code_ranges.cuh), and the macros ASK and CODE_OF.

#include "middle.cuh"
#include "row_asks.cuh"
#include "row_sources.cuh"
#include "sampled_bracket.cuh"

// What all threads of a block share: two neighbouring ranks, or one twice, and what is known of them.
struct Wanted {
    u64 rank[2], target[2], rank_inside[2];
    Range range[2];
    u32 nans;
};

// How many keys of a row are numbers, at least 1; and how many of its sample.
struct Expected {
    u64 numbers, sampled;
};

__device__ __forceinline__ u32 nans_of(Wanted& s, const RowSample& sample) {
    u32 nans = 0;
    sample([&](RAW code) { nans += FLOATING && code == (RAW)~(RAW)0; });
    if (!threadIdx.x) s.nans = 0;
    __syncthreads();
    add_to(&s.nans, nans);
    __syncthreads();
    return s.nans;
}

// What a sample tells of the numbers. For medians this sets the ranks.
__device__ __forceinline__ Expected expect(Wanted& s, const RowSample& sample) {
    const u64 all = (u64)sample.samples * THREADS * PER_LOAD;
    Expected expected{sample.row.n, all};
    if (ASK == NANMEDIAN && FLOATING) {
        expected.sampled -= nans_of(s, sample);
        expected.numbers = (u64)((float)sample.row.n * ((float)expected.sampled / (float)all));
    }
    if (!expected.numbers) expected.numbers = 1;
    if (ASK != SELECT) {
        if (!threadIdx.x) set_middle(s.rank, expected.numbers);
        __syncthreads();
    }
    return expected;
}

// Finds the bracket of the ranks in a sample.
__device__ __forceinline__ Bracket sampled_bracket(Wanted& s, const RowSample& sample, const Expected& expected,
                                                   float wide) {
    const u64 all = (u64)sample.samples * THREADS * PER_LOAD, sampled = expected.sampled;
    if (!threadIdx.x) {
        aim(s.target, s.rank, expected.numbers, sampled, wide);
        s.rank_inside[0] = s.target[0] < sampled ? s.target[0] : 0;
        s.rank_inside[1] = s.target[1] < sampled ? s.target[1] : sampled - 1;
        s.range[0] = s.range[1] = {0, (RAW)~(RAW)0, 0, all};
    }
    __syncthreads();
    while (sampled && (is_heavy(s.range[0], sampled) && !s.range[0].is_one() ||
                       is_heavy(s.range[1], sampled) && !s.range[1].is_one()))
        narrow_alone(s.range, s.rank_inside, sample);
    return bracket_of(s.range, s.target, sampled);
}

// Narrows two ranges of codes to one code each, over a source that a block has alone.
template <class Source>
__device__ __forceinline__ void narrow_fully(Range* range, const u64* rank, Source source) {
    while (!range[0].is_one() && range[0].here > COMPARED || !range[1].is_one() && range[1].here > COMPARED)
        narrow_alone(range, rank, source);
    compare(range, rank, source);
}

// Whether the counts prove that the bracket holds the ranks; those behind all numbers need none.
template <class Totals>
__device__ __forceinline__ bool is_hit(const Totals& totals, const u64* rank, u64 numbers) {
    const u64 upto = (u64)totals.below + totals.low_equal + totals.inside + totals.high_equal;
    bool hit = true;
    for (int r = 0; r < 2; ++r)
        hit = hit && (rank[r] >= numbers || rank[r] >= totals.below && rank[r] < upto);
    return hit;
}

// Finds the codes of the ranks inside a bracket that the counts have proved. Where these do not tell them,
// narrow() narrows the ranges to the codes of the ranks inside.
template <class Totals, class Narrow>
__device__ __forceinline__ void find_inside(Wanted& s, const Totals& totals, const Bracket& bracket, u64 numbers,
                                            RAW* found, Narrow narrow) {
    const u64 before = (u64)totals.below + totals.low_equal;
    bool open[2];
#pragma unroll
    for (int r = 0; r < 2; ++r) {
        open[r] = false;
        if (s.rank[r] >= numbers) found[r] = (RAW)~(RAW)0;
        else if (s.rank[r] < before) found[r] = bracket.first;
        else if (s.rank[r] >= before + totals.inside) found[r] = bracket.last;
        else open[r] = true;
    }
    if (!open[0] && !open[1]) return;
    if (!threadIdx.x) {
        s.rank_inside[0] = s.rank[!open[0]] - before, s.rank_inside[1] = s.rank[open[1]] - before;
        s.range[0] = s.range[1] = {bracket.first, bracket.last, 0, totals.inside};
    }
    __syncthreads();
    narrow();
#pragma unroll
    for (int r = 0; r < 2; ++r)
        if (open[r]) found[r] = s.range[r].first;
}
