// Joins the walks over groups of rows that prefix_walks.cu wrote to walks over all rows.
//
// `found` receives three rows of `count` numbers: the last sum, the least sum, that of 0 before the first
// row included, and the number of rows up to the last least one. One thread for each span.

#include "keys.cuh"

extern "C" __global__ void prefix_walks_joined(const long long* parts, u64 groups, u64 count,
                                               long long* found) {
    const u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const u64 planes = groups * count;
    long long sum = 0, least = 0, place = 0;
    for (u64 part = i; part < planes; part += count) {
        const long long here = sum + parts[planes + part];
        if (here <= least) least = here, place = parts[2 * planes + part];
        sum += parts[part];
    }
    found[i] = sum, found[count + i] = least, found[2 * count + i] = place;
}
