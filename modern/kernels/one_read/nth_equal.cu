// Top-k: finds the place of the nth key, from zero, among the keys that are equal to a pivot.
//
// Reads every key once: each block counts in CHUNKS consecutive chunks of the array. The last block
// finds the chunk of the key, and reads that chunk again. Any grid of blocks of THREADS.

#include "keys.cuh"
#include "scan.cuh"
#include "top_keys.cuh"

#define CHUNKS 16

// Finds the part that has the nth key, given the number in each part, and makes `nth` relative to the
// start of that part. By all threads of a block; returns 0 if there are fewer keys.
template <class Counts>
__device__ u64 part_of(u64& nth, u64 parts, Counts count_of) {
    __shared__ u64 part, left;
    if (!threadIdx.x) part = left = 0;
    const u64 each = (parts + THREADS - 1) / THREADS, first = threadIdx.x * each;
    const u64 last = first + each < parts ? first + each : parts;
    u64 mine = 0;
    for (u64 i = first; i < last; ++i) mine += count_of(i);
    u64 before = before_in_block(mine);  // no thread resets the answer after this barrier
    if (before <= nth && nth < before + mine) {
        u64 i = first, here;
        while (before + (here = count_of(i)) <= nth) before += here, ++i;
        part = i, left = nth - before;
    }
    __syncthreads();
    const u64 found = part;
    nth = left;
    __syncthreads();
    return found;
}

extern "C" __global__ void __launch_bounds__(THREADS, 5)
    nth_equal(const RAW* keys, u64 n, RAW pivot, u64 nth, u32* parts, u32* ticket, u64* result) {
    __shared__ u32 counts[CHUNKS];
    if (threadIdx.x < CHUNKS) counts[threadIdx.x] = 0;
    __syncthreads();
    const u64 chunks = (u64)gridDim.x * CHUNKS, size = (n + chunks - 1) / chunks;
    const auto start_of = [=](u64 chunk) { return chunk * size < n ? chunk * size : n; };
    for (u32 i = 0; i < CHUNKS; ++i) {
        const u64 chunk = (u64)blockIdx.x * CHUNKS + i, start = start_of(chunk);
        u32 equal = 0;
        for_each_key_of_block(keys + start, start_of(chunk + 1) - start,
                              [&](RAW bits) { equal += order_of(bits) == pivot; });
        equal = warp_sum(equal);
        if (!(threadIdx.x % LANES)) atomicAdd(&counts[i], equal);
    }
    __syncthreads();
    if (threadIdx.x < CHUNKS) parts[blockIdx.x * CHUNKS + threadIdx.x] = counts[threadIdx.x];
    if (!comes_last(ticket)) return;

    const volatile u32* all = parts;
    const u64 chunk = part_of(nth, chunks, [=](u64 i) { return (u64)all[i]; });
    const u64 start = start_of(chunk);
    const u64 place = part_of(nth, start_of(chunk + 1) - start,
                              [=](u64 i) { return (u64)(order_of(keys[start + i]) == pivot); });
    if (!threadIdx.x) *result = start + place;
}
