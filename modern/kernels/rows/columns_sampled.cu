// Copies a sample of each column to a row: (outer, length, inner) with neighbouring inner keys to (outer, inner,
// samples) (modern/rows/cuda_columns.py).
//
// Sample i is at a hashed place in part i of `samples` equal parts of the column; all columns have the same
// places, so whole lines are read. A block of 256 threads for each 32 * 64 sampled keys.

#include "keys.cuh"
#include "turned_tile.cuh"

__device__ __forceinline__ u32 sampled_place(u32 part, u32 parts, u32 length) {
    const u64 first = (u64)part * length / parts, stride = (u64)(part + 1) * length / parts - first;
    u64 mixed = (part + 1) * 0x9e3779b97f4a7c15ull;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9ull;
    mixed ^= mixed >> 27;
    return (u32)(first + ((mixed >> 32) * stride >> 32));
}

extern "C" __global__ void __launch_bounds__(256)
    columns_sampled(const RAW* keys, u64 outer_step, u64 step, u32 length, u32 inner, u32 samples, RAW* rows) {
    __shared__ u32 places[DOWN];  // a place takes many instructions
    const TurnedTile tile(inner, samples);
    if (threadIdx.x < DOWN) places[threadIdx.x] = sampled_place(tile.row(threadIdx.x), samples, length);
    __syncthreads();
    tile.copy(keys + tile.outer * outer_step, step, rows, [&](u32 y) { return places[y]; });
}
