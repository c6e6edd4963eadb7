// cells, last kernel: tells the key of each rank, how many keys are below it, and how many equal it, from
// `result` (cells_counted.cu, cells_ranked.cu). `found`, if it is there, has two rows of `asked`
// numbers.
//
// A rank that is not known yet, because its part is very large or there was no room, is narrowed by all blocks
// together, by a read of its part or of all keys for each 12 bits: this is rare. Blocks of 1,024 threads, which
// all run at the same time. The bins are 0 before and after, and so is *staged.

#include "keys.cuh"
#include "code_ranges.cuh"

#define EVERY ((KEY_BITS + BITS - 1) / BITS)  // levels until one code is left

struct Common {
    u32 arrived, ticket, unused[2];
    u64 bins[EVERY][BINS];
};

struct Some {
    const RAW* keys;
    u64 n;
    template <class Body>
    __device__ __forceinline__ void operator()(Body body) const {
        const u64 threads = (u64)gridDim.x * THREADS;
#pragma unroll 4
        for (u64 i = (u64)blockIdx.x * THREADS + threadIdx.x; i < n; i += threads) body(encode(keys[i]));
    }
};

// Whether a rank is not known yet.
__device__ __forceinline__ bool is_open(const u64* result, u32 asked, u32 i) {
    return !result[2 * asked + i];
}

extern "C" __global__ void __launch_bounds__(THREADS, 1)
    cells_told(const RAW* keys, u64 n, const RAW* parts, u64 room, u64* staged, const u64* ends,
               const u64* table, const u64* result, u32 asked, Common* common, RAW* answers, u64* found) {
    __shared__ u64 rank[2];
    __shared__ Range range[2];
    const u64 thread = (u64)blockIdx.x * THREADS + threadIdx.x, threads = (u64)gridDim.x * THREADS;
    const bool copied = *staged <= room;
    u32 meetings = 0;
    bool open = false;
    for (u32 i = threadIdx.x; i < asked; i += THREADS) open = open || is_open(result, asked, i);
    open = __syncthreads_or(open);
    for (u64 i = thread; i < asked; i += threads) {
        if (is_open(result, asked, i)) continue;
        answers[i] = (RAW)result[i];
        if (found) found[i] = result[asked + i], found[asked + i] = result[2 * asked + i];
    }
    for (u32 i = 0; open && i < asked; ++i) {
        if (!is_open(result, asked, i)) continue;
        const u64 size = table[2 * asked + i], number = table[3 * asked + i];
        const bool in_part = copied && number;
        const u64 start = table[asked + i], passed = in_part ? start : 0;
        const Some some = in_part ? Some{parts + (ends[number - 1] - size), size} : Some{keys, n};
        __syncthreads();
        if (!threadIdx.x) {
            rank[0] = rank[1] = table[4 * asked + i] - passed;
            const RAW first = (RAW)table[5 * asked + i], last = (RAW)table[6 * asked + i];
            range[0] = range[1] = {first, last, start - passed, size};
        }
        __syncthreads();
        u32 levels = 0;
        while (!range[0].is_one())
            meetings = narrow_together<false>(range, rank, some, common->bins[levels++], &common->arrived, meetings);
        meet(&common->arrived, meetings);  // all have read the bins
        for (u64 j = thread; j < (u64)levels * BINS; j += threads) common->bins[0][j] = 0;
        meet(&common->arrived, meetings);
        if (thread) continue;
        answers[i] = decode(range[0].first);
        if (found) found[i] = passed + range[0].before, found[asked + i] = range[0].here;
    }
    if (comes_last(&common->ticket) && !threadIdx.x) common->arrived = 0, *staged = 0;
}
