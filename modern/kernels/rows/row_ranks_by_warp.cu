// Keys of some ranks of each row, or the median of each row: one warp for each row of up to ITEMS * LANES keys
// (modern/rows/cuda.py).
//
// Reads every key once. The keys stay in registers (warp_select.cuh). ASK: the keys of
// some ranks; the mean of the two middle keys, NaN if any key is; or the same among the keys that are numbers.
// Blocks of THREADS, with KEY_ROWS + 1 keys of shared memory for each thread, and BIN_WORDS words for each warp.
// LAYOUT: see warp_rows.cuh.

#include "keys.cuh"
#include "middle.cuh"
#include "warp_select.cuh"
#include "warp_rows.cuh"
#include "row_asks.cuh"

// Whether a key can be a NaN: infinite keys raise the suspicion, too.
__device__ __forceinline__ bool is_suspect(const RAW (&held)[ITEMS], u32 length) {
    VALUE poison = 0;
#pragma unroll
    for (int i = 0; i < ITEMS; ++i) {
        const bool here = LAYOUT == 1 || i * LANES + lane_of() < length;
        poison += here ? value_of(held[i]) * 0 : 0;
    }
    return FLOATING && __any_sync(FULL, poison != poison);
}

__device__ __forceinline__ u32 numbers_of(const RAW (&held)[ITEMS]) {
    u32 numbers = 0;
#pragma unroll
    for (int i = 0; i < ITEMS; ++i) add_if(numbers, FLOATING ? value_of(held[i]) == value_of(held[i]) : true);
    return sum_in_warp(numbers);
}

#ifndef RESIDENT  // threads of a multiprocessor: many, where blocks wait for columns
#define FEW_REGISTERS (LAYOUT == 2 && ITEMS <= 8)
#define RESIDENT (KEY_BYTES == 8 ? 512 : FEW_REGISTERS ? 1536 : KEY_BYTES == 4 || LAYOUT == 2 ? 1024 : 768)
#endif

extern "C" __global__ void __launch_bounds__(THREADS, RESIDENT / THREADS)
    row_ranks_by_warp(const RAW* keys, u64 rows, u32 length, u64 outer_step, u64 step, const long long* ranks, u32 count,
                      u32 own, u32 inner, void* answers) {
    const Asked asked{ranks, count, own, inner, answers};
    const WarpRow of(keys, rows, length, outer_step, step, inner);
    if (!of.begin) return;
    RAW held[ITEMS];
    of.hold_in(held, length);
#if ASK == SELECT
#pragma unroll 1
    for (u32 i = 0; i < count; ++i) {
        const u64 place = of.place(count, i, inner);
        const u32 rank = of_warp(asked.rank_at(place, i));
        const float share = __fdividef((float)rank + 0.5f, (float)length);
        const RAW found = Search(held, of.room, of.bins, rank).run(share).code;
        if (!lane_of()) asked.answer_at(place, found);
    }
#else
    const u32 numbers = is_suspect(held, length) ? numbers_of(held) : length;
    RAW low = (RAW)~(RAW)0, high = low;
    const u32 first = numbers ? (numbers - 1) / 2 : 0, second = numbers / 2;
    if (numbers == length || numbers && ASK == NANMEDIAN) {
        const Selected found = Search(held, of.room, of.bins, first).run(0.5f);
        low = high = found.code;
        if (second > first) high = found.has_next ? found.next : next_above(held, found.last);
    }
    if (!lane_of()) write_mean((Mean*)answers + of.number, decode(low), decode(high), first == second);
#endif
}
