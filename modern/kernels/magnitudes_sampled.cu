// Thresholding of several arrays: the magnitudes of a sample of all keys, one key at a hashed place in each of
// `sampled` parts of them (`sampled_places` in shadersort/selection/primitives/one_read.py).
//
// starts[i] is the place of the first key of array i, and starts[count] the number of all keys. Any grid with
// at least `sampled` threads.

#include "keys.cuh"
#include "scan.cuh"
#include "starts.cuh"

extern "C" __global__ void magnitudes_sampled(const RAW* const* arrays, const u64* starts, u32 count, u32 sampled,
                                              RAW* found) {
    const u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x, n = starts[count];
    if (i >= sampled) return;
    const u64 first = i * n / sampled, stride = (i + 1) * n / sampled - first;
    u64 mixed = (i + 1) * 0x9e3779b97f4a7c15ull;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9ull;
    mixed ^= mixed >> 27;
    const u64 place = first + ((mixed >> 32) * stride >> 32);
    const u32 array = counter_at(starts, count, place);
    found[i] = magnitude_of(arrays[array][place - starts[array]]);
}
