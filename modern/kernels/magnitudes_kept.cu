// Thresholding of several arrays: writes the keys of all of them whose magnitudes are `bound` at least, and
// zero for all others; with SOFT, the kept keys are moved towards zero by the magnitude `level`.
//
// With TIES, the places in all arrays of keys whose magnitudes are from `level` to `last` are noted, in no
// order and as far as there is room; *noted counts them. All magnitudes are compared as integers, NaNs too:
// few instructions a key. starts[i] is the place of the first key of array i, starts[count] the number of keys.
//
// Reads every key and writes a key for it, perhaps in its place. Any grid of blocks of 256.

#include "keys.cuh"
#include "shrunk.cuh"

#define TILE (256 * UNROLL)  // loads that a block takes together, from neighbouring addresses

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
    __device__ __forceinline__ void write(const RAW* keys, RAW* written, u64 n, u64 before) const {
        const u64 thread = (u64)blockIdx.x * 256 + threadIdx.x, threads = (u64)gridDim.x * 256;
        // keys before the first whole load: all of them, if keys and results do not begin alike
        const u64 head = ((u64)keys ^ (u64)written) % 16 ? n : head_of(keys, n), loads = (n - head) / PER_LOAD;
        for (u64 i = thread; i < head; i += threads) written[i] = alone(keys[i], before + i);
        const u64 rest = head + loads * PER_LOAD + thread;
        if (rest < n) written[rest] = alone(keys[rest], before + rest);
        keys += head, written += head, before += head;
        for (u64 first = (u64)blockIdx.x * TILE + threadIdx.x; first < loads; first += (u64)gridDim.x * TILE) {
            Load loaded[UNROLL];
#pragma unroll
            for (int j = 0; j < UNROLL; ++j)
                if (first + j * 256 < loads) loaded[j] = load(keys, first + j * 256);
#pragma unroll
            for (int j = 0; j < UNROLL; ++j) {
                const u64 at = first + j * 256;
                if (at >= loads) break;
                all(loaded[j], before + at * PER_LOAD);
                __stcs((uint4*)written + at, loaded[j].words);
            }
        }
    }
};

extern "C" __global__ void __launch_bounds__(256, 5)
    magnitudes_kept(const RAW* const* arrays, RAW* const* results, const u64* starts, u32 count, RAW level, RAW last,
                    RAW bound, u64* ties, u64* noted, u64 room) {
    const Kept kept{level, last, bound, ties, noted, room};
#pragma unroll 1
    for (u32 i = 0; i < count; ++i) kept.write(arrays[i], results[i], starts[i + 1] - starts[i], starts[i]);
}
