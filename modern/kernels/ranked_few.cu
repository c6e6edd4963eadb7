// The key of one rank among few keys: its code, how many keys come before it, and how many equal it.
//
// One block of THREADS. Reads the keys once to see which codes there are, once for each digit by
// which those differ, until one key is left or keys that are equal, and once more to see which.

#include "keys.cuh"

#define BINS 2048
#define DIGIT 11
#define WARPS (THREADS / LANES)
#define BINS_EACH (BINS / THREADS)

struct Ends {
    RAW first, last;
};

// The smallest and the largest code of all threads, in every thread.
__device__ Ends joined_ends(RAW low, RAW high) {
    __shared__ RAW lows[WARPS], highs[WARPS];
    low = (RAW)warp_least((u64)low), high = (RAW)~warp_least(~(u64)high);
    if (!(threadIdx.x % LANES)) lows[threadIdx.x / LANES] = low, highs[threadIdx.x / LANES] = high;
    __syncthreads();
    Ends ends{lows[0], highs[0]};
    for (int i = 1; i < WARPS; ++i) {
        ends.first = lows[i] < ends.first ? lows[i] : ends.first;
        ends.last = highs[i] > ends.last ? highs[i] : ends.last;
    }
    return ends;
}

// How many keys are in the bins of all threads before this one.
__device__ u32 before_mine(u32 mine) {
    __shared__ u32 of_warp[WARPS];
    const u32 lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
    u32 sum = mine;
    for (int step = 1; step < LANES; step <<= 1) {
        const u32 other = __shfl_up_sync(FULL, sum, step);
        if (lane >= step) sum += other;
    }
    if (lane == LANES - 1) of_warp[warp] = sum;
    __syncthreads();
    for (u32 i = 0; i < warp; ++i) sum += of_warp[i];
    return sum - mine;
}

extern "C" __global__ void __launch_bounds__(THREADS)
    ranked_few(const RAW* keys, u64 n, u32 rank, u64* result) {
    __shared__ u32 bins[BINS], found, passed, equal;
    __shared__ RAW only;
    RAW low = (RAW)~(RAW)0, high = 0;
    for_each_key(keys, n, [&](RAW bits) {
        const RAW code = encode(bits);
        low = code < low ? code : low, high = code > high ? code : high;
    });
    Ends ends = joined_ends(low, high);
    u32 before = 0, here = n;
    while (ends.first < ends.last && here > 1) {
        const RAW span = (RAW)(ends.last - ends.first);
        const int bits = sizeof(RAW) == 8 ? 64 - __clzll(span) : 32 - __clz((u32)span);
        const int shift = bits > DIGIT ? bits - DIGIT : 0;
        for (u32 i = threadIdx.x; i < BINS; i += THREADS) bins[i] = 0;
        __syncthreads();
        for_each_key(keys, n, [&](RAW key) {
            const RAW offset = (RAW)(encode(key) - ends.first);
            if (offset <= span) atomicAdd(&bins[(u32)(offset >> shift)], 1);
        });
        __syncthreads();

        u32 mine = 0;
        for (int i = 0; i < BINS_EACH; ++i) mine += bins[threadIdx.x * BINS_EACH + i];
        u32 start = before + before_mine(mine);
        for (int i = 0; i < BINS_EACH; ++i) {
            const u32 bin = threadIdx.x * BINS_EACH + i, count = bins[bin];
            if (start <= rank && rank < start + count) found = bin, passed = start, equal = count;
            start += count;
        }
        __syncthreads();
        before = passed, here = equal;
        ends.first += (RAW)found << shift;
        const RAW most = ends.first + (((RAW)1 << shift) - 1);
        ends.last = most < ends.last ? most : ends.last;
        __syncthreads();
    }
    if (ends.first < ends.last) {
        for_each_key(keys, n, [&](RAW key) {
            const RAW code = encode(key);
            if (code >= ends.first && code <= ends.last) only = code;
        });
        __syncthreads();
        ends.first = only;
    }
    if (!threadIdx.x) result[0] = ends.first, result[1] = before, result[2] = here;
}
