// Writes from first keys of rows: one thread for each. Neighbouring threads write neighbours: of a row, or of columns.
//
// KEPT 0: keys and places, given codes and places in order, both rows of `wanted`.
// KEPT 1: each of `kept` first keys to its place in an array of the shape of the keys (outer, length, inner), which is 0
// there before; with SOFT moved towards zero by the last of the first keys, number `kept`, or as it is if there is none.

#include "keys.cuh"
#include "rows.cuh"
#if KEPT
#include "shrunk.cuh"
#endif

extern "C" __global__ void __launch_bounds__(256)
    write_firsts(ROWS_ARGUMENTS, FIRSTS_ARGUMENTS, const RAW* codes, const u32* at, u64 kept, RAW* to) {
    const Rows rows ROWS;
    const u64 number = (u64)blockIdx.x * blockDim.x + threadIdx.x, each = KEPT ? kept : wanted;
    if (number >= count * each) return;
    const u64 row = inner == 1 ? number / each : number % count, i = inner == 1 ? number % each : number / count;
#if KEPT
    const RAW key = values[rows.place(row, i)];
    const bool moves = SOFT && kept < wanted;
    const u64 outer = rows.outer_of(row), place = (u64)places[rows.place(row, i)];
    to[(outer * length + place) * inner + (row - outer * inner)] = moves ? shrunk(key, magnitude_of(values[rows.place(row, kept)])) : key;
#else
    const Firsts firsts FIRSTS_OF;
    firsts.write(rows, row, i, codes[row * wanted + i], at[row * wanted + i]);
#endif
}
