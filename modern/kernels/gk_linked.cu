// Follows links from the last entry of each row of Greenwald-Khanna summaries to the first: the entries that
// are kept (PaddedSummaries.thinned in shadersort/streams/padded_summaries.py).
//
// The keys of this kernel are columns. Every entry links to an earlier one of its row, the first to itself.
// Writes the columns on the way to the end of each row of `ways`, in order, and how many they are to
// `lengths`; the rest of `ways` stays as it was.
//
// Reads one link for each column on the way, each after the one before. So a row has a warp to itself, of
// which one thread works: threads of one warp would wait for each other's links.

#include "keys.cuh"

extern "C" __global__ void gk_linked(const RAW* links, u64 rows, u64 entries, RAW* ways, RAW* lengths) {
    const u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows * 32 || i % 32) return;
    const u64 row = i / 32 * entries;
    u64 at = entries - 1, left = entries;
    ways[row + --left] = (RAW)at;
    while (at) {
        at = (u64)links[row + at];
        ways[row + --left] = (RAW)at;
    }
    lengths[i / 32] = (RAW)(entries - left);
}
