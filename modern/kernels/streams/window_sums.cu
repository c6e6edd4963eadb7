// Sums of the keys of each row in float64: the keys of every SUMMED-th column are added in order, and then these SUMMED
// sums (window_sums in shadersort/streams/correlated/mass_summaries.py). Reads every key once. One block of SUMMED
// threads for each row; `length` is a multiple of SUMMED.

#include "keys.cuh"

extern "C" __global__ void window_sums(const RAW* keys, u64 length, double* found) {
    __shared__ double sums[SUMMED];
    const RAW* row = keys + blockIdx.x * length;
    double sum = (double)value_of(row[threadIdx.x]);
    for (u64 i = SUMMED + threadIdx.x; i < length; i += SUMMED) sum += (double)value_of(row[i]);
    sums[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x) return;
    for (u32 i = 1; i < SUMMED; ++i) sum += sums[i];
    found[blockIdx.x] = sum;
}
