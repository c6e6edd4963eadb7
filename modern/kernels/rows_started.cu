// Replaces the counters of tiles by the places in the row where each tile's keys of each digit begin.
//
// Reads the counters twice and writes them once. One block for each row; for each digit it has PARTS
// threads, each of which takes some of the tiles.

#include "keys.cuh"
#include "row_tiles.cuh"

#define PARTS (THREADS / BINS)

extern "C" __global__ void __launch_bounds__(THREADS) rows_started(u32* counts, u32 tiles) {
    __shared__ u32 totals[PARTS][BINS];
    const u32 digit = threadIdx.x % BINS, part = threadIdx.x / BINS;
    const u32 each = (tiles + PARTS - 1) / PARTS, first = part * each;
    const u32 last = first + each < tiles ? first + each : tiles;
    u32* mine = counts + (u64)blockIdx.x * tiles * BINS + digit;
    u32 total = 0;
#pragma unroll 8
    for (u32 tile = first; tile < last; ++tile) total += mine[tile * BINS];
    totals[part][digit] = total;
    __syncthreads();
    u32 whole = 0;
    if (!part)
        for (int i = 0; i < PARTS; ++i) whole += totals[i][digit];
    const u32 passed = before_in_block(whole);  // valid where part is 0
    if (!part)
        for (u32 i = 0, start = passed; i < PARTS; ++i) {
            const u32 here = totals[i][digit];
            totals[i][digit] = start, start += here;
        }
    __syncthreads();
    u32 start = totals[part][digit];
#pragma unroll 8
    for (u32 tile = first; tile < last; ++tile) {
        const u32 here = mine[tile * BINS];
        mine[tile * BINS] = start, start += here;
    }
}
