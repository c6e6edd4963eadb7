// Rows, what is asked of them (ASK), and where answers go. An array is (outer, length, inner), with any steps between
// neighbours, and its rows lie along the middle axis. Answers, and ranks of each row's own, have steps of their own between
// outer places, and between the answers of a row; those of inner neighbours are neighbours.

#include "middle.cuh"  // ASK: SELECT, MEDIAN or NANMEDIAN
#include "codes.cuh"

#define NUMBERS 3  // ASK: how many keys are numbers

#ifndef UNLESS_NAN
#define UNLESS_NAN 0  // SELECT: a row that has a NaN gets NaN for every rank
#endif

struct Rows {
    const RAW* keys;
    u64 count, length, inner;
    long long outer_step, step, inner_step;
    u64 answer_outer_step, answer_step;

    // Steps between outer places and between inner ones; a division of 64 bits takes a hundred instructions.
    __device__ __forceinline__ u64 outer_of(u64 row) const {
        return inner == 1 ? row : count >> 32 ? row / inner : (u32)row / (u32)inner;
    }
    __device__ __forceinline__ const RAW* begin_of(u64 row) const {
        const u64 outer = outer_of(row);
        return keys + (long long)outer * outer_step + (long long)(row - outer * inner) * inner_step;
    }
    // The place of answer i of a row.
    __device__ __forceinline__ u64 place(u64 row, u64 i) const {
        const u64 outer = outer_of(row);
        return outer * answer_outer_step + i * answer_step + (row - outer * inner);
    }
};

// The ranks that are asked: `count` of them from `first` on if `ranks` is null; otherwise those there, which are `own`
// ones of each row, or the same for all rows.
struct Ranks {
    const long long* ranks;
    u64 first, count, own;
    __device__ __forceinline__ u64 rank(const Rows& rows, u64 row, u64 i) const {
        return !ranks ? first + i : (u64)ranks[own ? rows.place(row, i) : i];
    }
};

// Writes a mean, of the keys of two codes.
__device__ __forceinline__ void write_middle(void* answers, u64 place, Code low, Code high, bool one) {
    write_mean((Mean*)answers + place, key_of(low), key_of(high), one);
}

#ifndef HIGHEST
#define HIGHEST 0
#endif

// Writes the first keys of a row: entry i is that of answer i. HIGHEST: places are counted from the end, so that of
// equal keys the one at the highest place comes first.
struct Firsts {
    u64 count;
    RAW* values;
    long long* places;

    __device__ __forceinline__ void write(const Rows& rows, u64 row, u64 i, Code code, u64 place) const {
        const u64 to = rows.place(row, i), at = HIGHEST ? rows.length - 1 - place : place;
        values[to] = is_of_one_key(code) ? key_of(code) : rows.begin_of(row)[(long long)at * rows.step];
        places[to] = (long long)at;
    }
};
