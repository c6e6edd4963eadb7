// Stages the first keys of columns for which the room was too small, or of which too few keys were up to the bound
// (columns_firsts_staged.cu): `count` of each, of equal keys those at the lowest places.
//
// Such a column is read once for each histogram, and once more. BY is an order, 0 or 1. One block of THREADS, a power
// of two from 128 to 1,024, for each column; 16 bytes of shared memory for each thread.

#include "keys.cuh"
#include "top_keys.cuh"
#define CODE_OF order_of
#include "strided_column.cuh"

extern "C" __global__ void __launch_bounds__(THREADS)
    columns_firsts_missed(const RAW* keys, u64 outer_step, u64 step, u32 length, u32 inner, u32 count,
                          const u32* counts, u64* staged, u32 room) {
    __shared__ u64 rank[2];
    __shared__ Range range[2];
    __shared__ u32 found;
    const u32 held = counts[blockIdx.x];
    if (held >= count && held <= room) return;
    const StridedColumn column{keys + blockIdx.x / inner * outer_step + blockIdx.x % inner, step, length};
    u64* of_column = staged + (u64)blockIdx.x * room;
    if (!threadIdx.x) {
        rank[0] = rank[1] = count - 1;
        range[0] = range[1] = {0, (RAW)~(RAW)0, 0, length};
        found = 0;
    }
    __syncthreads();
    while (!range[0].is_one()) narrow_alone(range, rank, column);
    const RAW last = range[0].first;
    const u32 equals = count - (u32)range[0].before;
    u32 passed = 0;  // equal keys so far
#pragma unroll 1
    for (u64 start = 0; start < length; start += THREADS) {
        const u64 place = start + threadIdx.x;
        const bool here = place < length;
        const RAW order = here ? order_of(column.keys[place * step]) : 0;
        const bool equal = here && order == last;
        bool wanted = here && order < last;
        const u32 more = __syncthreads_count(equal && passed < equals);
        if (more) {
            const u32 before = passed + before_in_block((u32)equal);
            wanted = wanted || equal && before < equals;
            passed += more;
        }
        if (wanted) of_column[atomicAdd(&found, 1u)] = (u64)order << 32 | place;
    }
    for (u32 i = count + threadIdx.x; i < room; i += THREADS) of_column[i] = ~0ull;
}
