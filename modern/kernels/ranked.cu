// The keys of some ranks, given all in order: the bits of each, how many keys come before it, and
// how many equal it; three rows of `count`. Then whether the first key of all is a NaN, for they are
// not in order then.
//
// Two searches for each rank, one warp each, which read a key a lane at every step: so the steps,
// which have to wait for each other, are few. Any grid of blocks of whole warps, a warp a rank.

#include "keys.cuh"

// How many of the keys in order have codes below one, or up to it.
template <bool UPTO>
__device__ __forceinline__ u64 passed(const RAW* ordered, u64 n, RAW code) {
    const u32 lane = threadIdx.x % LANES;
    u64 first = 0, last = n;
    while (first < last) {
        const u64 piece = (last - first + LANES - 1) / LANES, end = first + (lane + 1) * piece - 1;
        bool passes = false;
        if (end < last) {
            const RAW here = encode(ordered[end]);
            passes = here < code || (UPTO && here == code);
        }
        first += __popc(__ballot_sync(FULL, passes)) * piece;
        if (first + piece - 1 < last) last = first + piece - 1;  // the key there does not pass
    }
    return first;
}

extern "C" __global__ void ranked(const RAW* ordered, u64 n, const u64* ranks, u32 count,
                                  u64* found) {
    const u32 i = (blockIdx.x * blockDim.x + threadIdx.x) / LANES;
    if (i >= count) return;
    const RAW bits = ordered[ranks[i]], code = encode(bits);
    const u64 below = passed<false>(ordered, n, code), upto = passed<true>(ordered, n, code);
    if (threadIdx.x % LANES) return;
    found[i] = bits, found[count + i] = below, found[2 * count + i] = upto - below;
    if (!i) found[3 * count] = is_nan(ordered[0]);
}
