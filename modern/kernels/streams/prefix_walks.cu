// Counts in each row how many items lie from `first` to `last`, for `count` spans, and walks over groups of
// rows: it adds up the counts, less `buckets` for each row (Walks.walk in
// shadersort/streams/frequencies/sorted_windows.py). Rows are in order and `length` items long; a group has `each` rows.
//
// `parts` receives three planes of (groups, count) numbers: the sum after the group, the least sum after any
// of its rows, and the number of rows up to the last least one, all rows before the group included.
//
// One thread for each span and group. A binary search in each row finds where a span begins; most spans are short, so its
// end is sought in steps that double.

#include "keys.cuh"

extern "C" __global__ void prefix_walks(const RAW* ordered, u64 rows, u32 length, const RAW* first, const RAW* last,
                                        u64 count, u64 each, u64 buckets, long long* parts) {
    const u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    const u64 groups = (rows + each - 1) / each, planes = groups * count;
    if (i >= planes) return;
    const u64 begin = i / count * each, end = begin + each < rows ? begin + each : rows;
    const RAW low = first[i % count], high = last[i % count];
    long long sum = 0, least = 0;
    u64 place = begin;
    for (u64 row = begin; row < end; ++row) {
        const RAW* items = ordered + row * length;
        const u32 from = partition_point<u32>(0, length, [&](u32 at) { return items[at] < low; });
        u32 step = 1;
        while (step < length - from && items[from + step - 1] <= high) step *= 2;
        const u32 near = from + step / 2, far = step < length - from ? from + step : length;
        const u32 to = partition_point(near, far, [&](u32 at) { return items[at] <= high; });
        sum += (long long)(to - from) - (long long)buckets;
        if (row == begin || sum <= least) least = sum, place = row + 1;
    }
    parts[i] = sum, parts[planes + i] = least, parts[2 * planes + i] = place;
}
