// A bracket from a sample: the ranks in the sample that lie some standard errors away from the ranks that
// are wanted, and the codes of these ranks. It needs ranges (code_ranges.cuh).

#include "number_codes.cuh"

#ifndef SHARE
#define SHARE 512  // an end of the bracket has at most 1 in this many keys of the sample, or is one code
#endif

struct Bracket {
    RAW first, last;  // codes of numbers
    bool tied;        // many keys equal an end; they are counted, not staged
};

// Sets the ranks of the sample between which the keys of some ranks lie: `wide` standard errors away. Those that
// lie outside the sample are set to its size. The type of `wide` computes them: where floats suffice, they save the
// microseconds that divisions of doubles take.
template <class Float>
__device__ __forceinline__ void aim(u64* target, const u64* rank, u64 numbers, u64 sampled, Float wide) {
    const Float scale = (Float)sampled / (Float)numbers;
#pragma unroll
    for (int r = 0; r < 2; ++r) {
        const Float middle = (Float)rank[r] * scale, share = middle / (Float)sampled;
        const Float spread = middle * (1 - share);
        const Float off = wide * sqrt(spread > 0 ? spread : (Float)0) + wide * wide;
        const Float aimed = r ? middle + off : middle - off;
        target[r] = aimed < 0 || aimed >= (Float)sampled ? sampled : (u64)aimed;
    }
}

__device__ __forceinline__ bool is_heavy(const Range& range, u64 sampled) {
    return range.here > sampled / SHARE;
}

// The bracket whose ends are the narrowed ranges of the sample.
__device__ __forceinline__ Bracket bracket_of(const Range* range, const u64* target, u64 sampled) {
    Bracket bracket;
    bracket.first = target[0] < sampled ? range[0].first : first_number();
    bracket.last = target[1] < sampled ? range[1].last : last_number();
    bracket.tied = target[0] < sampled && is_heavy(range[0], sampled) ||
                   target[1] < sampled && is_heavy(range[1], sampled);
    if (bracket.first < first_number()) bracket.first = first_number();
    if (bracket.last > last_number()) bracket.last = last_number();
    if (bracket.first > last_number() || !sampled)  // the rank is among NaNs, or the sample has no number
        bracket = {last_number(), last_number(), true};
    return bracket;
}
