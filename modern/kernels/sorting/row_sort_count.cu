// Counts the digits of each tile into a row of BINS counters for each tile. Reads every key once. One block of THREADS
// for each tile.

#include "keys.cuh"
#include "row_tiles.cuh"

extern "C" __global__ void __launch_bounds__(THREADS)
    row_sort_count(const RAW* keys, u32 length, u32 tiles, u32 most, u32 shift, u32 raw, u32* counts) {
    __shared__ u32 bins[BINS];
    for (u32 i = threadIdx.x; i < BINS; i += THREADS) bins[i] = 0;
    __syncthreads();
    const Tile tile(length, tiles, most);
    RAW held[ITEMS];
    load_tile(held, keys, tile, raw);
    UNROLLED for (int i = 0; i < ITEMS; ++i)
        if (tile.place(i) < tile.size) atomicAdd(&bins[digit_of(held[i], shift)], 1);
    __syncthreads();
    for (u32 i = threadIdx.x; i < BINS; i += THREADS) counts[(u64)blockIdx.x * BINS + i] = bins[i];
}
