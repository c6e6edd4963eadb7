// randomizedSelect and bucketMultiSelect: gathers a sample, the keys at random places, the same on every device
// (shadersort/selection/primitives/sampling.py).
//
// Each thread reads one key from anywhere. Any grid with at least `count` threads.

#include "keys.cuh"

extern "C" __global__ void sample(const RAW* keys, u64 n, u64 start, u64 count, RAW* found) {
    const u32 draw = blockIdx.x * blockDim.x + threadIdx.x;
    if (draw >= count) return;
    u64 mixed = (start + draw + 1) * 0x9e3779b97f4a7c15ull;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9ull;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebull;
    found[draw] = keys[(mixed ^ mixed >> 31) % n];
}
