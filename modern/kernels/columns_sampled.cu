// Copies a sample of each column to a row: (outer, length, inner) with neighbouring inner keys to (outer, inner,
// samples) (modern/rows/cuda_columns.py).
//
// Sample i is at a hashed place in part i of `samples` equal parts of the column; all columns have the same
// places, so whole lines are read. A block of 256 threads for each 32 * 32 sampled keys.

#include "keys.cuh"

__device__ __forceinline__ u64 sampled_place(u32 part, u32 parts, u32 length) {
    const u64 first = (u64)part * length / parts, stride = (u64)(part + 1) * length / parts - first;
    u64 mixed = (part + 1) * 0x9e3779b97f4a7c15ull;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9ull;
    mixed ^= mixed >> 27;
    return first + ((mixed >> 32) * stride >> 32);
}

extern "C" __global__ void __launch_bounds__(256)
    columns_sampled(const RAW* keys, u64 outer_step, u64 step, u32 length, u32 inner, u32 samples, RAW* rows) {
    __shared__ RAW tile[LANES][LANES + 1];
    const u32 across = (inner + LANES - 1) / LANES, down = (samples + LANES - 1) / LANES;
    const u64 outer = blockIdx.x / ((u64)across * down);
    const u32 column = blockIdx.x % across * LANES, part = blockIdx.x / across % down * LANES;
    const u32 x = threadIdx.x % LANES, first = threadIdx.x / LANES;
    for (u32 y = first; y < LANES; y += 256 / LANES)
        if (part + y < samples && column + x < inner)
            tile[y][x] = keys[outer * outer_step + sampled_place(part + y, samples, length) * step + column + x];
    __syncthreads();
    for (u32 y = first; y < LANES; y += 256 / LANES)
        if (column + y < inner && part + x < samples)
            rows[(outer * inner + column + y) * samples + part + x] = tile[x][y];
}
