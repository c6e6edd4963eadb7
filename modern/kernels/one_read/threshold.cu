// Thresholding: keeps the keys of the largest magnitudes, and writes zero for all others. With SOFT, kept keys are
// moved towards zero by the last magnitude; keys of no larger magnitude become zero. NaNs stay.
//
// The last magnitude is the one that one_read.cu told, which the host does not know yet. All keys of that magnitude
// are kept, or with SOFT none, unless it is NaN. If some are too many, and there are at most MOST, `ties` gets their
// places, in no order; *noted counts them (threshold_ties.cu).
//
// Reads every key and writes a key for it, perhaps in its place. Any grid of blocks of 256, but fast if each
// thread has one load: blocks that come and go mix reads with writes better than blocks that stay. `written`
// begins at a multiple of 16 bytes.

#include "keys.cuh"
#include "top_keys.cuh"
#include "shrunk.cuh"
#include "last_magnitude.cuh"

struct Ties {
    Last last;
    u64 *places, *noted;
    __device__ __forceinline__ bool are_noted() const { return last.equal() <= MOST && last.too_many(); }
    // Whether a key has the last magnitude. With SOFT only NaNs matter, and are noted only if the last one is NaN.
    __device__ __forceinline__ bool has(RAW bits, RAW pivot) const {
        return SOFT ? is_nan(bits) : order_of(bits) == pivot;
    }
    __device__ __forceinline__ void note(u64 place) const { places[atomicAdd(noted, 1ull)] = place; }
};

// Notes the places of tied keys among some keys from `place` on.
template <int COUNT>
__device__ __forceinline__ void note_ties(RAW pivot, const RAW* keys, u64 place, const Ties& ties) {
    bool any = false;
#pragma unroll
    for (int k = 0; k < COUNT; ++k) any |= ties.has(keys[k], pivot);
    if (!any || !ties.are_noted()) return;
#pragma unroll
    for (int k = 0; k < COUNT; ++k)
        if (ties.has(keys[k], pivot)) ties.note(place + k);
}

__device__ __forceinline__ RAW result_of(RAW bits, RAW pivot, RAW out) {
#if SOFT
    return shrunk(bits, out);  // which is 0 for all keys that are not at the top
#else
    return order_of(bits) <= pivot ? bits : (RAW)0;
#endif
}

// Loads keys from any address.
__device__ __forceinline__ Load load_unaligned(const RAW* keys, u64 i) {
    Load loaded;
#pragma unroll
    for (int k = 0; k < PER_LOAD; ++k) loaded.keys[k] = keys[i * PER_LOAD + k];
    return loaded;
}

extern "C" __global__ void __launch_bounds__(256, 8)
    threshold(const RAW* keys, u64 n, RAW* written, const u64* told, u64 count, u64* ties, u64* noted) {
    const Ties tied{{told, n, count}, ties, noted};
    const RAW out = tied.last.bits(), pivot = order_of(out);
    const bool aligned = !((u64)keys % 16);
    const u64 stride = (u64)gridDim.x * blockDim.x;
    const u64 thread = (u64)blockIdx.x * blockDim.x + threadIdx.x, loads = n / PER_LOAD;
    for (u64 i = thread; i < loads; i += stride) {
        Load loaded = aligned ? load(keys, i) : load_unaligned(keys, i);
        note_ties<PER_LOAD>(pivot, loaded.keys, i * PER_LOAD, tied);
#pragma unroll
        for (int k = 0; k < PER_LOAD; ++k) loaded.keys[k] = result_of(loaded.keys[k], pivot, out);
        __stcs((uint4*)written + i, loaded.words);
    }
    const u64 rest = loads * PER_LOAD + thread;
    if (rest >= n) return;
    const RAW bits = keys[rest];
    note_ties<1>(pivot, &bits, rest, tied);
    written[rest] = result_of(bits, pivot, out);
}
