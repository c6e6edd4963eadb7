// Rows: their keys as codes, integers whose order is the wanted one; what is asked (ASK); and where answers go.
//
// BY is an order (keys.cuh). −0.0 has the code of 0.0, and every NaN has one code, an end of the order. CODE_LAST is the
// last code.

#include "middle.cuh"  // ASK: SELECT, MEDIAN or NANMEDIAN
#define NUMBERS 3      // ASK: how many keys are numbers
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
#if FLOATING == 23 || FLOATING == 7
__device__ __forceinline__ u32 merge_zeros_wide(RAW bits) {
    float sum;
    asm("add.f32 %0, %1, %2;" : "=f"(sum) : "f"(value_of(bits)), "f"(0.0f));
    return __float_as_uint(sum);
}
#endif
__device__ __forceinline__ RAW merge_zeros(RAW bits) {
#if FLOATING == 23 || FLOATING == 7
    return (RAW)(merge_zeros_wide(bits) >> (32 - KEY_BITS));
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

// Codes that may have more bits, which takes fewer instructions: zeros behind those of the code, or ones.
#if (FLOATING == 23 || FLOATING == 7) && BY != 2
#define MORE_BITS (32 - KEY_BITS)
__device__ __forceinline__ Code wide_code_of(RAW bits) {
    const u32 one = merge_zeros_wide(bits), ascending = one ^ ((u32)((int)one >> 31) | 1u << 31);
    return BY == 1 ? ascending : ~ascending;
}
#else
#define MORE_BITS 0
__device__ __forceinline__ Code wide_code_of(RAW bits) {
#if BY == 2
    return (Code)(RAW)~(FLOATING ? (RAW)(merge_zeros(bits) | SIGN) : magnitude_of(bits));
#else
    const RAW one = merge_zeros(bits), from_zero = (RAW)(one ^ SIGN);
    const RAW ascending = FLOATING && one & SIGN ? (RAW)~one : FLOATING || SIGNED ? from_zero : one;
    return BY == 1 ? (Code)ascending : (Code)(RAW)~ascending;
#endif
}
#endif
__device__ __forceinline__ Code code_of(RAW bits) { return wide_code_of(bits) >> MORE_BITS; }

// A key that has a code; BY is 0 or 1.
__device__ __forceinline__ RAW key_of(Code code) {
    const RAW ascending = BY == 1 ? (RAW)code : (RAW)~code;
    if (FLOATING && !(ascending & SIGN)) return (RAW)~ascending;
    return FLOATING || SIGNED ? (RAW)(ascending ^ SIGN) : ascending;
}

// Whether all keys with a code are the same, bit by bit: zeros, NaNs and magnitudes are not.
__device__ __forceinline__ bool is_of_one_key(Code code) {
    const Code zero = BY == 1 ? SIGN : (Code)(RAW)~SIGN;
    return BY < 2 && !(FLOATING && (code == zero || code == NAN_CODE));
}

// An array (outer, length, inner) with any steps between neighbours, whose rows lie along the middle axis. Answers, and
// ranks of each row's own, have other steps between outer places and between those of a row; inner neighbours have none.
// Kernels take such a struct, with more words, by value.
struct Rows {
    const RAW* keys;
    u64 count, length, inner;
    long long outer_step, step, inner_step;
    u64 answer_outer_step, answer_step;
    struct Space* spaces;  // that teams of blocks share

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

// Rows and the ranks that are asked: `asked` of them from `first` on if `ranks` is null; otherwise those there, which are
// each row's `own`, or the same for all rows.
struct RankedRows : Rows {
    u64 first, asked, own;
    const long long* ranks;
    void* answers;
    u64 capacity;  // of teams: codes that a block has room for

    __device__ __forceinline__ u64 rank(u64 row, u64 i) const {
        return !ranks ? first + i : (u64)ranks[own ? place(row, i) : i];
    }
};

// Rows and where their first keys go, `wanted` of each.
struct FirstRows : Rows {
    u64 wanted;
    RAW* values;
    long long* places;

    __device__ __forceinline__ void write(u64 row, u64 i, Code code, u64 found) const {
        const u64 to = place(row, i), at = HIGHEST ? length - 1 - found : found;
        values[to] = is_of_one_key(code) ? key_of(code) : begin_of(row)[(long long)at * step];
        places[to] = (long long)at;
    }
};

// What the lanes of a warp do together: sorts of codes, or of codes with their places, by bitonic networks.

__device__ __forceinline__ u32 lane_of() { return threadIdx.x % LANES; }

// Adds one where a condition is true, by one instruction. (The compiler adds always, and then chooses.)
__device__ __forceinline__ void add_if(u32& sum, bool condition) {
    asm("{.reg .pred wanted;\n\t"
        "setp.ne.u32 wanted, %1, 0;\n\t"
        "@wanted add.u32 %0, %0, 1;}" : "+r"(sum) : "r"((u32)condition));
}

// A code and its place. The last entry is that of no key. With NEAR, places have 16 bits: short keys' entries have 32.
#if KEY_BYTES <= 2 && NEAR
typedef u32 Entry;
__device__ __forceinline__ Entry entry_of(Code code, u32 place) { return code << 16 | (place & 0xffff); }
__device__ __forceinline__ u32 place_of(Entry entry) { return entry & 0xffff; }
__device__ __forceinline__ Code code_in(Entry entry) { return entry >> 16; }
#elif KEY_BYTES <= 4
typedef u64 Entry;
__device__ __forceinline__ Entry entry_of(Code code, u32 place) { return (u64)code << 32 | place; }
__device__ __forceinline__ u32 place_of(Entry entry) { return (u32)entry; }
__device__ __forceinline__ Code code_in(Entry entry) { return (Code)(entry >> 32); }
#else
struct Entry {
    Code code;
    u32 place;
    __device__ __forceinline__ bool operator<(const Entry& other) const {
        return code < other.code | (code == other.code & place < other.place);  // no branch
    }
};
__device__ __forceinline__ Entry entry_of(Code code, u32 place) { return {code, place}; }
__device__ __forceinline__ u32 place_of(const Entry& entry) { return entry.place; }
__device__ __forceinline__ Code code_in(const Entry& entry) { return entry.code; }
__device__ __forceinline__ Entry read_lane(Entry mine, u32 step) {
    return {__shfl_xor_sync(FULL, mine.code, step), __shfl_xor_sync(FULL, mine.place, step)};
}
__device__ __forceinline__ Entry invert(Entry entry, int all) { return {entry.code ^ (Code)all, entry.place ^ all}; }
#endif
__device__ __forceinline__ Entry no_entry() { return entry_of((Code)~(Code)0, ~0u); }

template <class Number>
__device__ __forceinline__ Number read_lane(Number mine, u32 step) { return __shfl_xor_sync(FULL, mine, step); }
template <class Number>
__device__ __forceinline__ Number invert(Number number, int all) { return number ^ (Number)all; }
template <class Number>
__device__ __forceinline__ Number choose(Number mine, Number other, bool greatest) {
    return (other < mine) != greatest ? other : mine;
}
__device__ __forceinline__ u32 choose(u32 mine, u32 other, bool greatest) {
    return greatest ? max(mine, other) : min(mine, other);
}
template <class Number>
__device__ __forceinline__ void exchange(Number& low, Number& high) {
    const Number least = choose(low, high, false);
    high = choose(low, high, true), low = least;
}

// Merges: the numbers of some lanes ascend first, and then descend; number i of a lane gets to place lane * COUNT + i.
template <int COUNT, class Number>
__device__ __forceinline__ void merge_in_lanes(Number (&numbers)[COUNT], u32 lanes, u32 lane) {
    ROLLED for (u32 step = lanes / 2; step; step /= 2)
        UNROLLED for (int i = 0; i < COUNT; ++i) numbers[i] = choose(numbers[i], read_lane(numbers[i], step), lane & step);
    UNROLLED for (int step = COUNT / 2; step; step /= 2)
        UNROLLED for (int i = 0; i < COUNT; ++i)
            if (!(i & step)) exchange(numbers[i], numbers[i + step]);
}

// Sorts by Batcher's odd-even merges: pairs of blocks of HALF sorted numbers are merged, by comparisons of numbers that
// are STEP apart. Numbers that are not used afterwards take no instructions. (The compiler does not unroll loops over
// both sizes.)
template <int HALF = 1, int STEP = 1, int COUNT, class Number>
__device__ __forceinline__ void sort_in_registers(Number (&numbers)[COUNT]) {
    if constexpr (HALF < COUNT) {
        UNROLLED for (int low = STEP % HALF; low + STEP < COUNT; ++low)
            if ((low - STEP % HALF) / STEP % 2 == 0 && low / (2 * HALF) == (low + STEP) / (2 * HALF))
                exchange(numbers[low], numbers[low + STEP]);
        sort_in_registers<STEP == 1 ? 2 * HALF : HALF, STEP == 1 ? 2 * HALF : STEP / 2>(numbers);
    }
}

// Sorts the numbers of each MEMBERS neighbouring lanes. Where a block of the network goes down, its numbers are inverted
// meanwhile, so that only a lane's own number decides between the lesser and the greater one.
template <int MEMBERS, int COUNT, class Number>
__device__ __forceinline__ void sort_in_lanes(Number (&numbers)[COUNT]) {
    int was = MEMBERS > 1 && lane_of() & 1 ? -1 : 0;
    UNROLLED for (int i = 0; i < COUNT; ++i) numbers[i] = invert(numbers[i], was);
    sort_in_registers(numbers);
    ROLLED for (u32 lanes = 2; lanes <= MEMBERS; lanes *= 2) {
        const int down = lanes < MEMBERS && lane_of() & lanes ? -1 : 0;
        UNROLLED for (int i = 0; i < COUNT; ++i) numbers[i] = invert(numbers[i], down ^ was);
        was = down;
        merge_in_lanes(numbers, lanes, lane_of());
    }
}
