// Nearest neighbours: the candidates of the slices of a query one after the other. starts[query][slice] says
// where those of a slice go; `joined` rows are `wide` long, and what is behind their ends is there already.
// A warp for each slice of each query.

#include "keys.cuh"

extern "C" __global__ void __launch_bounds__(256)
    candidates_joined(const u32* places, const float* sums, u32 room, const u32* counts, const u64* starts, u64 rows,
                      u32 slices, u64* joined, double* products, u32 wide) {
    const u64 row = ((u64)blockIdx.x * blockDim.x + threadIdx.x) / LANES;
    if (row >= rows) return;
    const u64 to = row / slices * wide + starts[row];
    for (u32 i = threadIdx.x % LANES; i < counts[row]; i += LANES) {
        joined[to + i] = places[row * room + i];
        products[to + i] = sums[row * room + i];
    }
}
