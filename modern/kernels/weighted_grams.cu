// Robust regression: Gram matrices of WIDE columns, weighted for each fit. A matrix is divided into squares
// of 4 × 4, and a warp adds up one square of the upper triangle for some of the rows, in registers. The warps
// of a block take the same rows, so the columns come from the cache for all but one of them.
//
// With TRIMMED, a weight is 1 for a size below the fit's bound, the share for one that equals it, and 0 for
// others; otherwise `numbers` are the weights. Both are (fits, rows), and `columns` is (WIDE, rows).
// Blocks of (32, warps); the grid has (parts, squares / warps, fits). parts[fit][part][square] gets 16 sums,
// which are added in a fixed order later.

#include "keys.cuh"

#define SIDE 4
#define ACROSS ((WIDE + SIDE - 1) / SIDE)
#define SQUARES (ACROSS * (ACROSS + 1) / 2)

struct Rows {
    const double* columns;
    u64 rows;
    // The numbers of a row in the columns from `first` on; 0 behind the last column.
    __device__ __forceinline__ void of(double (&values)[SIDE], u32 first, u64 row) const {
#pragma unroll
        for (u32 i = 0; i < SIDE; ++i) {
            const u32 column = first + i;
            values[i] = column < WIDE ? columns[column * rows + row] : 0.0;
        }
    }
};

__device__ __forceinline__ double weight_of(double number, double bound, double share) {
#if TRIMMED
    return number < bound ? 1.0 : number == bound ? share : 0.0;
#else
    return number;
#endif
}

extern "C" __global__ void __launch_bounds__(512)
    weighted_grams(const double* columns, u64 rows, const double* numbers, const double* bounds,
                   const double* shares, double* parts) {
    const u32 square = blockIdx.y * blockDim.y + threadIdx.y, fit = blockIdx.z;
    if (square >= SQUARES) return;
    u32 down = 0, before = square;
    while (before >= ACROSS - down) before -= ACROSS - down, ++down;
    const u32 right = down + before;
    const double* own = numbers + fit * rows;
    const double bound = TRIMMED ? bounds[fit] : 0, share = TRIMMED ? shares[fit] : 0;
    const Rows all{columns, rows};
    double sums[SIDE][SIDE] = {};
#pragma unroll 2
    for (u64 row = (u64)blockIdx.x * LANES + threadIdx.x; row < rows; row += (u64)gridDim.x * LANES) {
        double left[SIDE], top[SIDE];
        const double weight = weight_of(own[row], bound, share);
        all.of(left, down * SIDE, row);
        all.of(top, right * SIDE, row);
#pragma unroll
        for (u32 i = 0; i < SIDE; ++i) {
            left[i] *= weight;
#pragma unroll
            for (u32 j = 0; j < SIDE; ++j) sums[i][j] += left[i] * top[j];
        }
    }
    double* to = parts + (((u64)fit * gridDim.x + blockIdx.x) * SQUARES + square) * SIDE * SIDE;
#pragma unroll
    for (u32 i = 0; i < SIDE; ++i)
#pragma unroll
        for (u32 j = 0; j < SIDE; ++j) {
            const double sum = warp_sum(sums[i][j]);
            if (!threadIdx.x) to[i * SIDE + j] = sum;
        }
}
