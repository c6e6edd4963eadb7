// Keys of some ranks of each row or column, or their medians: one thread for each row or column of LENGTH keys, at
// most 64 (modern/rows/cuda_short.py).
//
// Reads every key once, and sorts the column in registers. ASK is that of row_ranks_by_warp.cu.

#include "keys.cuh"
#include "middle.cuh"
#include "row_asks.cuh"
#include "registers.cuh"
#include "sortable.cuh"
#include "thread_column.cuh"

extern "C" __global__ void __launch_bounds__(256)
    column_ranks_by_thread(const RAW* keys, u64 rows, u32 length, u64 outer_step, u64 step, const long long* ranks,
                           u32 count, u32 own, u32 inner, void* answers) {
    const Asked asked{ranks, count, own, inner, answers};
    const ThreadColumn column(keys, rows, outer_step, inner);
    if (!column.begin) return;
    RAW held[LENGTH];
    column.hold_in(held, step);
    Sortable numbers[LENGTH];
#pragma unroll
    for (int i = 0; i < LENGTH; ++i) numbers[i] = sortable(held[i]);
    sort_in_registers(numbers);
#if ASK == SELECT
#pragma unroll 1
    for (u32 i = 0; i < count; ++i) {
        const u64 place = column.place(count, i, inner);
        ((RAW*)answers)[place] = sorted_key(number_at(numbers, asked.rank_at(place, i)));
    }
#else
    u32 nans = 0;
#pragma unroll
    for (int i = 0; i < LENGTH; ++i) nans += FLOATING && numbers[i] == NO_NUMBER;
    u64 middle[2];
    set_middle(middle, ASK == MEDIAN ? LENGTH : LENGTH - nans);
    const bool none = ASK == MEDIAN ? nans : nans == LENGTH;
    const RAW low = sorted_key(none ? NO_NUMBER : number_at(numbers, (u32)middle[0]));
    const RAW high = sorted_key(none ? NO_NUMBER : number_at(numbers, (u32)middle[1] % LENGTH));
    write_mean((Mean*)answers + column.place(1, 0, inner), low, high, none || middle[0] == middle[1]);
#endif
}
