// Finds the code of the smallest number that is not below a pivot, and of the largest that is not above
// it, and whether each of them exists.
//
// Differences of codes are unsigned and wrap around. So a key on the wrong side of the pivot has a larger difference
// than any key on the right side, and the smallest differences give the answers. Reads every key once. Any grid of
// whole warps.

#include "keys.cuh"
#include "totals.cuh"

extern "C" __global__ void __launch_bounds__(256, 5)
    nearest(const RAW* keys, u64 n, RAW pivot, u64* parts, u32* ticket, u64* result) {
    RAW up = (RAW)~(RAW)0, down = up;
    for_each_key(keys, n, [&](RAW bits) {
        const RAW higher = (RAW)(encode(bits) - pivot), lower = (RAW)(0 - higher);
        up = higher < up ? higher : up;
        down = lower < down ? lower : down;
    });
    Part<2, 0, 0> part;
    part.word[0] = up, part.word[1] = down;
    if (!part.join(parts, ticket)) return;
    const u64 most = (RAW)~(RAW)pivot;  // the distance to the last code, which is that of NaN for floats
    result[0] = (RAW)(pivot + part.word[0]), result[1] = (RAW)(pivot - part.word[1]);
    result[2] = n && (FLOATING ? part.word[0] < most : part.word[0] <= most), result[3] = n && part.word[1] <= pivot;
}
