// Finds keys of the ranks that a bracket has missed, column by column (modern/rows/cuda_columns.py).
//
// The counts of columns_staged.cu show which ranks were found: the other answers are replaced. A missed column is
// read once for each histogram. One block of THREADS, a power of two from 128 to 1,024, for each column; 16 bytes of
// shared memory for each thread. `ranks` and `answers` are (outer, inner, count).

#include "keys.cuh"
#include "code_ranges.cuh"

struct Column {
    const RAW* keys;
    u64 step;
    u32 length;
    template <class Body>
    __device__ __forceinline__ void operator()(Body body) const {
        for (u32 i = threadIdx.x; i < length; i += THREADS) body(encode(keys[i * step]));
    }
};

extern "C" __global__ void __launch_bounds__(THREADS)
    columns_missed(const RAW* keys, u64 outer_step, u64 step, u32 length, u32 inner, const long long* ranks, u32 count,
                   const u32* counts, u32 room, RAW* answers) {
    __shared__ u64 rank[2];
    __shared__ Range range[2];
    const u64 outer = blockIdx.x / inner, column = blockIdx.x % inner;
    const u32* of_column = counts + (u64)blockIdx.x * 3;
    const u32 below = of_column[0], inside = of_column[1];
    for (u32 i = 0; i < count; ++i) {
        const u64 at = (u64)blockIdx.x * count + i, wanted = (u64)ranks[at];
        if (inside <= room && wanted >= below && wanted < (u64)below + inside) continue;
        __syncthreads();
        if (!threadIdx.x) {
            rank[0] = rank[1] = wanted;
            range[0] = range[1] = {0, (RAW)~(RAW)0, 0, length};
        }
        __syncthreads();
        while (!range[0].is_one())
            narrow_alone(range, rank, Column{keys + outer * outer_step + column, step, length});
        if (!threadIdx.x) answers[at] = decode(range[0].first);
    }
}
