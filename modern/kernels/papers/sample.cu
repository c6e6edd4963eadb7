// randomizedSelect and bucketMultiSelect: gathers a sample, the keys at random positions.
//
// Each thread reads one key from anywhere. Any grid with at least `count` threads.

#include "keys.cuh"
#include "sampling.cuh"

extern "C" __global__ void sample(const RAW* keys, u64 n, u64 start, u32 count, RAW* found) {
    const u32 draw = blockIdx.x * blockDim.x + threadIdx.x;
    if (draw < count) found[draw] = keys[place_of(start, draw, n)];
}
