// Copies columns to rows: (outer, length, inner) with neighbouring inner keys to (outer, inner, length), without
// gaps (modern/rows/cuda.py).
//
// Reads and writes every key once, by whole lines. A block of 256 threads for each 32 * 64 keys.

#include "keys.cuh"
#include "turned_tile.cuh"

extern "C" __global__ void __launch_bounds__(256)
    rows_turned(const RAW* keys, u64 outer_step, u64 step, u32 length, u32 inner, RAW* rows) {
    const TurnedTile tile(inner, length);
    tile.copy(keys + tile.outer * outer_step, step, rows, [&](u32 y) { return tile.row(y); });
}
