// Writes from first keys of rows: one thread for each. Neighbouring threads write neighbours: of a row, or of columns.
//
// KEPT 0: keys and places, given codes and places in order, both rows of `wanted`.
// KEPT 1: each of `kept` first keys to its place in an array of the shape of the keys (outer, length, inner), which is 0
// there before; with SOFT moved towards zero by the last of the first keys, number `kept`, or as it is if there is none.

#include "keys.cuh"
#include "rows.cuh"
#include "shrunk.cuh"

struct Arguments : FirstRows {
    const RAW* codes;
    const u32* at;
    u64 kept;
    RAW* to;
};

extern "C" __global__ void __launch_bounds__(256) write_firsts(const __grid_constant__ Arguments rows) {
    const u64 number = (u64)blockIdx.x * blockDim.x + threadIdx.x, each = KEPT ? rows.kept : rows.wanted;
    if (number >= rows.count * each) return;
    const bool near = rows.inner == 1;
    const u64 row = near ? number / each : number % rows.count, i = near ? number % each : number / rows.count;
    if (!KEPT) return rows.write(row, i, rows.codes[row * each + i], rows.at[row * each + i]);
    const RAW key = rows.values[rows.place(row, i)];
    const u64 outer = rows.outer_of(row), place = (u64)rows.places[rows.place(row, i)];
    RAW& to = rows.to[(outer * rows.length + place) * rows.inner + (row - outer * rows.inner)];
    to = SOFT && rows.kept < rows.wanted ? shrunk(key, magnitude_of(rows.values[rows.place(row, rows.kept)])) : key;
}
