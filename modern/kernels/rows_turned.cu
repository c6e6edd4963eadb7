// Copies columns to rows: (outer, length, inner) with neighbouring inner keys to (outer, inner, length), without
// gaps (modern/rows/cuda.py).
//
// Reads and writes every key once, by whole lines. A block of 256 threads for each 32 * 32 keys.

#include "keys.cuh"

extern "C" __global__ void __launch_bounds__(256)
    rows_turned(const RAW* keys, u64 outer_step, u64 step, u32 length, u32 inner, RAW* rows) {
    __shared__ RAW tile[LANES][LANES + 1];
    const u32 across = (inner + LANES - 1) / LANES, down = (length + LANES - 1) / LANES;
    const u64 outer = blockIdx.x / ((u64)across * down);
    const u32 column = blockIdx.x % across * LANES, place = blockIdx.x / across % down * LANES;
    const u32 x = threadIdx.x % LANES, first = threadIdx.x / LANES;
#pragma unroll
    for (u32 y = first; y < LANES; y += 256 / LANES)
        if (place + y < length && column + x < inner)
            tile[y][x] = keys[outer * outer_step + (place + y) * step + column + x];
    __syncthreads();
#pragma unroll
    for (u32 y = first; y < LANES; y += 256 / LANES)
        if (column + y < inner && place + x < length)
            rows[(outer * inner + column + y) * length + place + x] = tile[x][y];
}
