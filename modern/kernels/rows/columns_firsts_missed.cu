// Completes the staged first keys of columns: `count` of each, of equal keys those at the lowest places
// (columns_firsts_staged.cu).
//
// If too few keys came before a column's bound, the first of those that equal it are taken: many are equal then, and the
// column is not read to its end. If that does not suffice, or the room did not, the last key is found by histograms, a
// read for each, and the keys up to it are taken. BY is an order, 0 or 1. One block of THREADS, a power of two from 128
// to 1,024, for each column; 16 bytes of shared memory for each thread.

#include "keys.cuh"
#include "top_keys.cuh"
#define CODE_OF order_of
#include "strided_column.cuh"

__device__ __forceinline__ u64 entry_at(RAW order, u32 place) { return (u64)order << 32 | place; }

// Puts the first `most` keys that have a code; returns how many there are.
__device__ __noinline__ u32 put_equals(const StridedColumn& column, RAW order, u32 most, u64* entries) {
    u32 found = 0;
#pragma unroll 1
    for (u64 start = 0; start < column.length && found < most; start += THREADS) {
        const u64 place = start + threadIdx.x;
        const bool equal = place < column.length && order_of(column.keys[place * column.step]) == order;
        const u32 here = __syncthreads_count(equal);
        if (!here) continue;
        const u32 at = found + before_in_block((u32)equal);
        if (equal && at < most) entries[at] = entry_at(order, (u32)place);
        found += here;
    }
    return found < most ? found : most;
}

// Puts the keys that come before a code, in any order.
__device__ __forceinline__ void put_before(const StridedColumn& column, RAW order, u32* found, u64* entries) {
    for (u32 place = threadIdx.x; place < column.length; place += THREADS) {
        const RAW own = order_of(column.keys[place * column.step]);
        if (own < order) entries[atomicAdd(found, 1u)] = entry_at(own, place);
    }
}

extern "C" __global__ void __launch_bounds__(THREADS)
    columns_firsts_missed(const RAW* keys, u64 outer_step, u64 step, u32 length, u32 inner, u32 count,
                          const RAW* bounds, const u32* counts, u64* staged, u32 room) {
    __shared__ u64 rank[2];
    __shared__ Range range[2];
    __shared__ u32 found;
    const u32 held = counts[blockIdx.x];
    if (held >= count && held <= room) return;
    const StridedColumn column{keys + blockIdx.x / inner * outer_step + blockIdx.x % inner, step, length};
    u64* of_column = staged + (u64)blockIdx.x * room;
    if (held < count) {
        const u32 missing = count - held;
        if (put_equals(column, order_of(bounds[blockIdx.x]), missing, of_column + held) == missing) return;
    }
    __syncthreads();
    if (!threadIdx.x) {
        rank[0] = rank[1] = count - 1;
        range[0] = range[1] = {0, (RAW)~(RAW)0, 0, length};
        found = 0;
    }
    __syncthreads();
    while (!range[0].is_one()) narrow_alone(range, rank, column);
    const u32 before = (u32)range[0].before;
    put_before(column, range[0].first, &found, of_column);
    put_equals(column, range[0].first, count - before, of_column + before);
    for (u32 i = count + threadIdx.x; i < room; i += THREADS) of_column[i] = ~0ull;
}
