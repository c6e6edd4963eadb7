// The keys of some ranks, given all in order: the bits of each, how many keys come before it, and
// how many equal it; three rows of `count`. Then whether the first key of all is a NaN, for they are
// not in order then.
//
// A binary search for each rank, one a thread.

#include "keys.cuh"

// How many of the keys in order have codes below one, or up to it.
template <bool UPTO>
__device__ __forceinline__ u64 passed(const RAW* ordered, u64 n, RAW code) {
    u64 first = 0, last = n;
    while (first < last) {
        const u64 middle = (first + last) / 2;
        const RAW here = encode(ordered[middle]);
        if (here < code || (UPTO && here == code)) first = middle + 1;
        else last = middle;
    }
    return first;
}

extern "C" __global__ void ranked(const RAW* ordered, u64 n, const u64* ranks, u32 count,
                                  u64* found) {
    const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (!i) found[3 * count] = is_nan(ordered[0]);
    if (i >= count) return;
    const RAW bits = ordered[ranks[i]], code = encode(bits);
    const u64 below = passed<false>(ordered, n, code);
    found[i] = bits, found[count + i] = below;
    found[2 * count + i] = passed<true>(ordered, n, code) - below;
}
