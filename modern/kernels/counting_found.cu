// counting, third kernel: finds ranks among the counts of all values (counting_summed.cu).
//
// `found` has three rows of `asked` numbers: the bits of the key of a rank, how many keys are below it, and
// how many equal it. `counts` is 0 after that. One block of 1,024 threads, which adds up parts of 32 values,
// and looks in one part for each rank.

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
    counting_found(u64* counts, const u64* ranks, u64 asked, u64* found) {
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
    for (u64 i = threadIdx.x; i < asked; i += THREADS) {
        const u64 rank = ranks[i];
        const u32 part = part_of(rank);
        u64 below = starts[part], here[LANES];
#pragma unroll
        for (u32 j = 0; j < LANES; ++j) here[j] = counts[part * LANES + j];
        u32 code = part * LANES;
        u64 equal = 0;
        bool told = false;
#pragma unroll
        for (u32 j = 0; j < LANES; ++j) {
            if (told) continue;
            told = rank < below + here[j];
            if (told) code += j, equal = here[j];
            else below += here[j];
        }
        found[i] = decode((RAW)code), found[asked + i] = below, found[2 * asked + i] = equal;
    }
    __syncthreads();
    for (u32 i = threadIdx.x; i < VALUES; i += THREADS) counts[i] = 0;
}
