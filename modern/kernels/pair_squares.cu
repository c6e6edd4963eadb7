// Nearest neighbours: the squared distances of pairs of queries and points, from differences in double
// precision. Coordinates are multiplied by `scale`, a power of two, first. EACH lanes take a pair; equal pairs
// get equal bits. Any grid with at least EACH · count threads.

#include "keys.cuh"

#define EACH 8

extern "C" __global__ void __launch_bounds__(256)
    pair_squares(const RAW* points, const RAW* queries, u32 features, const u64* rows, const u64* places, u64 count,
                 double scale, double* squares) {
    const u64 pair = ((u64)blockIdx.x * blockDim.x + threadIdx.x) / EACH;
    const u32 lane = threadIdx.x % EACH;
    double sum = 0;
    if (pair < count) {
        const RAW *point = points + places[pair] * features, *query = queries + rows[pair] * features;
        for (u32 i = lane; i < features; i += EACH) {
            const double apart = (double)value_of(point[i]) * scale - (double)value_of(query[i]) * scale;
            sum += apart * apart;
        }
    }
#pragma unroll
    for (u32 step = EACH / 2; step; step /= 2) sum += __shfl_xor_sync(FULL, sum, step);
    if (pair < count && !lane) squares[pair] = sum;
}
