// Thresholding: writes the kept keys (threshold_staged.cu) to their places. Any grid.

#include "keys.cuh"

extern "C" __global__ void threshold_put(const RAW* bits, const u64* places, u64 count, RAW* written) {
    const u64 threads = (u64)gridDim.x * blockDim.x;
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += threads)
        if (places[i] != ~0ull) written[places[i]] = bits[i];
}
