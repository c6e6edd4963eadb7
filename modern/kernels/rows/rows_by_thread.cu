// Rows of LENGTH keys, at most 64: one thread sorts a row in its registers, and answers ranks, medians or first keys.
//
// Reads every key once: whole lines where rows are neighbouring columns. With ALIGNED, the keys of a row are neighbours
// in whole loads of 16 bytes. FIRSTS is 0 (see ASK and UNLESS_NAN), or the next power of two from the number of first
// keys on: the network finds no more. BY, HIGHEST: see codes.cuh and row_calls.cuh.

#define NEAR 1
#include "keys.cuh"
#include "lanes.cuh"
#include "row_calls.cuh"

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

// The number at a place, one of the first 2 * STEP: in as many steps as the place has bits. Others are overwritten.
template <int STEP, int COUNT, class Number>
__device__ __forceinline__ Number number_left(Number (&numbers)[COUNT], u32 place) {
    if constexpr (STEP > 0) {
#pragma unroll
        for (int i = 0; i < STEP; ++i)
            if (i + STEP < COUNT && place & STEP) numbers[i] = numbers[i + STEP];
        return number_left<STEP / 2>(numbers, place);
    }
    return numbers[0];
}

__device__ __forceinline__ Code code_at(const Code (&codes)[LENGTH], u64 place) {
    Code left[LENGTH];
#pragma unroll
    for (int i = 0; i < LENGTH; ++i) left[i] = codes[i];
    return number_left<(LENGTH > LANES ? LANES : LANES / 2)>(left, (u32)place);
}

__device__ __forceinline__ void hold(Code (&held)[LENGTH], const RAW* begin, long long step) {
#if ALIGNED
#pragma unroll
    for (int i = 0; i < LENGTH / PER_LOAD; ++i) {
        Load loaded;
        loaded.words = ((const uint4*)begin)[i];  // the next load finds the same lines in the cache
#pragma unroll
        for (int k = 0; k < PER_LOAD; ++k) held[i * PER_LOAD + k] = code_of(loaded.keys[k]);
    }
#else
    RAW keys[LENGTH];
#pragma unroll
    for (int i = 0; i < LENGTH; ++i) keys[i] = begin[i * step];
#pragma unroll
    for (int i = 0; i < LENGTH; ++i) held[i] = code_of(keys[i]);
#endif
}

#if FIRSTS
__device__ __forceinline__ void answer(const Rows& rows, u64 row, const Code (&held)[LENGTH], const Firsts& firsts) {
    Entry entries[LENGTH];
#pragma unroll
    for (int i = 0; i < LENGTH; ++i) entries[i] = entry_of(held[i], HIGHEST ? LENGTH - 1 - i : i);
    sort_in_registers(entries);
#pragma unroll
    for (int i = 0; i < FIRSTS && i < LENGTH; ++i)
        if (i < firsts.count) firsts.write(rows, row, i, code_in(entries[i]), place_of(entries[i]));
}
#else
__device__ __forceinline__ void answer(const Rows& rows, u64 row, Code (&held)[LENGTH], const Ranks& ranks, void* answers) {
    u32 nans = 0;
#pragma unroll
    for (int i = 0; i < LENGTH; ++i) nans += FLOATING && held[i] == NAN_CODE;
    sort_in_registers(held);
    if (ASK == NUMBERS) {
        ((long long*)answers)[rows.place(row, 0)] = LENGTH - nans;
    } else if (ASK == SELECT) {
#pragma unroll 1
        for (u64 i = 0; i < ranks.count; ++i) {
            const Code code = UNLESS_NAN && nans ? NAN_CODE : code_at(held, ranks.rank(rows, row, i));
            ((RAW*)answers)[rows.place(row, i)] = key_of(code);
        }
    } else {
        u64 middle[2];
        set_middle(middle, ASK == MEDIAN ? LENGTH : LENGTH - nans);
        const bool none = ASK == MEDIAN ? nans : nans == LENGTH;
        const Code low = none ? NAN_CODE : code_at(held, middle[0]);
        write_middle(answers, rows.place(row, 0), low, none ? NAN_CODE : code_at(held, middle[1]), none || middle[0] == middle[1]);
    }
}
#endif

extern "C" __global__ void __launch_bounds__(256)
    rows_by_thread(const RAW* keys, u64 count, u64 length, u64 inner, long long outer_step,
                   long long step, long long inner_step, u64 answer_outer_step, u64 answer_step,
#if FIRSTS
                   u64 firsts, RAW* values, long long* places) {
    const Firsts wanted{firsts, values, places};
#else
                   const long long* ranks, u64 first, u64 asked, u64 own, void* answers) {
    const Ranks wanted{ranks, first, asked, own};
#endif
    const Rows rows{keys, count, length, inner, outer_step, step, inner_step,
                    answer_outer_step, answer_step};
    const u64 row = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= count) return;
    Code held[LENGTH];
    hold(held, rows.begin_of(row), step);
#if FIRSTS
    answer(rows, row, held, wanted);
#else
    answer(rows, row, held, wanted, answers);
#endif
}
