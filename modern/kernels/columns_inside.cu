// Turns ranks of columns into ranks among their staged keys: one thread for each rank (columns_staged.cu). A rank that
// the bracket missed becomes the first or the last place of the room. `ranks` are (columns, count), or `count` ranks
// of all columns; `inside` and `every` are (columns, count).

#include "keys.cuh"
#include "column_counts.cuh"

extern "C" __global__ void columns_inside(const long long* ranks, u32 own, u32 count, u64 columns,
                                          const ColumnCounts* counts, u32 room, long long* inside,
                                          long long* every) {
    const u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= columns * count) return;
    const long long rank = ranks[own ? i : i % count], at = rank - (long long)counts[i / count].before();
    inside[i] = at < 0 ? 0 : at < room ? at : room - 1;
    every[i] = rank;
}
