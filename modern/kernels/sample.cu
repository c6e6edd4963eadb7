// Gathers keys from random places (shadersort/primitives/sampling.py).
//
// Reads one key a thread, each from anywhere. Any grid that has as many threads.

#include "keys.cuh"

extern "C" __global__ void sample(const RAW* keys, u64 n, u64 start, u32 count, RAW* found) {
    const u32 draw = blockIdx.x * blockDim.x + threadIdx.x;
    if (draw >= count) return;
    u64 mixed = (start + draw + 1) * 0x9e3779b97f4a7c15ull;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9ull;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebull;
    found[draw] = keys[(mixed ^ mixed >> 31) % n];
}
