// Thresholding of several arrays: writes the keys of one of them whose magnitudes are `bound` at least, and
// zero for all others; with SOFT, the kept keys are moved towards zero by the magnitude `level`.
//
// With TIES, the places in all arrays of keys whose magnitudes are from `level` to `last` are noted, in no
// order and as far as there is room; `before` keys of other arrays stand before the first key, and *noted
// counts the places. All magnitudes are compared as integers, NaNs too: few instructions a key.
//
// Reads every key and writes a key for it, perhaps in its place. Any grid.

#include "keys.cuh"
#include "shrunk.cuh"

struct Kept {
    RAW level, last, bound;
    u64 *ties, *noted, room, before;

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
        if (at < room) ties[at] = before + place;
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
#pragma unroll 1
            for (int k = 0; k < PER_LOAD; ++k) note(loaded.keys[k], place + k);
#pragma unroll
        for (int k = 0; k < PER_LOAD; ++k) loaded.keys[k] = of(loaded.keys[k]);
    }
};

extern "C" __global__ void __launch_bounds__(256, 5)
    magnitudes_kept(const RAW* keys, u64 n, RAW level, RAW last, RAW bound, RAW* written, u64* ties, u64* noted,
                    u64 room, u64 before) {
    const Kept kept{level, last, bound, ties, noted, room, before};
    const u64 thread = (u64)blockIdx.x * blockDim.x + threadIdx.x, threads = (u64)gridDim.x * blockDim.x;
    // keys before the first whole load: all of them, if keys and results do not begin alike
    const u64 head = ((u64)keys ^ (u64)written) % 16 ? n : head_of(keys, n), loads = (n - head) / PER_LOAD;
    for (u64 i = thread; i < head; i += threads) written[i] = kept.alone(keys[i], i);
    const u64 rest = head + loads * PER_LOAD + thread;
    if (rest < n) written[rest] = kept.alone(keys[rest], rest);
    uint4* to = (uint4*)(written + head);
    for (u64 i = thread; i < loads; i += UNROLL * threads) {
        Load loaded[UNROLL];
#pragma unroll
        for (int j = 0; j < UNROLL; ++j)
            if (i + j * threads < loads) loaded[j] = load(keys + head, i + j * threads);
#pragma unroll
        for (int j = 0; j < UNROLL; ++j) {
            const u64 at = i + j * threads;
            if (at >= loads) break;
            kept.all(loaded[j], head + at * PER_LOAD);
            __stcs(to + at, loaded[j].words);
        }
    }
}
