// The first keys of each row, and their places, by a sort of the row: a block of THREADS sorts up to THREADS * ITEMS
// codes with their places in shared memory, digit by digit (row_tiles.cuh). Reads every key once. Rows of neighbouring
// keys. BY, HIGHEST: see rows.cuh.

#include "keys.cuh"
#include "rows.cuh"
#define PAIRS 1
#include "row_tiles.cuh"

extern "C" __global__ void __launch_bounds__(THREADS, 1024 / THREADS) firsts_by_digits(const __grid_constant__ FirstRows rows) {
    __shared__ Shared shared;
    __shared__ u32 starts[BINS];
    const u32 size = (u32)rows.length;
    const Tile tile(size, 1, size);
    const RAW* begin = rows.begin_of(blockIdx.x);
    RAW codes[ITEMS];
    u32 held[ITEMS];  // from the end if HIGHEST
    UNROLLED for (int i = 0; i < ITEMS; ++i) {
        held[i] = tile.place(i);
        codes[i] = held[i] < size ? (RAW)code_of(begin[HIGHEST ? size - 1 - held[i] : held[i]]) : PAD;
    }
    ROLLED for (u32 shift = 0; shift < KEY_BITS; shift += 8) {
        u32 to[ITEMS];
        rank_tile(codes, shift, to, shared.counts, starts);
        reorder(codes, to, shared.keys, tile);
        reorder(held, to, shared.beside, tile);
    }
    UNROLLED for (int i = 0; i < ITEMS; ++i)
        if (tile.place(i) < rows.wanted) rows.write(blockIdx.x, tile.place(i), codes[i], held[i]);
}
