// Sort and choose: looks up the keys of some ranks among sorted keys. `found` has three rows of `count`
// numbers: the bits of each key, how many keys are below it, and how many equal it. One more word says
// whether the first of all keys is a NaN; the keys are not in order then.
//
// Two searches for each rank, by PROBES threads: a warp, or one thread. Each thread reads a key at every
// step, so more threads need fewer steps, which cannot overlap. Any grid of blocks of whole warps with
// at least PROBES × count threads.

#include "keys.cuh"

// How many of the sorted keys have codes below a code; with UPTO, below or equal.
template <bool UPTO>
__device__ __forceinline__ u64 passed(const RAW* ordered, u64 n, RAW code) {
    const u32 probe = threadIdx.x % PROBES;
    u64 first = 0, last = n;
    while (first < last) {
        const u64 piece = (last - first + PROBES) / (PROBES + 1), end = first + (probe + 1) * piece - 1;
        bool passes = false;
        if (end < last) {
            const RAW here = encode(ordered[end]);
            passes = here < code || (UPTO && here == code);
        }
        const u32 pieces = PROBES > 1 ? __popc(__ballot_sync(FULL, passes)) : passes;
        first += pieces * piece;
        // the next probe did not pass, unless all did
        if (pieces < PROBES && first + piece - 1 < last) last = first + piece - 1;
    }
    return first;
}

extern "C" __global__ void sort_choose(const RAW* ordered, u64 n, const u64* ranks, u32 count,
                                  u64* found) {
    const u32 i = blockIdx.x * (blockDim.x / PROBES) + threadIdx.x / PROBES;
    if (i >= count) return;
    const RAW bits = ordered[ranks[i]], code = encode(bits);
    const u64 below = passed<false>(ordered, n, code), upto = passed<true>(ordered, n, code);
    if (threadIdx.x % PROBES) return;
    found[i] = bits, found[count + i] = below, found[2 * count + i] = upto - below;
    if (!i) found[3 * count] = is_nan(ordered[0]);
}
