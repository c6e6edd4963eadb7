// Thresholding: keeps the keys of the largest magnitudes, and writes zero for all others. With SOFT, kept keys are
// moved towards zero by the last magnitude; keys of no larger magnitude become zero, and NaNs stay.
//
// The last magnitude is the one that one_read.cu told, which the host does not know. Of the keys that have it, those at
// places before *end are kept (threshold_end.cu); with SOFT that matters for NaNs only.
//
// Reads every key and writes a key for it, perhaps in its place. Any grid of blocks of 256, but fast if each thread has
// one load: blocks that come and go mix reads with writes better than blocks that stay. `written` begins at a multiple
// of 16 bytes.

#include "keys.cuh"
#include "shrunk.cuh"

struct Cut {
    RAW out, order;  // the last magnitude, and its code
    u64 end;
    __device__ __forceinline__ RAW operator()(RAW bits, u64 place) const {
        if (SOFT) return is_nan(bits) && is_nan(out) && place >= end ? (RAW)0 : shrunk(bits, out);
        const RAW own = order_of(bits);
        return own < order || own == order && place < end ? bits : (RAW)0;
    }
};

extern "C" __global__ void __launch_bounds__(256, 8)
    threshold(const RAW* keys, u64 n, RAW* written, const u64* told, const u64* end) {
    const RAW out = (RAW)told[0];
    const Cut cut{out, order_of(out), *end};
    const bool aligned = !((u64)keys % 16);
    const u64 stride = (u64)gridDim.x * blockDim.x;
    const u64 thread = (u64)blockIdx.x * blockDim.x + threadIdx.x, loads = n / PER_LOAD;
    for (u64 i = thread; i < loads; i += stride) {
        Load loaded;
        if (aligned) loaded = load(keys, i);
        else
            UNROLLED for (int k = 0; k < PER_LOAD; ++k) loaded.keys[k] = keys[i * PER_LOAD + k];
        UNROLLED for (int k = 0; k < PER_LOAD; ++k) loaded.keys[k] = cut(loaded.keys[k], i * PER_LOAD + k);
        __stcs((uint4*)written + i, loaded.words);
    }
    const u64 rest = loads * PER_LOAD + thread;
    if (rest < n) written[rest] = cut(keys[rest], rest);
}
