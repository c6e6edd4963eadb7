// Replaces the two counts of each tile by how many keys of each kind the row has before the tile; `totals` are those
// of whole rows.
//
// Reads the counts twice and writes them once. A block of THREADS for each row; a thread has neighbouring tiles.

#include "keys.cuh"
#include "scan.cuh"

extern "C" __global__ void __launch_bounds__(THREADS) firsts_started(u32* counts, u32 tiles, u32* totals) {
    const u32 each = (tiles + THREADS - 1) / THREADS, first = threadIdx.x * each;
    const u32 end = first + each < tiles ? first + each : tiles;
    u32* of_row = counts + 2ull * blockIdx.x * tiles;
    for (u32 kind = 0; kind < 2; ++kind) {
        u32 sum = 0;
        for (u32 i = first; i < end; ++i) sum += of_row[2 * i + kind];
        u32 start = before_in_block(sum);
        if (threadIdx.x == THREADS - 1) totals[2ull * blockIdx.x + kind] = start + sum;
        for (u32 i = first; i < end; ++i) {
            const u32 here = of_row[2 * i + kind];
            of_row[2 * i + kind] = start, start += here;
        }
        __syncthreads();
    }
}
