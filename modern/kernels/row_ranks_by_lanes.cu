// Keys of some ranks of each row, or the median of each row, for rows of up to WIDTH keys: a power of two, at
// most 32 (modern/rows/cuda.py).
//
// Reads every key once. WIDTH lanes have one key each, and sort them by a bitonic network. Row i of an outer
// place begins at its key i, and has keys that are `step` apart. ASK is that of row_ranks_by_warp.cu.

#include "keys.cuh"
#include "middle.cuh"
#include "warp_lanes.cuh"
#include "row_asks.cuh"

extern "C" __global__ void __launch_bounds__(THREADS)
    row_ranks_by_lanes(const RAW* keys, u64 rows, u32 length, u64 outer_step, u64 step, const long long* ranks, u32 count,
                       u32 own, u32 inner, void* answers) {
    const Asked asked{ranks, count, own, inner, answers};
    const u64 row = ((u64)blockIdx.x * THREADS + threadIdx.x) / WIDTH;
    const u32 place = threadIdx.x % WIDTH, first = lane_of() - place;
    const bool here = row < rows && place < length;  // all lanes take part in the network
    const u64 at = row / inner * outer_step + row % inner + place * step;
    RAW code = here ? encode(keys[at]) : (RAW)~(RAW)0;
    const u32 nans = __ballot_sync(FULL, here && FLOATING && code == (RAW)~(RAW)0) >> first;
    code = sorted_in_lanes<WIDTH>(code);
#if ASK == SELECT
#pragma unroll 1
    for (u32 start = 0; start < asked.count; start += WIDTH) {
        const u32 i = start + place;
        const bool wanted = row < rows && i < asked.count;
        const u32 rank = wanted ? asked.rank(row, i) : 0;
        const RAW found = __shfl_sync(FULL, code, first + rank);
        if (wanted) asked.answer(row, i, found);
    }
#else
    const u32 some = __popc(nans & (u32)((1ull << WIDTH) - 1)), numbers = length - some;
    u64 middle[2];
    set_middle(middle, ASK == MEDIAN ? length : numbers);
    RAW low = __shfl_sync(FULL, code, first + (u32)middle[0]);
    RAW high = __shfl_sync(FULL, code, (first + (u32)middle[1]) % LANES);
    if (ASK == MEDIAN && some) low = high = (RAW)~(RAW)0;
    if (row < rows && !place)
        write_mean((Mean*)asked.answers + row, decode(low), decode(high), middle[0] == middle[1]);
#endif
}
