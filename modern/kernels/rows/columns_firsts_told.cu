// Writes the first keys of columns and their places, given entries (outer, inner, count) with the places in their low 32
// bits: one thread for each (columns_firsts_staged.cu). `values` and `places` are (outer, count, inner).

#include "keys.cuh"

extern "C" __global__ void columns_firsts_told(const RAW* keys, u64 outer_step, u64 step, u32 inner, u32 count,
                                               u64 entries, const u64* found, RAW* values, long long* places) {
    const u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= entries) return;
    const u64 column = i % inner, outer = i / inner / count, at = i / inner % count;
    const u32 place = (u32)found[(outer * inner + column) * count + at];
    places[i] = place, values[i] = keys[outer * outer_step + place * step + column];
}
