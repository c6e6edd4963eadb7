// Finds where runs of equal keys begin, given rows in order; only runs that are longer than the limit of their
// row (counted_rows in shadersort/streams/frequencies/item_counts.py). −0.0 equals 0.0. Rows are `length` keys long;
// without `above` every limit is 0.
//
// EACH keys for each thread. Without WRITE, a thread counts its runs in `ends`. With WRITE, `ends` holds the
// sums of these counts up to each thread, and the places of first keys are written to `begins`; with `counts`, also the
// row and the number of keys of each run: steps that double find a key behind it, and a binary search its end. Each
// launch reads every key once, and the one that is as far away as the limit.

#include "keys.cuh"

extern "C" __global__ void find_runs(const RAW* ordered, u64 n, u64 length, const u64* above, u64* ends,
                                     u64* begins, u64* counts, u64* rows) {
    const u64 part = (u64)blockIdx.x * blockDim.x + threadIdx.x, first = part * EACH;
    if (first >= n) return;
    u64 place = WRITE && part ? ends[part - 1] : 0, row = first / length, column = first % length;
    RAW last = first ? encode(ordered[first - 1]) : (RAW)0;
    for (u64 i = first; i < n && i < first + EACH; ++i) {
        const RAW code = encode(ordered[i]);
        const u64 limit = above ? above[row] : 0, most = length - column;
        const auto is_inside = [&](u64 at) { return encode(ordered[i + at]) == code; };
        if ((!column || code != last) && limit < most && (!limit || is_inside(limit))) {
            if (WRITE) begins[place] = i;
            if (WRITE && counts) {
                u64 step = 1;
                while (step < most && is_inside(step)) step *= 2;
                counts[place] = partition_point<u64>(step / 2 + 1, step < most ? step : most, is_inside);
                rows[place] = row;
            }
            ++place;
        }
        last = code;
        if (++column == length) column = 0, ++row;
    }
    if (!WRITE) ends[part] = place;
}
