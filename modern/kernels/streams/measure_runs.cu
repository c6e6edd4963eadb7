// Counts the keys of runs of equal keys in rows that are in order, given where each run begins
// (counted_rows in shadersort/streams/item_counts.py). −0.0 equals 0.0.
//
// One thread for each run. Steps that double find a key behind the run, and a binary search its end.

#include "keys.cuh"
#include "search.cuh"

extern "C" __global__ void measure_runs(const RAW* ordered, u64 length, const u64* begins, u64 runs,
                                        u64* counts, u64* rows) {
    const u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= runs) return;
    const u64 begin = begins[i], row = begin / length, most = (row + 1) * length - begin;
    const RAW code = encode(ordered[begin]);
    const auto is_inside = [&](u64 at) { return encode(ordered[begin + at]) == code; };
    u64 step = 1;
    while (step < most && is_inside(step)) step *= 2;
    counts[i] = partition_point<u64>(step / 2 + 1, step < most ? step : most, is_inside);
    rows[i] = row;
}
