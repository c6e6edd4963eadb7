// Finds the code of the smallest number that is not below a pivot, and of the largest that is not above
// it, and whether each of them exists.
//
// Differences of codes are unsigned and wrap around. So a key on the wrong side of the pivot has a
// larger difference than any key on the right side, and the smallest differences give the answers.
//
// Reads every key once. Any grid of whole warps.

#include "keys.cuh"
#include "totals.cuh"

struct Nearest {
    u64 up = ~0ull, down = ~0ull;

    __device__ void merge(const Nearest& other) {
        up = other.up < up ? other.up : up;
        down = other.down < down ? other.down : down;
    }
    __device__ void join_lanes() {
        up = warp_least(up);
        down = warp_least(down);
    }
};

struct Found {
    u64 above, below, any_above, any_below;
};

extern "C" __global__ void __launch_bounds__(256, 5)
    nearest(const RAW* keys, u64 n, RAW pivot, Nearest* parts, u32* ticket, Found* result) {
    RAW up = (RAW)~(RAW)0, down = up;
    for_each_key(keys, n, [&](RAW bits) {
        const RAW higher = (RAW)(encode(bits) - pivot), lower = (RAW)(0 - higher);
        up = higher < up ? higher : up;
        down = lower < down ? lower : down;
    });
    Nearest part;
    part.up = up, part.down = down;
    if (!joined(part, parts, ticket)) return;
    const u64 most = (RAW)~(RAW)pivot;  // the distance to the last code, which is that of NaN for floats
    *result = Found{(RAW)(pivot + part.up), (RAW)(pivot - part.down),
                    n && (FLOATING ? part.up < most : part.up <= most), n && part.down <= pivot};
}
