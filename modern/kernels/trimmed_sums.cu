// Robust regression: how many sizes of each fit are below its bound, how many equal it, and the sum of the
// squares of those below. blockIdx.y is the fit; parts[fit][block] gets the three sums of a block, which are
// added in a fixed order later. Any grid of blocks of 256.

#include "keys.cuh"

extern "C" __global__ void __launch_bounds__(256)
    trimmed_sums(const double* sizes, u64 rows, const double* bounds, double* parts) {
    const double bound = bounds[blockIdx.y];
    const double* own = sizes + blockIdx.y * rows;
    double below = 0, equal = 0, squares = 0;
    const u64 threads = (u64)gridDim.x * blockDim.x;
#pragma unroll 4
    for (u64 row = (u64)blockIdx.x * blockDim.x + threadIdx.x; row < rows; row += threads) {
        const double size = __ldcs(own + row);
        if (size < bound) below += 1, squares += size * size;
        if (size == bound) equal += 1;
    }
    __shared__ double sums[3][8];
    const double mine[3] = {warp_sum(below), warp_sum(equal), warp_sum(squares)};
    if (!(threadIdx.x % LANES))
        for (int i = 0; i < 3; ++i) sums[i][threadIdx.x / LANES] = mine[i];
    __syncthreads();
    if (threadIdx.x >= 3) return;
    double sum = 0;
    for (int warp = 0; warp < 8; ++warp) sum += sums[threadIdx.x][warp];
    parts[((u64)blockIdx.y * gridDim.x + blockIdx.x) * 3 + threadIdx.x] = sum;
}
