// A sample of the keys that a warp holds, one of each lane, and codes around a share of it.
//
// The warp holds ITEMS keys of each lane in registers. With STREAMED, it has a row in memory instead, whose keys it
// reads again and again.

#include "compared.cuh"
#include "warp_lanes.cuh"

#ifndef STREAMED
#define STREAMED 0
#endif

#ifndef WIDE
#define WIDE 1.75f
#endif

#if ITEMS >= 16
#define PICKED 9
#elif ITEMS >= 4
#define PICKED 3
#else
#define PICKED 1
#endif

#define TIED 8  // so many equal keys of a sample are one code of many keys

// A range of codes, with its ends.
struct Codes {
    RAW first, last;
    __device__ __forceinline__ bool is_one() const { return first == last; }
    __device__ __forceinline__ bool has(RAW code) const { return code >= first && code <= last; }
};

// Where a rank is among the keys: near the low end, in the middle, or near the high end.
enum Part { LOW, MIDDLE, HIGH };
__device__ __forceinline__ Part part_of(float share) {
    return share < 0.2f ? LOW : share > 0.8f ? HIGH : MIDDLE;
}

// The least, the middle or the largest of three keys.
template <class Number>
__device__ __forceinline__ Number of_three(Part part, Number a, Number b, Number c) {
    const Number low = lesser(a, b), high = greater(a, b);
    if (part == LOW) return lesser(low, c);
    if (part == HIGH) return greater(high, c);
    return greater(low, lesser(high, c));
}

// The share of such keys that are below a key, given the share of all keys: of one of three keys.
__device__ __forceinline__ float share_of_three(Part part, float share) {
    if (part == HIGH) return share * share * share;
    if (part == MIDDLE) return share * share * (3 - 2 * share);
    return 1 - (1 - share) * (1 - share) * (1 - share);
}

#if STREAMED
struct Held {
    const RAW* keys;
    u32 length;
};
#else
typedef RAW Held[ITEMS];
#endif

// Calls body(bits) for each key that the warp holds.
template <class Body>
__device__ __forceinline__ void each_held(const Held& held, Body body) {
#if STREAMED
    each_key(held.keys, held.length, lane_of(), LANES, body, [] {});
#else
#pragma unroll
    for (int i = 0; i < ITEMS; ++i) body(held[i]);
#endif
}

// A key of this lane. Odd and even lanes pick other places, for the sake of rows that are in order. In memory, eight
// groups of lanes do, as a row has many keys in each 1 of 9 parts.
__device__ __forceinline__ Compared picked(const Held& held, int pick) {
#if STREAMED
    const u32 part = 8 * pick + lane_of() / 4, items = held.length / LANES;
    return compared(held.keys[part * items / 72 * LANES + lane_of()]);
#else
    const int even = pick * ITEMS / 9;
    return compared(lane_of() & 1 ? held[ITEMS - 1 - even] : held[even]);
#endif
}

__device__ __forceinline__ Compared picked_of_registers(const Held& held, Part part) {
#if PICKED == 9
    return of_three(part, of_three(part, picked(held, 0), picked(held, 3), picked(held, 6)),
                    of_three(part, picked(held, 1), picked(held, 4), picked(held, 7)),
                    of_three(part, picked(held, 2), picked(held, 5), picked(held, 8)));
#elif PICKED == 3
    return of_three(part, compared(held[0]), compared(held[ITEMS / 2]), compared(held[ITEMS - 1]));
#else
    return compared(held[0]);
#endif
}

__device__ __forceinline__ float share_in_registers(Part part, float share) {
#if PICKED == 9
    return share_of_three(part, share_of_three(part, share));
#elif PICKED == 3
    return share_of_three(part, share);
#else
    return share;
#endif
}

// The codes around a share of a sorted sample, `wide` standard errors away, inside a known range. Lanes from
// `sampled` on have none.
__device__ __forceinline__ Codes bracket_of(RAW sorted, u32 sampled, float share, float wide, const Codes& known) {
    const float middle = share * (float)sampled;
    const float spread = greater(middle * (1 - share), 1e-6f), off = wide * spread * rsqrtf(spread);
    const int low = (int)floorf(middle - off), high = (int)floorf(middle + off);
    Codes found = known;
    const RAW first = __shfl_sync(FULL, sorted, low < 0 ? 0 : low);
    const RAW last = __shfl_sync(FULL, sorted, high < LANES ? high : LANES - 1);
    if (low >= 0 && low < (int)sampled) found.first = lesser(greater(first, known.first), known.last);
    if (high < (int)sampled) found.last = lesser(greater(last, found.first), known.last);
    return found;
}

// A sorted sample of all keys, one of each lane, and the share of it that is below a rank.
struct Sample {
    RAW sorted;
    float share;

    // `of_keys`: the share of all keys that is below the rank.
    __device__ __forceinline__ Sample(const Held& held, float of_keys) {
        const Part part = part_of(of_keys);
        sorted = sorted_in_lanes<LANES>(code_of(picked_of_registers(held, part)));
        share = share_in_registers(part, of_keys);
    }

    // A single code, that of a lane, if many have it; otherwise those around the share.
    __device__ __forceinline__ Codes around(int lane, float wide, const Codes& known) const {
        const RAW one = __shfl_sync(FULL, sorted, lane);
        if (known.has(one) && __popc(__ballot_sync(FULL, sorted == one)) >= TIED) return {one, one};
        return bracket_of(sorted, LANES, share, wide, known);
    }

    __device__ __forceinline__ Codes bracket(const Codes& known) const {
        return around(lesser((int)(share * LANES), LANES - 1), WIDE, known);
    }

    // After a miss, with what is known from it.
    __device__ __forceinline__ Codes next_bracket(float wide, const Codes& known) const {
        const int before = __popc(__ballot_sync(FULL, sorted < known.first));
        const int upto = __popc(__ballot_sync(FULL, sorted <= known.last));
        return around(lesser(greater((int)(share * LANES), before), upto - 1), wide, known);
    }
};
