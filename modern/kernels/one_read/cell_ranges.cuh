// Ranges of codes that have a rank whose key is not known yet (cells.cu): how a key finds its range, and how the first
// block finds the range of each rank after a read.

#include "cells.cuh"

#define WORDS (CELLS / 32 + 1)
#define OWN (MOST / THREADS)  // ranks of each thread of the first block
#define NONE ~0u

// Ranges of codes that have a rank whose key is not known yet, in shared memory.
#define FLAGS BEHIND             // a bit for each cell that has a range
#define PASSED (FLAGS + WORDS)   // flags before each word
#define BEGIN (PASSED + WORDS)   // the first range of each flagged cell, and behind them the number of ranges
#define FIRSTS ((RAW*)(BEGIN + MOST + 2))
#define LASTS (FIRSTS + MOST)
#define OPEN (LASTS + MOST)      // bins, ends or lists
#define LISTS ((RAW*)OPEN)

struct Ranks {
    u64 rank[COUNT];
};

struct Common {
    u64 rank[MOST];
    struct Zero {
        u32 arrived, ticket;
        u64 inverse_of_least, most;  // of the sample's codes
        u64 root[ROOT];
        u64 totals[2][CELLS > 2 * MOST ? CELLS : 2 * MOST];
    } zero;
    u64 before[MOST], here[MOST], first[MOST], last[MOST];  // of each rank: its range
    u32 range[MOST];                                        // and the number of its range
    u64 firsts[MOST], lasts[MOST], starts[MOST], ends[MOST];  // of each range, one after the other
    u32 ranges, stages;  // how many there are, and whether their keys are to be staged
};

__device__ __forceinline__ bool is_flagged(u32 cell) { return FLAGS[cell / 32] >> cell % 32 & 1; }

// The range of a code in a flagged cell, or NONE.
__device__ __forceinline__ u32 range_of(u32 cell, RAW code) {
    const u32 number = PASSED[cell / 32] + __popc(FLAGS[cell / 32] & ((1u << cell % 32) - 1));
    u32 range = BEGIN[number], end = BEGIN[number + 1];
    while (end - range > 1) {
        const u32 middle = (range + end) / 2;
        if (FIRSTS[middle] <= code) range = middle;
        else end = middle;
    }
    return code >= FIRSTS[range] && code <= LASTS[range] ? range : NONE;
}

// Loads the ranges, and flags the cells that have them.
__device__ __forceinline__ void load_ranges(const Table& table, const Common* common, u32 ranges) {
    for (u32 i = threadIdx.x; i < WORDS; i += THREADS) FLAGS[i] = 0;
    for (u32 i = threadIdx.x; i < ranges; i += THREADS)
        FIRSTS[i] = (RAW)fresh(&common->firsts[i]), LASTS[i] = (RAW)fresh(&common->lasts[i]);
    __syncthreads();
    for (u32 i = threadIdx.x; i < ranges; i += THREADS) {
        const u32 cell = table(FIRSTS[i]);
        atomicOr(&FLAGS[cell / 32], 1u << cell % 32);
    }
    __syncthreads();
    const u32 flags = threadIdx.x < WORDS ? __popc(FLAGS[threadIdx.x]) : 0, passed = before_in_block(flags);
    if (threadIdx.x < WORDS) PASSED[threadIdx.x] = passed;
    if (threadIdx.x == THREADS - 1) BEGIN[passed + flags] = ranges;
    __syncthreads();
    for (u32 i = threadIdx.x; i < ranges; i += THREADS) {
        const u32 cell = table(FIRSTS[i]);
        if (!i || table(FIRSTS[i - 1]) != cell)
            BEGIN[PASSED[cell / 32] + __popc(FLAGS[cell / 32] & ((1u << cell % 32) - 1))] = i;
    }
    __syncthreads();
}

// The counter that a number of keys leads to, and how many keys are in the counters before it.
struct Found {
    u32 counter;
    u64 before, here;
};

// Prefix sums of counters: each thread adds up some neighbours.
struct Sums {
    const u64* totals;
    u32 count, each;
    __device__ __forceinline__ u64* starts() const { return memory; }  // in the place of the bins

    __device__ __forceinline__ Sums(const u64* totals, u32 count) : totals(totals), count(count) {
        each = (count + THREADS - 1) / THREADS;
        const u32 first = threadIdx.x * each, end = first + each < count ? first + each : count;
        u64 sum = 0;
#pragma unroll 8
        for (u32 i = first; i < end; ++i) sum += fresh(&totals[i]);
        const u64 before = before_in_block(sum);
        starts()[threadIdx.x] = before;
        __syncthreads();
    }

    __device__ __forceinline__ Found find(u64 wanted) const {
        u32 chunk = 0;
#pragma unroll
        for (u32 step = THREADS / 2; step; step /= 2)
            if (starts()[chunk + step] <= wanted) chunk += step;
        u64 before = starts()[chunk], here;
        u32 counter = chunk * each;
        while (before + (here = fresh(&totals[counter])) <= wanted && counter + 1 < count) before += here, ++counter;
        return {counter, before, here};
    }
};

// Lists the ranges of the ranks whose keys are not known; ranks of one range are neighbours.
__device__ __forceinline__ void list_ranges(Common* common, u32 asked, u64 n, u64 room) {
    __shared__ u32 ranges, heavy;
    __shared__ u64 all;
    const u32 first = OWN * threadIdx.x;
    const auto is_open = [&](u32 i) { return i < asked && common->first[i] != common->last[i]; };
    const auto begins = [&](u32 i) {
        return is_open(i) && (!i || !is_open(i - 1) || common->first[i] != common->first[i - 1]);
    };
    if (!threadIdx.x) heavy = 0;
    __syncthreads();
    u32 heads = 0;
    u64 sum = 0;
    for (u32 i = first; i < first + OWN; ++i)
        if (begins(i)) ++heads, sum += common->here[i];
    u32 range = before_in_block(heads);
    u64 start = before_in_block(sum);
    for (u32 i = first; i < first + OWN; ++i) {
        if (begins(i)) {
            const u64 here = common->here[i];
            common->firsts[range] = common->first[i], common->lasts[range] = common->last[i];
            common->starts[range] = common->ends[range] = start;
            if (here > (n >> 8 > 1 << 16 ? n >> 8 : 1 << 16)) heavy = 1;
            ++range, start += here;
        }
        if (is_open(i)) common->range[i] = range - 1;
    }
    if (threadIdx.x == THREADS - 1) ranges = range, all = start;
    __syncthreads();
    if (!threadIdx.x) common->ranges = ranges, common->stages = !heavy && all <= room;
}

