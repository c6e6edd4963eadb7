// Replaces the counters of tiles by the places in the row where each tile's keys of each digit begin. Reads the
// counters twice and writes them once. One block for each row; for each four digits it has PARTS threads, each of which
// takes some of the tiles.

#include "keys.cuh"
#include "row_tiles.cuh"

#define FOURS (BINS / 4)
#define PARTS (THREADS / FOURS)

__device__ __forceinline__ void add(uint4& sums, const uint4& counts) {
    sums.x += counts.x, sums.y += counts.y, sums.z += counts.z, sums.w += counts.w;
}

extern "C" __global__ void __launch_bounds__(THREADS) row_sort_scan(u32* counts, u32 tiles) {
    __shared__ uint4 totals[PARTS][FOURS];
    const u32 part = threadIdx.x / FOURS, four = threadIdx.x % FOURS;
    const u32 each = (tiles + PARTS - 1) / PARTS, first = part * each;
    const u32 last = first + each < tiles ? first + each : tiles;
    uint4* mine = (uint4*)(counts + (u64)blockIdx.x * tiles * BINS) + four;
    uint4 total = {0, 0, 0, 0};
#pragma unroll 8
    for (u32 tile = first; tile < last; ++tile) add(total, mine[tile * FOURS]);
    totals[part][four] = total;
    __syncthreads();
    u32* of_digit = (u32*)totals + threadIdx.x;  // of part i: of_digit[i * BINS]
    u32 whole = 0;
    if (threadIdx.x < BINS)
        for (u32 i = 0; i < PARTS; ++i) whole += of_digit[i * BINS];
    u32 passed = before_in_block(whole);
    if (threadIdx.x < BINS)
        for (u32 i = 0; i < PARTS; ++i) {
            const u32 here = of_digit[i * BINS];
            of_digit[i * BINS] = passed, passed += here;
        }
    __syncthreads();
    uint4 start = totals[part][four];
#pragma unroll 8
    for (u32 tile = first; tile < last; ++tile) {
        const uint4 here = mine[tile * FOURS];
        mine[tile * FOURS] = start, add(start, here);
    }
}
