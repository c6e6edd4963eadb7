// Writes numbers of 64 bits: the code of a key in the upper half, the number of its row in the lower
// half. The first row has the number `first`. Sorting them sorts the keys, and equal keys by rows.
//
// Reads every key, of at most 32 bits, once. One thread for each key.

#include "keys.cuh"

extern "C" __global__ void lossy_numbered(const RAW* keys, u64 n, u64 length, u32 first, u64* found) {
    const u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) found[i] = (u64)encode(keys[i]) << 32 | (u32)(first + i / length);
}
