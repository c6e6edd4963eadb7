// Thresholding of several arrays: writes the keys of all of them whose magnitudes are `bound` at least, and
// zero for all others; with SOFT, the kept keys are moved towards zero by the magnitude `level`.
//
// With TIES, the places in all arrays of keys whose magnitudes are from `level` to `last` are noted, in no
// order and as far as there is room; *noted counts them. All magnitudes are compared as integers, NaNs too:
// few instructions a key. starts[i] is the place of the first key of array i, starts[count] the number of keys.
//
// Reads every key and writes a key for it, perhaps in its place. first_blocks[i] is the number of the first
// block of array i; blocks of 256, of which each thread has one load: blocks that come and go mix reads with
// writes better than blocks that stay.

#include "keys.cuh"
#include "shrunk.cuh"

// The array of this block, found by all lanes together: the last one that begins at this block or before.
__device__ __forceinline__ u32 array_of_block(const u64* first_blocks, u32 count) {
    u32 first = 0;
    while (count > 1) {
        const u32 step = (count + LANES - 1) / LANES, offset = threadIdx.x % LANES * step;
        const bool begun = offset < count && first_blocks[first + offset] <= blockIdx.x;
        const u32 passed = (__popc(__ballot_sync(FULL, begun)) - 1) * step;
        first += passed, count = count - passed < step ? count - passed : step;
    }
    return first;
}

struct Kept {
    RAW level, last, bound;
    u64 *ties, *noted, room;

    __device__ __forceinline__ RAW of(RAW bits) const {
        const RAW size = magnitude_of(bits);
        return size >= bound ? (SOFT ? shrunk(bits, level) : bits) : (RAW)0;
    }
    __device__ __forceinline__ bool ties_with(RAW bits) const {
        return (RAW)(magnitude_of(bits) - level) <= (RAW)(last - level);
    }
    __device__ __forceinline__ void note(RAW bits, u64 place) const {
        if (!ties_with(bits)) return;
        const u64 at = atomicAdd(noted, 1ull);
        if (at < room) ties[at] = place;
    }
    __device__ __forceinline__ RAW alone(RAW bits, u64 place) const {
        if (TIES) note(bits, place);
        return of(bits);
    }
    __device__ __forceinline__ void all(Load& loaded, u64 place) const {
        bool any = false;
#pragma unroll
        for (int k = 0; k < PER_LOAD; ++k) any |= ties_with(loaded.keys[k]);
        if (TIES && any)
#pragma unroll
            for (int k = 0; k < PER_LOAD; ++k) note(loaded.keys[k], place + k);
#pragma unroll
        for (int k = 0; k < PER_LOAD; ++k) loaded.keys[k] = of(loaded.keys[k]);
    }
    // Writes one array; `before` keys of other arrays stand before its first one.
    __device__ __forceinline__ void write(const RAW* keys, RAW* written, u64 n, u64 before, u64 thread,
                                          u64 threads) const {
        // keys before the first whole load: all of them, if keys and results do not begin alike
        const u64 head = ((u64)keys ^ (u64)written) % 16 ? n : head_of(keys, n), loads = (n - head) / PER_LOAD;
        for (u64 i = thread; i < head; i += threads) written[i] = alone(keys[i], before + i);
        const u64 rest = head + loads * PER_LOAD + thread;
        if (rest < n) written[rest] = alone(keys[rest], before + rest);
        keys += head, written += head, before += head;
        for (u64 i = thread; i < loads; i += threads) {
            Load loaded = load(keys, i);
            all(loaded, before + i * PER_LOAD);
            __stcs((uint4*)written + i, loaded.words);
        }
    }
};

extern "C" __global__ void __launch_bounds__(256, 8)
    magnitudes_kept(const RAW* const* arrays, RAW* const* results, const u64* starts, const u64* first_blocks,
                    u32 count, RAW level, RAW last, RAW bound, u64* ties, u64* noted, u64 room) {
    const Kept kept{level, last, bound, ties, noted, room};
    const u32 i = array_of_block(first_blocks, count);
    const u64 first = first_blocks[i], blocks = first_blocks[i + 1] - first;
    kept.write(arrays[i], results[i], starts[i + 1] - starts[i], starts[i], (blockIdx.x - first) * 256 + threadIdx.x,
               blocks * 256);
}
