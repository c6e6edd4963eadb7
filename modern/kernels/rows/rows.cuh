// Rows: their keys as codes, integers whose order is the wanted one; what is asked (ASK); and where answers go.
//
// BY is an order (top_keys.cuh): 0, the largest keys first; 1, the smallest; 2, the largest magnitudes. −0.0 has the
// code of 0.0, and every NaN has one code, an end of the order. CODE_LAST is the last code.

#include "middle.cuh"  // ASK: SELECT, MEDIAN or NANMEDIAN
#define NUMBERS 3      // ASK: how many keys are numbers
#ifndef BY
#define BY 1
#endif
#ifndef UNLESS_NAN
#define UNLESS_NAN 0  // SELECT: a row that has a NaN gets NaN for every rank
#endif
#ifndef HIGHEST
#define HIGHEST 0  // of equal keys, those at the highest places come first: places are counted from the end
#endif

#if KEY_BYTES == 8
typedef u64 Code;
#else
typedef u32 Code;
#endif

#define CODE_LAST ((Code)(RAW)~(RAW)0)
#define NAN_CODE (BY == 1 ? CODE_LAST : (Code)0)

// Adding 0.0 leaves one zero, and one NaN without a sign. Keys of 64 bits may keep the bits of a NaN.
__device__ __forceinline__ RAW with_one_zero(RAW bits) {
#if FLOATING == 23 || FLOATING == 7
    float sum;
    const u32 wide = (u32)bits << (32 - KEY_BITS);
    asm("add.f32 %0, %1, %2;" : "=f"(sum) : "f"(__uint_as_float(wide)), "f"(0.0f));
    return (RAW)(__float_as_uint(sum) >> (32 - KEY_BITS));
#elif FLOATING == 10
    unsigned short sum;
    asm("add.f16 %0, %1, %2;" : "=h"(sum) : "h"(bits), "h"((unsigned short)0));
    return sum;
#elif FLOATING
    return is_nan(bits) ? (RAW)(SIGN - 1) : bits == SIGN ? (RAW)0 : bits;
#else
    return bits;
#endif
}

__device__ __forceinline__ Code code_of(RAW bits) {
#if BY == 2
    return (Code)(RAW)~(FLOATING ? (RAW)(with_one_zero(bits) | SIGN) : magnitude_of(bits));
#else
    const RAW one = with_one_zero(bits), from_zero = (RAW)(one ^ SIGN);
    const RAW ascending = FLOATING && one & SIGN ? (RAW)~one : FLOATING || SIGNED ? from_zero : one;
    return BY == 1 ? (Code)ascending : (Code)(RAW)~ascending;
#endif
}

// A key that has a code; BY is 0 or 1.
__device__ __forceinline__ RAW key_of(Code code) {
    const RAW ascending = BY == 1 ? (RAW)code : (RAW)~code;
    if (FLOATING && !(ascending & SIGN)) return (RAW)~ascending;
    return FLOATING || SIGNED ? (RAW)(ascending ^ SIGN) : ascending;
}

// Whether all keys with a code are the same, bit by bit: zeros, NaNs and magnitudes are not.
__device__ __forceinline__ bool is_of_one_key(Code code) {
    const Code zero = BY == 1 ? SIGN : (Code)(RAW)~SIGN;
    return BY != 2 && !(FLOATING && (code == zero || code == NAN_CODE));
}

// An array (outer, length, inner) with any steps between neighbours, whose rows lie along the middle axis. Answers, and
// ranks of each row's own, have other steps between outer places and between those of a row; inner neighbours have none.
struct Rows {
    const RAW* keys;
    u64 count, length, inner;
    long long outer_step, step, inner_step;
    u64 answer_outer_step, answer_step;

    // A division of 64 bits takes a hundred instructions.
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
#define ROWS_ARGUMENTS const RAW *keys, u64 count, u64 length, u64 inner, long long outer_step, long long step, \
                       long long inner_step, u64 answer_outer_step, u64 answer_step
#define ROWS {keys, count, length, inner, outer_step, step, inner_step, answer_outer_step, answer_step}

// The ranks that are asked: `count` of them from `first` on if `ranks` is null; otherwise those there, which are `own`
// ones of each row, or the same for all rows.
struct Ranks {
    const long long* ranks;
    u64 first, count, own;
    __device__ __forceinline__ u64 rank(const Rows& rows, u64 row, u64 i) const {
        return !ranks ? first + i : (u64)ranks[own ? rows.place(row, i) : i];
    }
};
#define RANKS_ARGUMENTS const long long *ranks, u64 first, u64 asked, u64 own, void *answers
#define RANKS {ranks, first, asked, own}

// Writes a mean, of the keys of two codes.
__device__ __forceinline__ void write_middle(void* answers, u64 place, Code low, Code high, bool one) {
    write_mean((Mean*)answers + place, key_of(low), key_of(high), one);
}

// Writes the first keys of a row, of which there are `count`.
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
#define FIRSTS_ARGUMENTS u64 wanted, RAW *values, long long *places
#define FIRSTS_OF {wanted, values, places}
