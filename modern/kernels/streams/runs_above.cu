// Flags where a run of equal keys begins that is longer than the limit of its row, given rows in order
// (counted_rows in shadersort/streams/item_counts.py). −0.0 equals 0.0. Rows are `length` keys long.
//
// Reads every key once, and the one that is as far away as the limit. One thread for each key.

#include "keys.cuh"

extern "C" __global__ void runs_above(const RAW* ordered, u64 n, u64 length, const u64* above,
                                      unsigned char* begins) {
    const u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const u64 column = i % length, limit = above[i / length];
    bool begin = limit < length - column;
    if (begin) {
        const RAW code = encode(ordered[i]);
        begin = encode(ordered[i + limit]) == code && (!column || encode(ordered[i - 1]) != code);
    }
    begins[i] = begin;
}
