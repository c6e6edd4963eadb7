// Thresholding of several arrays: writes zero at those of some places in all arrays that belong to one of
// them, which has n keys from place `first` on. Any grid with at least `count` threads.

#include "keys.cuh"

extern "C" __global__ void magnitudes_dropped(const u64* places, u64 count, u64 first, u64 n, RAW* written) {
    const u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count && places[i] - first < n) written[places[i] - first] = 0;
}
