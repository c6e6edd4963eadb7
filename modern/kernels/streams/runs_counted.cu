// Counts the keys of runs of equal keys in rows that are in order, given where each run begins
// (counted_rows in shadersort/streams/item_counts.py). −0.0 equals 0.0.
//
// One thread for each run. Steps that double find a key behind the run, and halving steps its end.

#include "keys.cuh"

extern "C" __global__ void runs_counted(const RAW* ordered, u64 length, const u64* begins, u64 runs,
                                        u64* counts, u64* rows) {
    const u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= runs) return;
    const u64 begin = begins[i], row = begin / length, end = (row + 1) * length;
    const RAW code = encode(ordered[begin]);
    u64 inside = begin, step = 1;
    while (inside + step < end && encode(ordered[inside + step]) == code) inside += step, step *= 2;
    u64 behind = inside + step < end ? inside + step : end;
    while (behind - inside > 1) {
        const u64 middle = (inside + behind) / 2;
        if (encode(ordered[middle]) == code) inside = middle;
        else behind = middle;
    }
    counts[i] = behind - begin, rows[i] = row;
}
