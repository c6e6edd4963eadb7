// The smallest number that is not below a pivot, and the largest that is not above it, as codes,
// and for each of the two whether there is one.
//
// Differences of codes are taken modulo the codes there are: a key on the wrong side of the pivot is
// further from it, up or down, than any on the right side can be. So the least differences say all.
//
// Reads every key once. Any grid of whole warps.

#include "keys.cuh"

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
    const u64 most = (RAW)~(RAW)pivot;  // so far up is the last code: where floats have a NaN
    *result = Found{(RAW)(pivot + part.up), (RAW)(pivot - part.down),
                    n && (FLOATING ? part.up < most : part.up <= most), n && part.down <= pivot};
}
