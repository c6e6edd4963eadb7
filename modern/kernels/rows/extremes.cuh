// The first key of a row in an order (top_keys.cuh): what threads find, and how they agree (modern/rows/cuda_extremes.py).
//
// PLACES: whether the key itself and its place are wanted, or only its code. `flip` is 0, or has all bits if of equal
// keys the last one counts, not the first one. Keys come in groups, so that most of them cost one or two instructions:
// only the first one of a group is compared by its code.

#include "top_keys.cuh"
#include "warp_lanes.cuh"
#include "compared.cuh"

// Keys of 64 bits are compared by their codes: no instruction finds the lesser one of two doubles.
#if KEY_BYTES == 8
typedef RAW Ranked;
__device__ __forceinline__ Ranked ranked(RAW bits) { return order_of(bits); }
__device__ __forceinline__ Ranked before(Ranked a, Ranked b) { return lesser(a, b); }
__device__ __forceinline__ RAW order_of_ranked(Ranked key) { return key; }
#else
typedef Compared Ranked;
__device__ __forceinline__ Ranked ranked(RAW bits) { return compared(bits); }
__device__ __forceinline__ Ranked before(Ranked a, Ranked b) { return BY == 1 ? lesser(a, b) : greater_or_nan(a, b); }
__device__ __forceinline__ RAW order_of_ranked(Ranked key) { return BY == 1 ? code_of(key) : (RAW)~code_of(key); }
#endif

#define NOWHERE (~0u)

// The first key that some threads know: its code, and a mark of its place, whose least value counts.
struct First {
    RAW order;
    u32 mark;
    __device__ __forceinline__ bool operator<(const First& other) const {
        return order < other.order | (PLACES && order == other.order & mark < other.mark);  // no branch
    }
    __device__ __forceinline__ bool is(const First& other) const {
        return order == other.order && mark == other.mark;
    }
};

// Shares the first key of each COUNT neighbouring lanes.
template <int COUNT>
__device__ __forceinline__ First first_in_lanes(First mine) {
#pragma unroll
    for (int step = COUNT / 2; step; step /= 2) {
        const First other = {(RAW)__shfl_xor_sync(FULL, mine.order, step),
                             PLACES ? __shfl_xor_sync(FULL, mine.mark, step) : 0};
        mine = lesser(mine, other);
    }
    return mine;
}

// The first key of a thread among the groups that it takes, by its code and the number of its group.
template <class Group, int COUNT>
struct Extreme {
    u32 flip;
    RAW order = (RAW)~(RAW)0;
    u32 group = NOWHERE;

    // Takes a group, and returns whether it has the first key so far; without PLACES nobody asks. The numbers of
    // groups ascend.
    __device__ __forceinline__ bool take(const Group& given, u32 number) {
        Ranked first = ranked(given.keys[0]);
#pragma unroll
        for (int i = 1; i < COUNT; ++i) first = before(first, ranked(given.keys[i]));
        const RAW found = order_of_ranked(first);
#if PLACES
        const bool best = found < order | (found == order & flip != 0) | group == NOWHERE;
        if (best) order = found, group = number;
        return best;
#else
        order = lesser(order, found);
        return false;
#endif
    }

    // Returns which key of its group, given again, the first key is; and the key.
    __device__ __forceinline__ u32 place_in(const Group& given, RAW& key) const {
        u32 at = 0;
        bool some = false;
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            const bool same = order_of(given.keys[i]) == order;
            if (same & (flip != 0 | !some)) at = i, key = given.keys[i];
            some |= same;
        }
        return at;
    }
};

// The same, which keeps its group.
template <class Group, int COUNT>
struct KeptExtreme : Extreme<Group, COUNT> {
    Group kept;

    __device__ __forceinline__ void keep(const Group& given, u32 number) {
        if (this->take(given, number)) kept = given;
    }
};

// Writes the answer of a row: its code as a key; or the key itself, and its place, which `known` tells of keys that
// were found before.
struct Answers {
    const long long* known;
    RAW* values;
    long long* places;

    __device__ __forceinline__ void put(RAW order, u64 to) const {
        values[to] = decode(BY == 1 ? order : (RAW)~order);
    }
    __device__ __forceinline__ void put(RAW key, u32 place, u64 to, u64 row, u64 step) const {
        values[to] = key, places[to] = known ? known[row + place * step] : place;
    }
};
