// counting, third kernel: finds ranks among the counts of all values (counting_summed.cu).
//
// `ask` says what of: the keys of some ranks, or a mean of the middle keys (middle.cuh). `answer` gets the key of
// each of the `asked` ranks, or the mean. Without `ranks` there is one, `rank`. `found`, if it is there, gets two
// rows of `asked` numbers: how many keys are below each key, and how many equal it. `counts` is 0 after that.
//
// One block of 1,024 threads, which adds up parts of 32 values; then each warp looks in one part for each of
// its ranks.

#include "keys.cuh"
#include "scan.cuh"
#include "middle.cuh"

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

// Adds up the counts of each part, and then the sums of the parts before it.
__device__ __forceinline__ void set_starts(const u64* counts) {
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
}

extern "C" __global__ void __launch_bounds__(THREADS)
    counting_found(u64* counts, u64 n, const u64* ranks, u64 asked, u64 rank, u32 ask, void* answer, u64* found) {
    __shared__ u64 wanted[2];
    __shared__ RAW middle[2];
    const u64 numbers = FLOATING ? n - counts[VALUES - 1] : n;  // all NaNs have the last code
    if (!threadIdx.x) {
        if (ask == SELECT) wanted[0] = rank;
        else set_middle(wanted, ask == NANMEDIAN ? numbers : n);
    }
    set_starts(counts);
    if (ask != SELECT) asked = 2;
    if (ask != SELECT || !ranks) ranks = wanted;
    RAW* keys = ask == SELECT ? (RAW*)answer : middle;
    const u32 lane = threadIdx.x % LANES;
#pragma unroll AT_ONCE
    for (u64 i = threadIdx.x / LANES; i < asked; i += THREADS / LANES) {
        const u64 at = ranks[i];
        const u32 part = part_of(at), code = part * LANES + lane;
        const u64 equal = counts[code], below = starts[part] + before_in_warp(equal);
        if (at < below || at >= below + equal) continue;
        keys[i] = decode((RAW)code);
        if (found) found[i] = below, found[asked + i] = equal;
    }
    __syncthreads();
    for (u32 i = threadIdx.x; i < VALUES; i += THREADS) counts[i] = 0;
    if (threadIdx.x || ask == SELECT) return;
    if (ask == MEDIAN && numbers < n) middle[0] = middle[1] = decode((RAW)~(RAW)0);
    write_mean((Mean*)answer, middle[0], middle[1], wanted[0] == wanted[1]);
}
