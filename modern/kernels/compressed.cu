// Keeps of each row of ranked values the first entry, and the last of every `step` ranks; where there
// is none, the entry before them again (shadersort/streams/ranked.py).
//
// `low` and `high` are the sums of the increments, up to and with each entry, over all rows: a row adds
// `size` to each. So an entry's smallest rank is what `low` has grown to in its row, and its largest,
// less one, what `high` has grown to before it. RANK_BYTES is what an increment has. An entry that is
// kept a thread, found by binary search.

#include "keys.cuh"

#if RANK_BYTES == 8
#define RANK u64
#else
#define RANK u32
#endif

struct Row {
    const u64 *low, *high;
    u64 entries, start, passed;  // the first entry of the row, and the ranks of all rows before it

    __device__ __forceinline__ u64 smallest(u64 column) const {
        return low[start + column] - passed;
    }
    __device__ __forceinline__ u64 before(u64 column) const {
        return column ? high[start + column - 1] - passed : 0;
    }
    // The last entry whose largest rank, less one, is below a limit, or else the first.
    __device__ __forceinline__ u64 last_below(u64 limit) const {
        u64 first = 1, last = entries;
        while (first < last) {
            const u64 middle = (first + last) / 2;
            if (before(middle) < limit) first = middle + 1;
            else last = middle;
        }
        return first - 1;
    }
};

extern "C" __global__ void compressed(const RAW* values, const u64* low, const u64* high, u64 rows,
                                      u64 entries, u64 size, u64 step, u64 kept, RAW* chosen,
                                      RANK* lower, RANK* upper) {
    const u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows * kept) return;
    const u64 number = i / kept, slot = i % kept;
    const Row row{low, high, entries, number * entries, number * size};
    const u64 here = row.last_below(slot * step);
    const u64 smallest = slot ? row.smallest(row.last_below((slot - 1) * step)) : 0;
    const u64 next = slot + 1 < kept ? row.before(row.last_below((slot + 1) * step)) : size;
    chosen[i] = values[row.start + here];
    lower[i] = (RANK)(row.smallest(here) - smallest);
    upper[i] = (RANK)(next - row.before(here));
}
