// The smallest number that is not below a pivot, and the largest that is not above it, as codes;
// all ones and 0 where there is none.
//
// Reads every key once. Any grid of whole warps.

#include "keys.cuh"

struct Nearest {
    u64 above = ~0ull, below = 0;
    u64 any_above = 0, any_below = 0;

    __device__ void merge(const Nearest& other) {
        above = other.above < above ? other.above : above;
        below = other.below > below ? other.below : below;
        any_above |= other.any_above, any_below |= other.any_below;
    }
    __device__ void join_lanes() {
        above = warp_least(above);
        below = ~warp_least(~below);
        any_above = __any_sync(FULL, any_above != 0);
        any_below = __any_sync(FULL, any_below != 0);
    }
};

extern "C" __global__ void __launch_bounds__(256, 5) nearest(const RAW* keys, u64 n, RAW pivot_code, Nearest* parts,
                                   u32* ticket, Nearest* result) {
    RAW above = (RAW)~(RAW)0, below = 0;
    bool any_above = false, any_below = false;
    for_each_key(keys, n, [&](RAW bits) {
        const RAW code = encode(bits);
#if FLOATING
        if (code == (RAW)~(RAW)0) return;  // NaN is no number
#endif
        if (code >= pivot_code) any_above = true, above = code < above ? code : above;
        if (code <= pivot_code) any_below = true, below = code > below ? code : below;
    });
    Nearest part;
    part.above = above, part.below = below;
    part.any_above = any_above, part.any_below = any_below;
    if (joined(part, parts, ticket)) *result = part;
}
