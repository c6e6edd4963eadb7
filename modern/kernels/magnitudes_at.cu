// Thresholding of several arrays: the magnitudes of one array at some of the places in all arrays. Any grid
// with at least `count` threads. `first` is the place of the array's first key.

#include "keys.cuh"

extern "C" __global__ void magnitudes_at(const RAW* keys, const u64* places, u64 first, u32 count, RAW* found) {
    const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) found[i] = magnitude_of(keys[places[i] - first]);
}
