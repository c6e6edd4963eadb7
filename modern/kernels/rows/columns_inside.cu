// Turns ranks of columns into ranks among their staged keys, and fills the room behind these with the last key of the
// bracket, which none of them exceeds: one block of THREADS for each column (columns_staged.cu).
//
// A rank that the bracket missed becomes the first or the last place of the room. With ASK NANMEDIAN, the ranks are those
// of the two middle numbers; otherwise `ranks` are (columns, count), or `count` ranks of all columns. `inside` and `every`
// are (columns, count), and `ends` are (columns, 2).

#include "keys.cuh"
#include "column_counts.cuh"
#include "middle.cuh"

extern "C" __global__ void __launch_bounds__(THREADS)
    columns_inside(const long long* ranks, u32 own, u32 count, const ColumnCounts* counts, const RAW* ends,
                   RAW* staged, u32 room, long long* inside, long long* every) {
    const u64 column = blockIdx.x;
    const ColumnCounts counted = counts[column];
    u64 middle[2];
    if (ASK == NANMEDIAN) set_middle(middle, counted.numbers);
    for (u32 i = threadIdx.x; i < count; i += THREADS) {
        const long long rank = ASK == NANMEDIAN ? (long long)middle[i] : ranks[own ? column * count + i : i];
        const long long at = rank - (long long)counted.before();
        inside[column * count + i] = at < 0 ? 0 : at < room ? at : room - 1;
        every[column * count + i] = rank;
    }
    RAW* const of_column = staged + column * room;
    const RAW last = end_of(ends[2 * column + 1]);
    for (u64 i = (u64)counted.inside + threadIdx.x; i < room; i += THREADS) of_column[i] = last;
}
