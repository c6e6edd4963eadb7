// Robust regression: the sizes of residuals of several fits. Each fit is a line of WIDE factors, one for each
// column, and a residual is the sum of the products of a row. A thread reads a row once for all fits.
//
// `columns` is (WIDE, rows), `lines` (fits, WIDE), `sizes` (fits, rows). Any grid, and shared memory for the
// lines.

#include "keys.cuh"

extern "C" __global__ void __launch_bounds__(256)
    residual_sizes(const double* columns, u64 rows, const double* lines, u32 fits, double* sizes) {
    extern __shared__ double factors[];
    for (u32 i = threadIdx.x; i < fits * WIDE; i += blockDim.x) factors[i] = lines[i];
    __syncthreads();
    const u64 threads = (u64)gridDim.x * blockDim.x;
    for (u64 row = (u64)blockIdx.x * blockDim.x + threadIdx.x; row < rows; row += threads) {
        double values[WIDE];
#pragma unroll
        for (u32 c = 0; c < WIDE; ++c) values[c] = __ldcs(columns + c * rows + row);
        for (u32 fit = 0; fit < fits; ++fit) {
            double sum = 0;
#pragma unroll
            for (u32 c = 0; c < WIDE; ++c) sum += factors[fit * WIDE + c] * values[c];
            __stcs(sizes + fit * rows + row, fabs(sum));
        }
    }
}
