// Lossy counting of several windows, item by item (shadersort/streams/frequencies/lossy_counting.py).
//
// `ordered` holds `n` numbers in order. The upper half of a number is an item. The lower half is the number of
// a held item if it is below `held`; otherwise it is `held` plus the number of the window in which the item
// comes. Runs of equal numbers begin at `starts`, so the difference to the next start is how often the item
// comes there. `counts` and `missed_of` belong to the held items. `over` buckets have been counted before the
// first window; each window has `buckets` buckets.
//
// The items that are held at the end are written in any order, in three rows: the place of the first key, the
// count, and how often the item may have been missed. One thread for each run; the thread of an item's first
// run walks all runs of the item.

#include "keys.cuh"

extern "C" __global__ void lossy_counting(const u64* ordered, u64 n, const u64* starts, u64 runs,
                                          const u64* counts, const u64* missed_of, u64 held, u64 over,
                                          u64 buckets, u64 windows, u64 room, u64* found, u64* total) {
    const u64 first = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (first >= runs) return;
    const u64 start = starts[first], item = ordered[start] >> 32;
    if (start && ordered[start - 1] >> 32 == item) return;
    u64 f = 0, missed = 0, begin = start;  // a count of 0: not held
    for (u64 i = first; i < runs; ++i) {
        const u64 number = ordered[begin], which = (u32)number;
        if (number >> 32 != item) break;
        const u64 end = i + 1 < runs ? starts[i + 1] : n, here = end - begin;
        const u64 past = over + (which - held) * buckets;  // before this window
        begin = end;
        if (which < held) {
            f = counts[which], missed = missed_of[which];
            continue;
        }
        if (f && f + missed <= past) f = 0;  // dropped since its last window
        if (f) f += here;
        else if (here > buckets) f = here, missed = past;
    }
    if (!f || f + missed <= over + windows * buckets) return;
    const u64 place = atomicAdd(total, (u64)1);
    if (place >= room) return;
    found[place] = start, found[room + place] = f, found[2 * room + place] = missed;
}
