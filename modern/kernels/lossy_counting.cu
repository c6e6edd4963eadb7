// Lossy counting, item by item, over several windows (shadersort/streams/lossy_counting.py).
//
// `entries` are in order: an item in the upper half, and in the lower one either which of the `held`
// this is, or that number and, beyond it, the window in which the item comes. `starts` tells where in
// all keys each begins, so that it comes as often as the next begins later. `counts` and then `missed`
// of those that are held lie one after the other. `over` buckets were over before the first window, and
// each has `buckets`.
//
// What is held at the end is written in any order, in three rows: where its first entry begins, its
// count, and how often it may have been missed. An entry a thread; the first of an item walks all of
// its entries.

#include "keys.cuh"

extern "C" __global__ void lossy_counting(const u64* entries, const u64* starts, u64 count, u64 n,
                                 const u64* counts, const u64* missed_of, u32 held, u64 over,
                                 u64 buckets, u64 windows, u64 room, u64* found, u64* total) {
    const u64 first = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (first >= count) return;
    const u64 item = entries[first] >> 32;
    if (first && entries[first - 1] >> 32 == item) return;
    u64 f = 0, missed = 0;  // nothing is held with a count of 0
    for (u64 i = first; i < count && entries[i] >> 32 == item; ++i) {
        const u32 which = (u32)entries[i];
        if (which < held) {
            f = counts[which], missed = missed_of[which];
            continue;
        }
        const u64 past = over + (which - held) * buckets;  // before this window
        const u64 here = (i + 1 < count ? starts[i + 1] : n) - starts[i];
        if (f && f + missed <= past) f = 0;  // let go since its last window, or at its end
        if (f) f += here;
        else if (here > buckets) f = here, missed = past;
    }
    if (!f || f + missed <= over + windows * buckets) return;
    const u64 place = atomicAdd(total, (u64)1);
    if (place >= room) return;
    found[place] = starts[first], found[room + place] = f, found[2 * room + place] = missed;
}
