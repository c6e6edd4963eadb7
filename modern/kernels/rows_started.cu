// Turns the counters of tiles into where in its row each tile's keys of each digit begin.
//
// Reads and writes the counters once, and reads them once more. A block of BINS threads a row.

#include "keys.cuh"
#include "row_tiles.cuh"

extern "C" __global__ void __launch_bounds__(BINS) rows_started(u32* counts, u32 tiles) {
    u32* mine = counts + (u64)blockIdx.x * tiles * BINS + threadIdx.x;
    u32 total = 0;
#pragma unroll 8
    for (u32 tile = 0; tile < tiles; ++tile) total += mine[tile * BINS];
    u32 start = before_in_block(total);
#pragma unroll 8
    for (u32 tile = 0; tile < tiles; ++tile) {
        const u32 here = mine[tile * BINS];
        mine[tile * BINS] = start, start += here;
    }
}
