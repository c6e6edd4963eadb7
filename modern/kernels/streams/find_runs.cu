// Finds where runs of equal keys begin, given rows in order; only runs that are longer than the limit of their
// row (counted_rows in shadersort/streams/item_counts.py). −0.0 equals 0.0. Rows are `length` keys long;
// without `above` every limit is 0.
//
// EACH keys for each thread. Without WRITE, a thread counts its runs in `ends`. With WRITE, `ends` holds the
// sums of these counts up to each thread, and the places of first keys are written to `begins`. Each launch
// reads every key once, and the one that is as far away as the limit.

#include "keys.cuh"

extern "C" __global__ void find_runs(const RAW* ordered, u64 n, u64 length, const u64* above, u64* ends,
                                     u64* begins) {
    const u64 part = (u64)blockIdx.x * blockDim.x + threadIdx.x, first = part * EACH;
    if (first >= n) return;
    u64 place = WRITE && part ? ends[part - 1] : 0, row = first / length, column = first % length;
    RAW last = first ? encode(ordered[first - 1]) : (RAW)0;
#pragma unroll
    for (int j = 0; j < EACH; ++j) {
        const u64 i = first + j;
        if (i >= n) break;
        const RAW code = encode(ordered[i]);
        const u64 limit = above ? above[row] : 0;
        if ((!column || code != last) && limit < length - column &&
            (!limit || encode(ordered[i + limit]) == code)) {
            if (WRITE) begins[place] = i;
            ++place;
        }
        last = code;
        if (++column == length) column = 0, ++row;
    }
    if (!WRITE) ends[part] = place;
}
