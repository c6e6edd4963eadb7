// Top-k: writes the codes of the keys in an order (top_keys.cuh).
//
// Reads every key and writes a code for it. Any grid.

#include "keys.cuh"
#include "top_keys.cuh"

extern "C" __global__ void order_codes(const RAW* keys, u64 n, RAW* found) {
    const u64 stride = (u64)gridDim.x * blockDim.x;
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        found[i] = order_of(keys[i]);
}
