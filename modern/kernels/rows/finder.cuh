// How a team finds the codes of ranks of a row: all of them, or those of the first keys, with FIRSTS.
//
// 1. Sample: each thread takes SAMPLES loads of 16 bytes at hashed places of the row.
// 2. Bracket: the codes around the sample's ranks, WIDE standard errors away, by histograms. With FIRSTS it begins with
//    the first code.
// 3. One read: counts the codes below the bracket, and stages those inside in shared memory, with FIRSTS beside their
//    places. If many of the sample equal an end of the bracket, such codes are counted, not staged.
// 4. Counts prove where the rank is. Where it is among the staged codes, histograms of these narrow it down; otherwise
//    histograms of the row do, until few enough codes are left to stage.
// (Sample, bracket, count: Floyd and Rivest 1975; several rows of a GPU: GVR.)

#include "team.cuh"

#ifndef WIDE
#define WIDE 4.25f
#endif
#define LIST ((Code*)(memory + BINS / 2))
#if FIRSTS
#define COUNTS_NANS 0
#else
#define COUNTS_NANS (FLOATING && (ASK != SELECT || UNLESS_NAN))
#define MOST 0
#endif

// What a read counts; all blocks of a team know the sums.
struct Tally {
    u32 below, low_equal, inside, high_equal, nans, overflows;
};

struct Bracket {
    Code first, last;
    bool tied;
};

// The bracket of two ranks in a row of which `numbers` keys are expected to count, by a sample of which `sampled` do.
__device__ __forceinline__ Bracket bracket_of(const RowSample& sample, const u64 (&rank)[2], u64 numbers, u32 sampled) {
    const float scale = (float)sampled / (float)numbers;
    float aimed[2];
    UNROLLED for (int r = 0; r < 2; ++r) {
        const float middle = (float)rank[r] * scale, spread = middle * (1 - middle / (float)sampled);
        const float off = WIDE * sqrtf(greater(spread, 0.0f)) + WIDE * WIDE / 3;
        aimed[r] = r ? middle + off : middle - off;
    }
    const bool has_low = !FIRSTS && aimed[0] >= 0, has_high = aimed[1] < (float)sampled;
    const u32 last = has_high ? (u32)aimed[1] : SAMPLED * THREADS - 1, first = FIRSTS ? last : has_low ? (u32)aimed[0] : 0;
    const u32 ranks[2] = {first, last}, most = FIRSTS ? 1 + last / 8 : SAMPLED * THREADS / SHARE;
    Span ends[2] = {{0, CODE_LAST, 0, SAMPLED * THREADS}, {0, CODE_LAST, 0, SAMPLED * THREADS}};
    narrow(nullptr, ends, ranks, sample, most);
    const u32 crowd = FIRSTS ? (u32)(MOST / 4 * scale) : most;
    const auto is_crowd = [&](const Span& end) { return end.is_one() && end.here > crowd; };
    const bool tied = has_low && is_crowd(ends[0]) || has_high && is_crowd(ends[1]);
    const Bracket found = {has_low ? ends[0].first : 0, has_high ? ends[1].last : CODE_LAST, tied};
    return {found.first, greater(found.first, found.last), tied && (FIRSTS || found.first != found.last || has_low && has_high)};
}

struct Finder {
    Team& team;
    const Part& part;
    Tally& tally;
    const u32 capacity;
    u32& staged;
    Bracket bracket = {0, CODE_LAST, false};

    template <bool TIED, class Put>
    __device__ __forceinline__ void read(Put put) {
        const Code low = bracket.first, high = bracket.last;
        u32 below = 0, low_equal = 0, high_equal = 0, nans = 0;
        part.stage(staged, [&](Code code) {
            if (COUNTS_NANS) add_if(nans, code == NAN_CODE);
            if (!FIRSTS) add_if(below, code < low);
            if (!TIED) return (FIRSTS || code >= low) && code <= high;
            if (!FIRSTS) add_if(low_equal, code == low);
            add_if(high_equal, code == high && (FIRSTS || low != high));
            return (FIRSTS || code > low) && code < high;
        }, put);
        add_to(&tally.below, below), add_to(&tally.low_equal, low_equal), add_to(&tally.high_equal, high_equal);
        add_to(&tally.nans, nans);
    }

    // Reads the row, and adds up what all blocks count: put(at, code, place) for the codes inside the bracket, and then
    // share() by each block.
    template <class Put, class Share>
    __device__ __forceinline__ void count(Put put, Share share) {
        if (threadIdx.x < sizeof(Tally) / sizeof(u32)) ((u32*)&tally)[threadIdx.x] = 0;
        if (bracket.tied) read<true>(put);
        else read<false>(put);
        __syncthreads();
        share();
        if (!threadIdx.x) tally.inside = staged, tally.overflows = staged > capacity;
        team.add_up((u32*)&tally, sizeof(Tally) / sizeof(u32));
    }

    // The span of a rank that the counts prove, and whether the list has all of its codes.
    __device__ __forceinline__ Span span_of(u32 rank, bool& listed) const {
        const Code low = bracket.first, high = bracket.last;
        const u32 start = tally.below + tally.low_equal, end = start + tally.inside, upto = end + tally.high_equal;
        listed = rank >= start && rank < end && !tally.overflows;
        if (rank < tally.below) return {0, (Code)(low - 1), 0, tally.below};
        if (rank < start) return {low, low, tally.below, tally.low_equal};
        if (rank < end) return {(Code)(low + (bracket.tied && !FIRSTS)), (Code)(high - bracket.tied), start, tally.inside};
        if (rank < upto) return {high, high, end, tally.high_equal};
        return {(Code)(high + 1), CODE_LAST, upto, (u32)part.n - upto};
    }

    // Finds the codes of two ranks, as spans of one code.
    __device__ __forceinline__ void find(Span (&found)[2], const u32 (&ranks)[2]) {
        bool listed[2];
        for (u32 i = 0; i < 2; ++i) found[i] = span_of(ranks[i], listed[i]);
        if (listed[0] || listed[1]) {
            const u32 first = !listed[0], second = listed[1];
            const u32 inside[2] = {ranks[first], ranks[second]};
            Span spans[2] = {found[first], found[second]};
            find_in_list(team, spans, inside, CodeList{LIST, staged});
            found[first] = spans[0], found[second] = spans[1];
        }
        ROLLED for (u32 i = 0; i < 2; ++i)
            if (i && found[0].has(ranks[1])) found[1] = found[0];
            else if (!found[i].is_one()) found[i] = find_in_row(team, part, found[i], ranks[i], LIST, capacity);
    }
};
