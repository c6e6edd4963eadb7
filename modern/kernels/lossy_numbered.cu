// Puts the code of every key above a number: that of its row, `first` for the first. In order, these are
// the keys in order, and equal ones by their rows.
//
// Reads every key once and writes twice as many bytes, or more. A key a thread; of 32 bits at most.

#include "keys.cuh"

extern "C" __global__ void lossy_numbered(const RAW* keys, u64 n, u64 length, u32 first, u64* found) {
    const u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) found[i] = (u64)encode(keys[i]) << 32 | (u32)(first + i / length);
}
