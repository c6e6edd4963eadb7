// randomizedSelect: finds the two keys of a random sample that have the ranks `lower` and `upper` in it.
// `ends` gets them for a later kernel, and `told` for the host.
//
// Nothing is sorted: each warp counts, for some keys, how many others come before. Every block gathers
// all SAMPLES keys, each from anywhere. Any grid of blocks of THREADS.

#include "keys.cuh"
#include "sampling.cuh"

extern "C" __global__ void __launch_bounds__(THREADS)
    sample_bracket(const RAW* keys, u64 n, u64 start, u32 lower, u32 upper, RAW* ends, u64* told) {
    __shared__ RAW codes[SAMPLES];
#pragma unroll
    for (u32 draw = threadIdx.x; draw < SAMPLES; draw += THREADS)
        codes[draw] = encode(keys[place_of(start, draw, n)]);
    __syncthreads();
    const u32 warps = gridDim.x * (THREADS / LANES), lane = threadIdx.x % LANES;
    for (u32 mine = (blockIdx.x * THREADS + threadIdx.x) / LANES; mine < SAMPLES; mine += warps) {
        u32 before = 0;
#pragma unroll 8
        for (u32 other = lane; other < SAMPLES; other += LANES)
            before += codes[other] < codes[mine] || (codes[other] == codes[mine] && other < mine);
        before = warp_sum(before);
        if (lane || (before != lower && before != upper)) continue;
        const RAW end = decode(codes[mine]);
        if (before == lower) ends[0] = end, told[0] = end;
        if (before == upper) ends[1] = end, told[1] = end;
    }
}
