// Finds the prefixes that come more than `above` times, on every level of a hierarchy, given items in order
// (often in shadersort/streams/frequencies/sorted_windows.py).
//
// A prefix is an item divided by the level's divisor; a divisor of 0 means that all items have one prefix. Of each
// level the prefixes are written in any order from `found` + level · `room` on; `totals` counts them, and is 0 before.
// A prefix comes so often where it begins `above` items before one of its own.
//
// Reads every item once, and others near it. One thread for each item.

#include "keys.cuh"

__device__ __forceinline__ RAW prefix_of(RAW item, RAW divisor) { return divisor ? (RAW)(item / divisor) : (RAW)0; }

extern "C" __global__ void frequent_prefixes(const RAW* ordered, u64 n, u64 above, const RAW* divisors,
                                             u32 levels, u64 room, RAW* found, u32* totals) {
    const u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (i + above >= n) return;
    const RAW here = ordered[i], far = ordered[i + above];
    const RAW before = i ? ordered[i - 1] : here;
    for (u32 level = 0; level < levels; ++level) {
        const RAW divisor = divisors[level], prefix = prefix_of(here, divisor);
        if (i && prefix_of(before, divisor) == prefix) return;  // so is every shorter prefix
        if (prefix_of(far, divisor) != prefix) continue;
        const u32 place = atomicAdd(&totals[level], 1u);
        if (place < room) found[level * room + place] = prefix;
    }
}
