// Keys of some ranks of each row, or the median of each row: one warp for each row of up to ITEMS * LANES keys
// (modern/rows/cuda.py).
//
// Reads every key once. The keys stay in registers (warp_select.cuh). ASK: the keys of
// some ranks; the mean of the two middle keys, NaN if any key is; or the same among the keys that are numbers.
// Blocks of THREADS, with ITEMS + 2 keys of shared memory for each thread. LAYOUT:
//
// 0. Row i begins at keys + i * outer_step.
// 1. So does it, at a multiple of 16 bytes, and it has ITEMS * LANES keys.
// 2. Columns: the rows of an outer place begin at neighbouring keys, and each has keys that are `step` apart. A
//    block reads some columns together, and hands them over in shared memory.

#include "keys.cuh"
#include "means.cuh"
#include "warp_select.cuh"
#include "row_asks.cuh"

extern __shared__ u64 memory[];

#define WARPS (THREADS / LANES)
#define ROOM ((ITEMS + 1) * LANES + LANES / WARPS)  // keys of shared memory of a warp; columns hit all banks

// Holds the keys of a row.
__device__ __forceinline__ void hold(RAW (&held)[ITEMS], const RAW* keys, u32 length) {
#if LAYOUT == 1
#pragma unroll
    for (int i = 0; i < ITEMS / PER_LOAD; ++i) {
        const Load loaded = load(keys, i * LANES + lane_of());
#pragma unroll
        for (int k = 0; k < PER_LOAD; ++k) held[i * PER_LOAD + k] = loaded.keys[k];
    }
#else
#pragma unroll
    for (int i = 0; i < ITEMS; ++i) {
        const u32 place = i * LANES + lane_of();
        held[i] = place < length ? keys[place] : decode((RAW)~(RAW)0);
    }
#endif
}

// Copies columns, the first of which is number `column` of its outer place, to rows in shared memory.
__device__ __forceinline__ void read_columns(RAW* tile, const RAW* keys, u32 column, u32 inner, u32 length,
                                             u64 step) {
    const u32 mine = threadIdx.x % WARPS;
    if (column + mine < inner)
#pragma unroll 8
        for (u32 i = threadIdx.x / WARPS; i < length; i += LANES) tile[mine * ROOM + i] = keys[i * step + mine];
    __syncthreads();
}

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
    for (int i = 0; i < ITEMS; ++i) numbers += !is_nan(held[i]);
    return sum_in_warp(numbers);
}

extern "C" __global__ void __launch_bounds__(THREADS, KEY_BYTES == 8 ? 2 : 3)
    row_ranks_by_warp(const RAW* keys, u64 rows, u32 length, u64 outer_step, u64 step, const long long* ranks, u32 count,
                      u32 own, u32 inner, void* answers) {
    const Asked asked{ranks, count, own, inner, answers};
    const u32 warp = threadIdx.x / LANES;
    RAW* room = (RAW*)memory + warp * ROOM;
    RAW held[ITEMS];
#if LAYOUT == 2
    const u32 blocks = (asked.inner + WARPS - 1) / WARPS, column = blockIdx.x % blocks * WARPS;
    const u64 outer = blockIdx.x / blocks, row = outer * asked.inner + column + warp;
    read_columns((RAW*)memory, keys + outer * outer_step + column, column, asked.inner, length, step);
    if (column + warp >= asked.inner) return;
    hold(held, room, length);
    __syncwarp();
#else
    const u64 row = (u64)blockIdx.x * WARPS + warp;
    if (row >= rows) return;
    hold(held, keys + row * outer_step, length);
#endif
    RAW* list = room + lane_of();
#if ASK == RANKS
#pragma unroll 1
    for (u32 i = 0; i < asked.count; ++i) {
        const RAW found = Search(held, list, asked.rank(row, i)).run(length).code;
        if (!lane_of()) asked.answer(row, i, found);
    }
#else
    const u32 numbers = is_suspect(held, length) ? numbers_of(held) : length;
    RAW low = (RAW)~(RAW)0, high = low;
    u64 middle[2];
    set_middle(middle, numbers);
    if (numbers == length || numbers && ASK == NANMEDIAN) {
        const Selected found = Search(held, list, (u32)middle[0]).run(numbers);
        low = high = found.code;
        if (middle[1] > middle[0]) high = found.has_next ? found.next : next_above(held, found.last);
    }
    if (!lane_of()) write_mean((MEAN*)asked.answers + row, decode(low), decode(high), middle[0] == middle[1]);
#endif
}
