// Selection by one warp among the codes that it holds in registers, ITEMS of each lane; missing ones are CODE_LAST. With
// STREAMED, it has a row in memory instead, which it reads again and again, and lists of ITEMS codes.
//
// 1. Sample: one code of each lane, the middle one of up to nine; for a rank near an end, the first or the last one.
// 2. Bracket: the sampled codes around the rank, WIDE standard errors away; a single code if many of the sample have it.
// 3. All codes are counted below the bracket, and staged inside: each lane has a list in shared memory. Those of a single
//    code are counted only. Counts prove where the rank is; after a miss, the bracket is twice as wide. If the lists are
//    too short, their codes are a sample for a bracket inside, and the row is read again.
// 4. The same again among the staged codes, until a warp can sort them.
// (Sample, bracket, count: Floyd and Rivest 1975.)

#include "rows.cuh"

#define WIDE 1.75f
#define TIED 8  // so many equal codes of a sample are one code of many keys

struct Bracket {
    Code first, last;
};

// Where a rank is among the codes: near the first end, in the middle, or near the last end.
enum Part { LOW, MIDDLE, HIGH };
__device__ __forceinline__ Part part_of(float share) { return share < 0.2f ? LOW : share > 0.8f ? HIGH : MIDDLE; }

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
        const float middle = share * (float)sampled, off = wide * sqrtf(greater(middle * (1 - share), 0.0f)) + 0.5f;
        const Code one = __shfl_sync(FULL, sorted, lesser((u32)middle, sampled - 1));
        const u32 same = __popc(__ballot_sync(FULL, sorted == one && lane_of() < sampled));
        if (one >= known.first && one <= known.last && (single || same >= TIED)) return {one, one};
        const int low = (int)floorf(middle - off), high = (int)floorf(middle + off);
        const Code first = __shfl_sync(FULL, sorted, low < 0 ? 0 : low);
        const Code last = __shfl_sync(FULL, sorted, high < LANES ? high : LANES - 1);
        Bracket found = known;
        if (low >= 0 && low < (int)sampled) found.first = lesser(greater(first, known.first), known.last);
        if (high < (int)sampled) found.last = lesser(greater(last, found.first), known.last);
        return found;
    }
};

#if STREAMED
struct Held {
    const RAW* keys;
    long long step;
    u32 length;
};
#else
typedef Code Held[ITEMS];
#endif

// Calls body(code, i) for each code of this lane, by all lanes together; item i is at place i * LANES + lane of the row.
template <class Body>
__device__ __forceinline__ void each_held(const Held& held, Body body) {
#if STREAMED
    const u32 items = (held.length + LANES - 1) / LANES;
#pragma unroll 1
    for (u32 start = 0; start < items; start += 8) {
        RAW loaded[8];
#pragma unroll
        for (u32 j = 0; j < 8; ++j) loaded[j] = held.keys[lesser((start + j) * LANES + lane_of(), held.length - 1) * held.step];
#pragma unroll
        for (u32 j = 0; j < 8; ++j)
            if (start + j < items)
                body((start + j) * LANES + lane_of() < held.length ? code_of(loaded[j]) : CODE_LAST, start + j);
    }
#else
#pragma unroll
    for (int i = 0; i < ITEMS; ++i) body(held[i], (u32)i);
#endif
}

// Odd and even lanes pick other places, for the sake of rows that are in order; in memory, eight groups of lanes do.
__device__ __forceinline__ Sample sample_of(const Held& held, float share) {
    const Part part = part_of(share);
    Code picked[9];
#pragma unroll
    for (int i = 0; i < 9; ++i) {
#if STREAMED
        const u32 item = (8 * i + lane_of() / 4) * (held.length / LANES) / 72;
        picked[i] = code_of(held.keys[(item * LANES + lane_of()) * held.step]);
#else
        picked[i] = lane_of() & 1 ? held[ITEMS - 1 - i * ITEMS / 9] : held[i * ITEMS / 9];
#endif
    }
    if (ITEMS < 4) return {sorted_in_warp(picked[0]), LANES, share};
    share = share_of_three(part, share);
    if (ITEMS < 16) return {sorted_in_warp(of_three(part, picked[0], picked[4], picked[8])), LANES, share};
#pragma unroll
    for (int i = 0; i < 3; ++i) picked[i] = of_three(part, picked[i], picked[i + 3], picked[i + 6]);
    return {sorted_in_warp(of_three(part, picked[0], picked[1], picked[2])), LANES, share_of_three(part, share)};
}

// Codes in shared memory: the list of a lane, whose codes are LANES apart.
struct List {
    Code* begin;
    u32 count;
    __device__ __forceinline__ Code at(u32 i) const { return begin[i * LANES]; }
    __device__ __forceinline__ Sample sample(float share) const {
        const Part part = part_of(share);
        const Code code = count ? of_three(part, at(0), at(count / 2), at(count - 1)) : (Code)~(Code)0;
        return {sorted_in_warp(code), (u32)__popc(__ballot_sync(FULL, count > 0)), share_of_three(part, share)};
    }
};

// Codes below a bracket and inside, of all lanes.
struct Counts {
    u32 below, inside;
};

// Counts the codes that the warp holds, or that are STAGED, and stages those inside; of one code it counts them only.
template <bool STAGED>
__device__ __forceinline__ Counts stage(const Held& held, List& list, const Bracket& tried) {
    const bool single = tried.first == tried.last;
    u32 less = 0, inside = 0;
    Code* end = list.begin;
    const auto count = [&](Code code) { add_if(less, code < tried.first), add_if(inside, code == tried.first); };
    const auto look = [&](Code code) {
        const bool under = code < tried.first;
        add_if(less, under);
        if (under || code > tried.last) return;
        if (!STREAMED || end < list.begin + ITEMS * LANES) *end = code;
        end += LANES;
    };
    if (STAGED)
#pragma unroll 1
        for (u32 i = 0; i < list.count; ++i) single ? count(list.at(i)) : look(list.at(i));
    else if (single) each_held(held, [&](Code code, u32) { count(code); });
    else each_held(held, [&](Code code, u32) { look(code); });
    if (!single) inside = (u32)(end - list.begin) / LANES, list.count = lesser(inside, (u32)ITEMS);
    const u32 sums = sum_in_warp(less << 16 | inside);  // rows have at most 2¹⁵ keys
    return {sums >> 16, sums & 0xffff};
}

// The code of a rank, and that of the next rank if `has_next`; otherwise that is the least code above the first one.
struct Selected {
    Code code, next;
    bool has_next;
};

// Selects a rank. `room`: shared memory for ITEMS + 1 codes of each lane.
__device__ __forceinline__ Selected select_in_warp(const Held& held, Code* room, u32 rank, u32 length) {
    List list{room + lane_of(), 0};
    Bracket known{0, CODE_LAST};
    Sample sample = sample_of(held, __fdividef((float)rank + 0.5f, (float)length));
    Bracket tried = sample.around(WIDE, known, false);
    float wide = WIDE;
    bool is_sampled = false;             // whether the lists gave the bracket
    bool is_staged = false;              // whether the lists have all codes that are known to be left
    u32 base = 0, here = length;         // codes below these, and how many there are
#pragma unroll 1
    for (;;) {
        Counts counts = is_staged ? stage<true>(held, list, tried) : stage<false>(held, list, tried);
        if (is_staged) counts.below += base;
        const bool under = rank < counts.below;
        if (under || rank >= counts.below + counts.inside) {  // look at all codes of the range that is left
            if (under) known.last = tried.first - 1;
            else known.first = tried.last + 1;
            tried = is_sampled ? known : sample.around(wide *= 2, known, false), is_staged = is_sampled = false;
            continue;
        }
        if (tried.first == tried.last) return {tried.first, tried.first, rank + 1 < counts.below + counts.inside};
        const bool slow = is_sampled && counts.inside > here / 4 * 3;
        known = tried, base = counts.below, here = counts.inside;
        is_staged = !STREAMED || sum_in_warp(list.count) == here;
        if (here <= LANES) break;
        sample = list.sample(__fdividef((float)(rank - base) + 0.5f, (float)here));
        tried = sample.around(WIDE, known, slow), is_sampled = true;
    }
    Code* row = room + ITEMS * LANES;
    u32 place = before_in_warp(list.count);
    for (u32 i = 0; i < list.count; ++i) row[place++] = list.at(i);
    __syncwarp();
    const Code code = sorted_in_warp(lane_of() < here ? row[lane_of()] : (Code)~(Code)0);
    __syncwarp();
    return {__shfl_sync(FULL, code, rank - base), __shfl_sync(FULL, code, (rank - base + 1) % LANES),
            rank - base + 1 < here};
}
