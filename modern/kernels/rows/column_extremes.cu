// The first key of each column in an order: of the rows of an array (outer, length, inner) along its middle axis,
// whose inner neighbours are neighbours in memory (modern/rows/cuda_extremes.py).
//
// Reads every key once, by loads of WIDE keys: one of each of WIDE columns. A block of THREADS has DOWN threads for
// each of THREADS / DOWN neighbouring loads, and one of the `pieces` of `each` keys of these columns; the DOWN threads
// take keys in turn, and AHEAD loads are in flight. Columns of all outer places are numbered one after the other.
// `count` and `known` are as in row_extremes.cu.

#include "keys.cuh"
#include "extremes.cuh"

#define ACROSS (THREADS / DOWN)

struct __align__(WIDE * KEY_BYTES) Wide {
    RAW keys[WIDE];
};

struct Group {
    RAW keys[AHEAD];
};

typedef KeptExtreme<Group, AHEAD> Found;

// The part of some columns that a thread has: places from `first` on, DOWN apart, before n.
struct Slice {
    const RAW* keys;
    u64 step;
    u32 first, n, last;

    __device__ __forceinline__ Slice(const RAW* keys, u64 step, u32 first, u32 n)
        : keys(keys), step(step), first(first), n(n), last(first + (n - 1 - first) / DOWN * DOWN) {}

    // Groups are numbered by the places of their first keys. The last key stands for those behind it.
    __device__ __forceinline__ u32 place(u32 group, u32 i) const { return lesser(group + i * DOWN, last); }

    // Takes a group of each column; address_of(j) is the address of its load number j.
    template <class Address>
    __device__ __forceinline__ void take(Found (&found)[WIDE], u32 start, Address address_of) const {
        Wide loaded[AHEAD];
#pragma unroll
        for (int j = 0; j < AHEAD; ++j) loaded[j] = *(const Wide*)address_of(j);
#pragma unroll
        for (int k = 0; k < WIDE; ++k) {
            Group group;
#pragma unroll
            for (int j = 0; j < AHEAD; ++j) group.keys[j] = loaded[j].keys[k];
            found[k].keep(group, start);
        }
    }

    __device__ __forceinline__ void find(Found (&found)[WIDE]) const {
        const u64 apart = DOWN * step;
        const RAW* at = keys + first * step;
        u32 start = first;
        for (; start + (AHEAD - 1) * DOWN < n; start += AHEAD * DOWN, at += AHEAD * apart)
            take(found, start, [&](u32 j) { return at + j * apart; });
        if (start < n) take(found, start, [&](u32 j) { return keys + place(start, j) * step; });
    }
};

// Shares what comes first in the DOWN threads of a column.
__device__ __forceinline__ First first_of_column(First mine) {
#if DOWN > 1
    __shared__ RAW orders[THREADS];
    __shared__ u32 marks[THREADS];
    for (u32 half = THREADS / 2; half >= ACROSS; half /= 2) {
        orders[threadIdx.x] = mine.order, marks[threadIdx.x] = mine.mark;
        __syncthreads();
        const u32 other = threadIdx.x ^ half;
        mine = lesser(mine, First{orders[other], marks[other]});
        __syncthreads();
    }
#endif
    return mine;
}

extern "C" __global__ void __launch_bounds__(THREADS)
    column_extremes(const RAW* keys, u32 outers, u64 outer_step, u64 step, u32 length, u32 inner, u32 pieces, u32 each,
                    u32 count, u32 flip, const long long* known, RAW* values, long long* places) {
    const u32 tiles = gridDim.x / pieces;  // neighbouring blocks have neighbouring columns
    const u64 number = ((u64)(blockIdx.x % tiles) * ACROSS + threadIdx.x % ACROSS) * WIDE;
    const u64 outer = outers == 1 ? 0 : number / inner;
    const bool here = outer < outers && number - outer * inner < inner;  // all threads of a block wait for each other
    const u32 piece = blockIdx.x / tiles, start = piece * each;
    const u32 size = length - start < each ? length - start : each;
    const u64 column = number - outer * inner, row = outer * outer_step + column;
    const Slice slice(keys + row + start * step, step, threadIdx.x / ACROSS, here ? size : 0);
    Found found[WIDE];
#pragma unroll
    for (int k = 0; k < WIDE; ++k) found[k].flip = flip;
    slice.find(found);
#pragma unroll
    for (int k = 0; k < WIDE; ++k) {
        const u64 to = (outer * pieces + piece) * count * inner + column + k;
        const Answers answers{known, values, places};
#if PLACES
        RAW key = 0;
        const u32 at = found[k].place_in(found[k].kept, key), place = start + slice.place(found[k].group, at);
        const First mine = {found[k].order, found[k].group == NOWHERE ? NOWHERE : place ^ flip};
        const First best = first_of_column(mine);
        if (here && found[k].group != NOWHERE && mine.is(best))
            answers.put(key, place, to, row + k, step);
#else
        const First best = first_of_column({found[k].order, NOWHERE});
        if (here && threadIdx.x < ACROSS) answers.put(best.order, to);
#endif
    }
}
