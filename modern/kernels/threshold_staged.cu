// Thresholding: which staged keys (top_k_staged.cu) are kept: those at the top (top_keys.cuh). `orders` gets
// their bits, or with SOFT those moved towards zero by `out`; others lose their places. Any grid.

#include "keys.cuh"
#include "top_keys.cuh"
#include "shrunk.cuh"

extern "C" __global__ void threshold_staged(const RAW* keys, RAW* orders, u64* places, u64 count, RAW pivot,
                                            u64 end, RAW out) {
    const u64 threads = (u64)gridDim.x * blockDim.x;
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += threads) {
        if (orders[i] < pivot || orders[i] == pivot && places[i] < end) {
            const RAW bits = keys[places[i]];
            orders[i] = SOFT ? shrunk(bits, out) : bits;
        } else
            places[i] = ~0ull;
    }
}
