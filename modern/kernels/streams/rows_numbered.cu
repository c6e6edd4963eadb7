// Writes numbers of 64 bits: 32 bits of a key's code in the upper half, the column of the key in the lower
// half. Sorting them sorts the keys by these bits, and equal keys by columns.
//
// `shift` says which bits. With `previous`, numbers sorted by lower bits before, keys are taken in their
// order. Reads every key once. One thread for each key; rows are `length` keys long.

#include "keys.cuh"

extern "C" __global__ void rows_numbered(const RAW* keys, u64 n, u64 length, u32 shift,
                                         const u64* previous, u64* found) {
    const u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const u64 column = previous ? (u32)previous[i] : i % length;
    const u64 code = encode(keys[i - i % length + column]);
    found[i] = code >> shift << 32 | column;
}
