// Thresholding: keeps the keys at the top, and writes zero for all others. With SOFT, kept keys are moved
// towards zero by the magnitude `out`; keys of no larger magnitude become zero. NaNs stay.
//
// With SELECTED, the pivot and `out` are the magnitude at `selected`, which the host does not know yet. All
// keys of that magnitude are kept, or with SOFT none, unless it is NaN. `ties` gets their places, in no order
// and as far as there is room; *noted counts them.
//
// Reads every key and writes a key for it, perhaps in its place. Any grid of blocks of 256, but fast if each
// thread has one load: blocks that come and go mix reads with writes better than blocks that stay. `written`
// begins at a multiple of 16 bytes.

#include "keys.cuh"
#include "top_keys.cuh"
#include "shrunk.cuh"

struct Ties {
    u64 *places, *count, room;
    __device__ __forceinline__ void note(u64 place) const {
        const u64 at = atomicAdd(count, 1ull);
        if (at < room) places[at] = place;
    }
};

__device__ __forceinline__ RAW result_of(const TopKeys& top, RAW bits, u64 place, RAW out) {
    if (!top.has(bits, place)) return 0;
    return SOFT ? shrunk(bits, out) : bits;
}

// Notes the places of tied keys of a load.
__device__ __forceinline__ void note_ties(const TopKeys& top, const Load& loaded, u64 place, const Ties& ties) {
#if SELECTED
    bool any = false;
#pragma unroll
    for (int k = 0; k < PER_LOAD; ++k) any |= order_of(loaded.keys[k]) == top.pivot;
    if (!any) return;
#pragma unroll
    for (int k = 0; k < PER_LOAD; ++k)
        if (order_of(loaded.keys[k]) == top.pivot) ties.note(place + k);
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
    threshold(const RAW* keys, u64 n, RAW pivot, u64 end, RAW out, RAW* written, const RAW* selected,
              u64* ties, u64* noted, u64 room) {
#if SELECTED
    out = *selected, pivot = order_of(out);
    end = SOFT && !is_nan(out) ? 0 : n;
#endif
    const TopKeys top{pivot, end};
    const Ties tied{ties, noted, room};
    const bool aligned = !((u64)keys % 16);
    const u64 stride = (u64)gridDim.x * blockDim.x;
    const u64 thread = (u64)blockIdx.x * blockDim.x + threadIdx.x, loads = n / PER_LOAD;
    for (u64 i = thread; i < loads; i += stride) {
        Load loaded = aligned ? load(keys, i) : load_unaligned(keys, i);
        note_ties(top, loaded, i * PER_LOAD, tied);
#pragma unroll
        for (int k = 0; k < PER_LOAD; ++k)
            loaded.keys[k] = result_of(top, loaded.keys[k], i * PER_LOAD + k, out);
        __stcs((uint4*)written + i, loaded.words);
    }
    const u64 rest = loads * PER_LOAD + thread;
    if (rest >= n) return;
    const RAW bits = keys[rest];
    if (SELECTED && order_of(bits) == top.pivot) tied.note(rest);
    written[rest] = result_of(top, bits, rest, out);
}
