// Top-k: makes the staged keys (top_k_staged.cu) ready for a sort of a known size: entries behind the last
// come behind all others. With JOINED, `both` gets the code and the place of each in one word.
// found[0] says how many keys were staged. Any grid.

#include "keys.cuh"

extern "C" __global__ void top_k_joined(RAW* orders, u64* places, u64 room, const u64* staged, u64* both,
                                        u64* found) {
    const u64 count = *staged, threads = (u64)gridDim.x * blockDim.x;
    const u64 thread = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (!thread) *found = count;
#if JOINED
    for (u64 i = thread; i < room; i += threads)
        both[i] = i < count ? (u64)orders[i] << 32 | places[i] : ~0ull;
#else
    for (u64 i = count + thread; i < room; i += threads) orders[i] = (RAW)~(RAW)0, places[i] = ~0ull >> 1;
#endif
}
