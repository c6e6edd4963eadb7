// cells, last kernel: tells the key of each rank, how many keys are below it, and how many equal it, from
// `result` (cells_counted.cu, cells_ranked.cu). `found`, if it is there, has two rows of `asked`
// numbers.
//
// A rank that is not known yet, because its part is very large, is narrowed by all blocks together, by a read of
// its part for each 12 bits. Ranks without a part, because there was no room, are narrowed together by reads of all
// keys (open_ranks.cuh). Both are rare. Blocks of 1,024 threads, which all run at the same time. The bins are 0
// before and after, and so is *staged.

#include "keys.cuh"
#include "code_ranges.cuh"
#include "open_ranks.cuh"

struct Common {
    u32 arrived, ticket, unused[2];
    u64 bins[6][BINS];  // of each level until one code is left; or three times ALL_BINS
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

// Makes a list of open ranks that have no part, from number `next` on. Returns the number after the last of them.
__device__ u32 collect(u32 next, u32 asked, const u64* table, const u64* result, bool copied) {
    __syncthreads();
    if (!threadIdx.x) OPEN.count = 0;
    __syncthreads();
    for (; next < asked && OPEN.count + THREADS <= MOST_OPEN; next += THREADS) {
        const u32 i = next + threadIdx.x;
        const bool wanted = i < asked && is_open(result, asked, i) && !(copied && table[3 * asked + i]);
        const u32 place = OPEN.count + before_in_block((u32)wanted);
        if (wanted) {
            OPEN.before[place] = table[asked + i], OPEN.here[place] = table[2 * asked + i];
            OPEN.rank[place] = table[4 * asked + i], OPEN.number[place] = i;
            OPEN.first[place] = (RAW)table[5 * asked + i], OPEN.last[place] = (RAW)table[6 * asked + i];
        }
        __syncthreads();
        if (threadIdx.x == THREADS - 1) OPEN.count = place + wanted;
        __syncthreads();
    }
    return next;
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
    if (!open) {
        if (comes_last(&common->ticket) && !threadIdx.x) *staged = 0;
        return;
    }
    for (u32 i = 0; i < asked; ++i) {
        const u64 number = table[3 * asked + i];
        if (!is_open(result, asked, i) || !copied || !number) continue;
        const u64 size = table[2 * asked + i], start = table[asked + i];
        const Some part{parts + (ends[number - 1] - size), size};
        __syncthreads();
        if (!threadIdx.x) {
            rank[0] = rank[1] = table[4 * asked + i] - start;
            range[0] = range[1] = {(RAW)table[5 * asked + i], (RAW)table[6 * asked + i], 0, size};
        }
        __syncthreads();
        u32 levels = 0;
        while (!range[0].is_one())
            meetings = narrow_together<false>(range, rank, part, common->bins[levels++], &common->arrived, meetings);
        meet(&common->arrived, meetings);  // all have read the bins
        for (u64 j = thread; j < (u64)levels * BINS; j += threads) common->bins[0][j] = 0;
        meet(&common->arrived, meetings);
        if (thread) continue;
        answers[i] = decode(range[0].first);
        if (found) found[i] = start + range[0].before, found[asked + i] = range[0].here;
    }
    for (u32 next = 0; next < asked;) {
        next = collect(next, asked, table, result, copied);
        if (!OPEN.count) continue;
        meetings = narrow_all(Some{keys, n}, common->bins[0], &common->arrived, meetings);
        const u32 mine = threadIdx.x;
        if (blockIdx.x || mine >= OPEN.count) continue;
        const u32 i = OPEN.number[mine];
        answers[i] = decode(OPEN.first[mine]);
        if (found) found[i] = OPEN.before[mine], found[asked + i] = OPEN.here[mine];
    }
    if (comes_last(&common->ticket) && !threadIdx.x) common->arrived = 0, *staged = 0;
}
