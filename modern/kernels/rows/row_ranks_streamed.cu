// Keys of some ranks of each row, or the median of each row: one warp for each row of some thousand keys
// (modern/rows/cuda.py).
//
// Reads every key once, as a rule, and a sample before; the rows of nanmedian that have NaNs twice. Of the keys
// inside the bracket of a rank, each lane has room for ITEMS (warp_select.cuh). ASK is that of row_ranks_by_warp.cu.
// Row i begins at keys + i * outer_step; `step` is not used. Rows of at least 9 * LANES keys, and of fewer than 2¹⁶.
// Blocks of THREADS, with KEY_ROWS + 1 keys of shared memory for each thread, and BIN_WORDS words for each warp.

#define STREAMED 1
#define LAYOUT 0
#ifndef WIDE
#define WIDE 2.0f  // a miss costs a read
#endif
#include "keys.cuh"
#include "middle.cuh"
#include "warp_select.cuh"
#include "warp_rows.cuh"
#include "row_asks.cuh"

#ifndef RESIDENT
#define RESIDENT (KEY_BYTES < 4 ? 3 : 4)  // blocks of a multiprocessor
#endif

extern "C" __global__ void __launch_bounds__(THREADS, RESIDENT)
    row_ranks_streamed(const RAW* keys, u64 rows, u32 length, u64 outer_step, u64 step, const long long* ranks,
                       u32 count, u32 own, u32 inner, void* answers) {
    const Asked asked{ranks, count, own, inner, answers};
    const WarpRow of(keys, rows, length, outer_step, step, inner);
    if (!of.begin) return;
    const u32 row = (u32)of.number;
    const Held held{of.begin, length};
#if ASK == SELECT
#pragma unroll 1
    for (u32 i = 0; i < count; ++i) {
        const u32 rank = of_warp(asked.rank(row, i));
        const float share = __fdividef((float)rank + 0.5f, (float)length);
        const RAW found = Search(held, of.room, of.bins, rank).run(share).code;
        if (!lane_of()) asked.answer(row, i, found);
    }
#else
    u32 numbers = length;
    u64 middle[2];
    Selected found;
#pragma unroll 1
    for (bool again = false;; again = true) {
        set_middle(middle, numbers);
        Search search(held, of.room, of.bins, (u32)middle[0]);
        found = search.run(0.5f);
        // Also when they are known: with a condition, the assembler of NVRTC 13.0 tests the wrong predicate.
        if (FLOATING) numbers = sum_in_warp(search.numbers);
        if (ASK == MEDIAN || again || numbers == length || !numbers) break;
    }
    const u32 first = (u32)middle[0], second = (u32)middle[1];
    RAW low = (RAW)~(RAW)0, high = low;
    if (numbers == length || numbers && ASK == NANMEDIAN) {
        low = high = found.code;
        if (second > first) high = found.has_next ? found.next : next_above(held, found.last);
    }
    if (!lane_of()) write_mean((Mean*)answers + row, decode(low), decode(high), first == second);
#endif
}
