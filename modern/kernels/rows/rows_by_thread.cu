// Rows of LENGTH keys, at most 64: one thread sorts a row in its registers, and answers ranks, medians or first keys.
//
// Reads every key once: whole lines where rows are neighbouring columns. With ALIGNED, the keys of a row are neighbours
// in whole loads of 16 bytes. FIRSTS is 0, or the next power of two from the number of first keys on: the network finds
// no more. ASK, UNLESS_NAN, BY, HIGHEST: see rows.cuh.

#define NEAR 1
#include "keys.cuh"
#include "rows.cuh"

// Sorts by Batcher's odd-even merges: pairs of blocks of HALF sorted numbers are merged, by comparisons of numbers that
// are STEP apart. Numbers that are not used afterwards take no instructions. (The compiler does not unroll loops over
// both sizes.)
template <int HALF = 1, int STEP = 1, int COUNT, class Number>
__device__ __forceinline__ void sort_in_registers(Number (&numbers)[COUNT]) {
    if constexpr (HALF < COUNT) {
#pragma unroll
        for (int low = STEP % HALF; low + STEP < COUNT; ++low)
            if ((low - STEP % HALF) / STEP % 2 == 0 && low / (2 * HALF) == (low + STEP) / (2 * HALF))
                exchange(numbers[low], numbers[low + STEP]);
        sort_in_registers<STEP == 1 ? 2 * HALF : HALF, STEP == 1 ? 2 * HALF : STEP / 2>(numbers);
    }
}

// The code at a place, one of the first 2 * STEP: in as many steps as the place has bits. Others are overwritten.
template <int STEP>
__device__ __forceinline__ Code code_left(Code (&codes)[LENGTH], u32 place) {
    if constexpr (STEP > 0) {
#pragma unroll
        for (int i = 0; i < STEP; ++i)
            if (i + STEP < LENGTH && place & STEP) codes[i] = codes[i + STEP];
        return code_left<STEP / 2>(codes, place);
    }
    return codes[0];
}

__device__ __forceinline__ Code code_at(const Code (&codes)[LENGTH], u64 place) {
    Code left[LENGTH];
#pragma unroll
    for (int i = 0; i < LENGTH; ++i) left[i] = codes[i];
    return code_left<(LENGTH > LANES ? LANES : LANES / 2)>(left, (u32)place);
}

#if FIRSTS
#define ASKED FIRSTS_ARGUMENTS
#else
#define ASKED RANKS_ARGUMENTS
#endif

extern "C" __global__ void __launch_bounds__(256) rows_by_thread(ROWS_ARGUMENTS, ASKED) {
    const Rows rows ROWS;
    const u64 row = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= count) return;
    const RAW* begin = rows.begin_of(row);
    Load loaded[ALIGNED ? LENGTH / PER_LOAD : 1];  // the second load finds the same lines in the cache
    RAW held[LENGTH];
#pragma unroll
    for (int i = 0; i < LENGTH; ++i) {
        if (ALIGNED && i % PER_LOAD == 0) loaded[i / PER_LOAD].words = ((const uint4*)begin)[i / PER_LOAD];
        held[i] = ALIGNED ? loaded[i / PER_LOAD].keys[i % PER_LOAD] : begin[i * step];
    }
#if FIRSTS
    Entry entries[LENGTH];
#pragma unroll
    for (int i = 0; i < LENGTH; ++i) entries[i] = entry_of(code_of(held[i]), HIGHEST ? LENGTH - 1 - i : i);
    sort_in_registers(entries);
    const Firsts firsts FIRSTS_OF;
#pragma unroll
    for (int i = 0; i < FIRSTS && i < LENGTH; ++i)
        if (i < wanted) firsts.write(rows, row, i, code_in(entries[i]), place_of(entries[i]));
#else
    Code codes[LENGTH];
    u32 nans = 0;
#pragma unroll
    for (int i = 0; i < LENGTH; ++i) codes[i] = code_of(held[i]), nans += FLOATING && codes[i] == NAN_CODE;
    sort_in_registers(codes);
    const Ranks asked_ranks RANKS;
    if (ASK == NUMBERS) {
        ((long long*)answers)[rows.place(row, 0)] = LENGTH - nans;
    } else if (ASK == SELECT) {
#pragma unroll 1
        for (u64 i = 0; i < asked; ++i) {
            const Code code = UNLESS_NAN && nans ? NAN_CODE : code_at(codes, asked_ranks.rank(rows, row, i));
            ((RAW*)answers)[rows.place(row, i)] = key_of(code);
        }
    } else {
        u64 middle[2];
        set_middle(middle, ASK == MEDIAN ? LENGTH : LENGTH - nans);
        const bool none = ASK == MEDIAN ? nans : nans == LENGTH;
        const Code low = none ? NAN_CODE : code_at(codes, middle[0]), high = none ? low : code_at(codes, middle[1]);
        write_middle(answers, rows.place(row, 0), low, high, none || middle[0] == middle[1]);
    }
#endif
}
