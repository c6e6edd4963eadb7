// Copies columns to rows: (outer, length, inner) with any steps to (outer, inner, length) without gaps.
//
// Reads and writes every key once, by whole lines where inner neighbours are neighbours in memory. A block of 256 threads
// for each 32 columns and 64 keys of each. A thread has all its loads in flight at once: the compiler would wait for a
// load under a condition before the next one, so those behind an end read the last key again.

#include "keys.cuh"

#define DOWN (2 * LANES)
#define WARPS (256 / LANES)

__device__ __forceinline__ u64 at_most(u64 i, u64 last) { return i < last ? i : last; }

extern "C" __global__ void __launch_bounds__(256)
    rows_turned(const RAW* keys, u64 length, u64 inner, long long outer_step, long long step, long long inner_step,
                RAW* rows) {
    __shared__ RAW tile[DOWN][LANES + 1];
    const u64 across = (inner - 1) / LANES + 1, down = (length - 1) / DOWN + 1;
    const u64 column = blockIdx.x % across * LANES, first = blockIdx.x / across % down * DOWN;
    const u64 outer = blockIdx.x / across / down;
    const u32 x = threadIdx.x % LANES, start = threadIdx.x / LANES;
    const RAW* from = keys + (long long)outer * outer_step + (long long)at_most(column + x, inner - 1) * inner_step;
    RAW loaded[DOWN / WARPS];
#pragma unroll
    for (int j = 0; j < DOWN / WARPS; ++j)
        loaded[j] = from[(long long)at_most(first + start + j * WARPS, length - 1) * step];
#pragma unroll
    for (int j = 0; j < DOWN / WARPS; ++j) tile[start + j * WARPS][x] = loaded[j];
    __syncthreads();
#pragma unroll
    for (u32 y = start; y < LANES; y += WARPS)
#pragma unroll
        for (u32 at = x; at < DOWN; at += LANES)
            if (column + y < inner && first + at < length)
                rows[(outer * inner + column + y) * length + first + at] = tile[at][y];
}
