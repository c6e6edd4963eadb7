// counting, third kernel: finds ranks among the counts of all values (counting_summed.cu).
//
// `keys` gets the key of each rank, and `found`, if it is there, two rows of `asked` numbers: how many keys are
// below it, and how many equal it. `counts` is 0 after that. One block of 1,024 threads, which adds up parts
// of 32 values; then each warp looks in one part for each of its ranks.

#include "keys.cuh"
#include "scan.cuh"

#define THREADS 1024
#define VALUES (KEY_BYTES == 1 ? 256u : 65536u)
#define PARTS (VALUES / LANES)
#define AT_ONCE 8  // loads of each thread

__shared__ u64 starts[PARTS + 1];

// The last part that starts at or before a rank.
__device__ __forceinline__ u32 part_of(u64 rank) {
    u32 part = 0;
#pragma unroll
    for (u32 step = PARTS / 2; step; step /= 2)
        if (starts[part + step] <= rank) part += step;
    return part;
}

extern "C" __global__ void __launch_bounds__(THREADS)
    counting_found(u64* counts, const u64* ranks, u64 asked, RAW* keys, u64* found) {
#pragma unroll AT_ONCE
    for (u32 i = threadIdx.x; i < VALUES; i += THREADS) {
        const u64 sum = warp_sum(counts[i]);
        if (!(i % LANES)) starts[i / LANES] = sum;
    }
    __syncthreads();
    constexpr u32 each = PARTS > THREADS ? PARTS / THREADS : 1;
    const u32 first = threadIdx.x * each;
    u64 sums[each];
    u64 sum = 0;
#pragma unroll
    for (u32 i = 0; i < each; ++i) sum += sums[i] = first + i < PARTS ? starts[first + i] : 0;
    u64 start = before_in_block(sum);
    __syncthreads();
#pragma unroll
    for (u32 i = 0; i < each; ++i) {
        if (first + i < PARTS) starts[first + i] = start;
        start += sums[i];
    }
    __syncthreads();
    const u32 lane = threadIdx.x % LANES;
#pragma unroll AT_ONCE
    for (u64 i = threadIdx.x / LANES; i < asked; i += THREADS / LANES) {
        const u64 rank = ranks[i];
        const u32 part = part_of(rank), code = part * LANES + lane;
        const u64 equal = counts[code], below = starts[part] + before_in_warp(equal);
        if (rank < below || rank >= below + equal) continue;
        keys[i] = decode((RAW)code);
        if (found) found[i] = below, found[asked + i] = equal;
    }
    __syncthreads();
    for (u32 i = threadIdx.x; i < VALUES; i += THREADS) counts[i] = 0;
}
