// Finds keys of the ranks that a bracket has missed, column by column (modern/rows/cuda_columns.py).
//
// The counts of columns_staged.cu show which ranks were found: the other answers are replaced, some by an end of the
// bracket. A missed column is read once for each histogram. One block of THREADS, a power of two from 128 to 1,024, for
// each column; 16 bytes of shared memory for each thread. `ranks` and `answers` are (outer, inner, count).

#include "keys.cuh"
#include "column_counts.cuh"
#define CODE_OF encode
#include "strided_column.cuh"

extern "C" __global__ void __launch_bounds__(THREADS)
    columns_missed(const RAW* keys, u64 outer_step, u64 step, u32 length, u32 inner, const long long* ranks, u32 count,
                   const ColumnCounts* counts, const RAW* ends, u32 room, RAW* answers) {
    __shared__ u64 rank[2];
    __shared__ Range range[2];
    const u64 outer = blockIdx.x / inner, column = blockIdx.x % inner;
    const ColumnCounts counted = counts[blockIdx.x];
    const u64 before = counted.before(), behind = before + counted.inside, upto = behind + counted.high_equal;
    const RAW first = end_of(ends[2 * blockIdx.x]), last = end_of(ends[2 * blockIdx.x + 1]);
    for (u32 i = 0; i < count; ++i) {
        const u64 at = (u64)blockIdx.x * count + i, wanted = (u64)ranks[at];
        if (counted.inside <= room && wanted >= before && wanted < behind) continue;
        const bool is_first = wanted >= counted.below && wanted < before, is_last = wanted >= behind && wanted < upto;
        const bool none = wanted >= upto && is_last_number(last);
        if (is_first || is_last || none) {
            if (!threadIdx.x) answers[at] = is_first ? first : is_last ? last : decode((RAW)~(RAW)0);
            continue;
        }
        __syncthreads();
        if (!threadIdx.x) {
            rank[0] = rank[1] = wanted;
            range[0] = range[1] = {0, (RAW)~(RAW)0, 0, length};
        }
        __syncthreads();
        while (!range[0].is_one())
            narrow_alone(range, rank, StridedColumn{keys + outer * outer_step + column, step, length});
        if (!threadIdx.x) answers[at] = decode(range[0].first);
    }
}
