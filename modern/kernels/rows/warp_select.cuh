// Selection by one warp among the codes that it holds in registers, ITEMS of each lane; missing ones are CODE_LAST.
//
// 1. Sample: one code of each lane, the middle one of up to nine; for a rank near an end, the first or the last one.
// 2. Bracket: the sampled codes around the rank, WIDE standard errors away; a single code if many of the sample have it.
// 3. All codes are counted below the bracket, and staged inside: each lane has a list in shared memory, of ITEMS codes.
//    Those of a single code are counted only. Counts prove where the rank is; after a miss, the bracket is all that is
//    left on that side, or twice as wide.
// 4. The same again among the staged codes, until a warp can sort them.
// (Floyd and Rivest 1975: sample, bracket, count.)

#include "lanes.cuh"

#define WIDE 1.75f
#define TIED 8  // so many equal codes of a sample are one code of many keys

struct Bracket {
    Code first, last;
    __device__ __forceinline__ bool is_one() const { return first == last; }
};

// Where a rank is among the codes: near the first end, in the middle, or near the last end.
enum Part { LOW, MIDDLE, HIGH };

__device__ __forceinline__ Code of_three(Part part, Code a, Code b, Code c) {
    const Code low = lesser(a, b), high = greater(a, b);
    return part == LOW ? lesser(low, c) : part == HIGH ? greater(high, c) : greater(low, lesser(high, c));
}

// The share of such codes that are below a code, given the share of all codes.
__device__ __forceinline__ float share_of_three(Part part, float share) {
    if (part == HIGH) return share * share * share;
    if (part == MIDDLE) return share * share * (3 - 2 * share);
    return 1 - (1 - share) * (1 - share) * (1 - share);
}

// A sorted sample, one code of each of `sampled` lanes, and the share of it that is below the rank.
struct Sample {
    Code sorted;
    u32 sampled;
    float share;

    // The codes around the share, inside what is known. The middle lane's code alone if that is common, or `single`.
    __device__ __forceinline__ Bracket around(float wide, const Bracket& known, bool single) const {
        const float middle = share * (float)sampled;
        const Code one = __shfl_sync(FULL, sorted, lesser((u32)middle, sampled - 1));
        const bool is_known = one >= known.first && one <= known.last;
        const u32 same = __popc(__ballot_sync(FULL, sorted == one && lane_of() < sampled));
        if (is_known && (single || same >= TIED)) return {one, one};
        const float off = wide * sqrtf(greater(middle * (1 - share), 0.0f)) + 0.5f;
        const int low = (int)floorf(middle - off), high = (int)floorf(middle + off);
        const Code first = __shfl_sync(FULL, sorted, low < 0 ? 0 : low);
        const Code last = __shfl_sync(FULL, sorted, high < LANES ? high : LANES - 1);
        Bracket found = known;
        if (low >= 0 && low < (int)sampled) found.first = lesser(greater(first, known.first), known.last);
        if (high < (int)sampled) found.last = lesser(greater(last, found.first), known.last);
        return found;
    }
};

// Odd and even lanes pick other places, for the sake of rows that are in order.
__device__ __forceinline__ Sample sample_of_row(const Code (&held)[ITEMS], float share) {
    const Part part = share < 0.2f ? LOW : share > 0.8f ? HIGH : MIDDLE;
    const auto picked = [&](int pick) {
        const int even = pick * ITEMS / 9;
        return lane_of() & 1 ? held[ITEMS - 1 - even] : held[even];
    };
    Code code = held[0];
#if ITEMS >= 16
    code = of_three(part, of_three(part, picked(0), picked(3), picked(6)), of_three(part, picked(1), picked(4), picked(7)),
                    of_three(part, picked(2), picked(5), picked(8)));
    share = share_of_three(part, share_of_three(part, share));
#elif ITEMS >= 4
    code = of_three(part, picked(0), picked(4), picked(8));
    share = share_of_three(part, share);
#endif
    return {sorted_in_lanes<LANES>(code), LANES, share};
}

// The list of a lane in shared memory: its codes are LANES apart.
struct List {
    Code* begin;
    u32 count;

    __device__ __forceinline__ Code at(u32 i) const { return begin[i * LANES]; }
    __device__ __forceinline__ Sample sample(float share) const {
        const Part part = share < 0.2f ? LOW : share > 0.8f ? HIGH : MIDDLE;
        const Code code = count ? of_three(part, at(0), at(count / 2), at(count - 1)) : CODE_LAST;
        const u32 sampled = __popc(__ballot_sync(FULL, count > 0));
        return {sorted_in_lanes<LANES>(count ? code : (Code)~(Code)0), sampled, share_of_three(part, share)};
    }
};

// Sources of codes: those that the warp holds, and those of the lists.
struct Held {
    const Code (&codes)[ITEMS];
    template <class Body>
    __device__ __forceinline__ void operator()(Body body) const {
#pragma unroll
        for (int i = 0; i < ITEMS; ++i) body(codes[i]);
    }
};
struct Staged {
    const List list;
    template <class Body>
    __device__ __forceinline__ void operator()(Body body) const {
#pragma unroll 1
        for (u32 i = 0; i < list.count; ++i) body(list.at(i));
    }
};

// Codes below a bracket and inside, of all lanes.
struct Counts {
    u32 below, inside;
};

// Counts the codes of a source, and stages those inside; of a bracket of one code it counts them only.
template <class Source>
__device__ __forceinline__ Counts stage(const Bracket& tried, List& list, Source source) {
    u32 less = 0, inside = 0;
    if (tried.is_one()) {
        source([&](Code code) { add_if(less, code < tried.first), add_if(inside, code == tried.first); });
    } else {
        Code* end = list.begin;
        source([&](Code code) {
            const bool under = code < tried.first;
            add_if(less, under);
            if (!under && code <= tried.last) *end = code, end += LANES;
        });
        inside = list.count = (u32)(end - list.begin) / LANES;
    }
    const u32 sums = sum_in_warp(less << 16 | inside);
    return {sums >> 16, sums & 0xffff};
}

// The code of a rank, and that of the next rank if `has_next`; otherwise that is the least code above the first one.
struct Selected {
    Code code, next;
    bool has_next;
};

__device__ __forceinline__ Selected sort_list(const List& list, Code* row, u32 total, u32 rank) {
    u32 place = before_in_warp(list.count);
    for (u32 i = 0; i < list.count; ++i) row[place++] = list.at(i);
    __syncwarp();
    const Code code = sorted_in_lanes<LANES>(lane_of() < total ? row[lane_of()] : (Code)~(Code)0);
    __syncwarp();
    return {__shfl_sync(FULL, code, rank), __shfl_sync(FULL, code, (rank + 1) % LANES), rank + 1 < total};
}

// Selects a rank. `room`: shared memory for ITEMS + 1 codes of each lane.
__device__ __forceinline__ Selected select_in_warp(const Code (&held)[ITEMS], Code* room, u32 rank, u32 length) {
    List list{room + lane_of(), 0};
    Bracket known{0, CODE_LAST};
    Sample sample = sample_of_row(held, __fdividef((float)rank + 0.5f, (float)length));
    Bracket tried = sample.around(WIDE, known, false);
    float wide = WIDE;
    bool is_staged = false;           // whether the lists have all codes that are known to be left
    u32 base = 0, here = LANES * ITEMS;  // codes below these, and how many there are
#pragma unroll 1
    for (;;) {
        Counts counts;
        if (is_staged) counts = stage(tried, list, Staged{list});
        else counts = stage(tried, list, Held{held});
        if (is_staged) counts.below += base;
        const bool under = rank < counts.below, over = rank >= counts.below + counts.inside;
        if (under || over) {  // look at all codes of the range that is left
            if (under) known.last = tried.first - 1;
            else known.first = tried.last + 1;
            wide *= 2;
            tried = is_staged ? known : sample.around(wide, known, false);
            is_staged = false;
            continue;
        }
        if (tried.is_one()) return {tried.first, tried.first, rank + 1 < counts.below + counts.inside};
        const bool slow = is_staged && counts.inside > here / 4 * 3;
        known = tried, base = counts.below, here = counts.inside, is_staged = true;
        if (here <= LANES) return sort_list(list, room + ITEMS * LANES, here, rank - base);
        sample = list.sample(__fdividef((float)(rank - base) + 0.5f, (float)here));
        tried = sample.around(WIDE, known, slow);
    }
}

// The least code above another one.
__device__ __forceinline__ Code next_above(const Code (&held)[ITEMS], Code code) {
    Code next = CODE_LAST;
#pragma unroll
    for (int i = 0; i < ITEMS; ++i) next = held[i] > code ? lesser(held[i], next) : next;
#pragma unroll
    for (int step = LANES / 2; step; step /= 2) next = lesser(next, __shfl_xor_sync(FULL, next, step));
    return next;
}
