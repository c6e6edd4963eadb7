// Sorts rows of up to TILE keys, each in shared memory, by the bits from `begin` to `end`. Reads and writes every key
// once. One block of THREADS for each row.

#include "keys.cuh"
#include "row_tiles.cuh"

extern "C" __global__ void __launch_bounds__(THREADS)
    row_sort_block(const RAW* keys, u32 length, u32 begin, u32 end, RAW* sorted) {
    __shared__ Shared shared;
    __shared__ u32 starts[BINS];
    const Tile row(length, 1, length);
    RAW held[ITEMS];
    load_tile(held, keys, row, true);
    for (u32 shift = begin; shift < end; shift += 8) {
        u32 places[ITEMS];
        rank_tile(held, shift, places, shared.counts, starts);
        reorder(held, places, shared.keys, row);
    }
    UNROLLED for (int i = 0; i < ITEMS; ++i)
        if (row.place(i) < length) sorted[row.start + row.place(i)] = unflip(held[i]);
}
