// Soft thresholding of rows (outer, length, inner): moves each key towards zero by its row's step, a magnitude.
//
// CuPy's own arithmetic flushes denormals to zero; this does not. Reads and writes every key once. Any grid.

#include "keys.cuh"
#include "shrunk.cuh"

extern "C" __global__ void shrink(const RAW* keys, u64 n, const RAW* steps, u64 length, u64 inner, RAW* moved) {
    const u64 stride = (u64)gridDim.x * blockDim.x;
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        moved[i] = shrunk(keys[i], steps[i / (length * inner) * inner + i % inner]);
}
