// Ranks that are narrowed together, each in a range of codes of its own, by reads of all keys: those that cells
// leave open because their keys did not fit into the room (cells_told.cu).
//
// Reads take turns. One finds the smallest and the largest code in every range: few different keys, as in rounded
// data, are known after it. The next counts the codes between these in equal parts of each range. A key's range
// is found by bisection. All blocks do the same with the same totals, and need code_ranges.cuh.
//
// `totals` are three times ALL_BINS numbers, which are 0 before and after. A read adds to one third; the third that
// the read before it has used is cleared when all blocks are past it.

#define MOST_OPEN 1024u        // ranks that are narrowed together
#define ALL_BINS (2 * BINS)
#define PARTS_OF_RANGE 256u    // bins of a range, at most: one thread adds them up
#define NOT_OPEN 0xffffffffu

struct OpenRanks {
    u64 rank[MOST_OPEN], before[MOST_OPEN], here[MOST_OPEN];  // keys before the range of a rank, and in it
    RAW first[MOST_OPEN], last[MOST_OPEN];                    // the range
    u32 number[MOST_OPEN];                                    // of the rank among all that were asked for
    u32 range[MOST_OPEN];                                     // the place of the range among `low` and `high`
    RAW low[MOST_OPEN], high[MOST_OPEN];                      // the different ranges with several codes, in order
    u32 shift[MOST_OPEN];
    u32 count, ranges;
};

// The memory behind the bins.
#define OPEN (*(OpenRanks*)(memory + ALL_BINS / 2))

// Puts the ranks in order: each thread finds the place of one.
__device__ __noinline__ void sort_open() {
    const u32 mine = threadIdx.x, count = OPEN.count;
    u64 rank = 0, before = 0, here = 0;
    RAW first = 0, last = 0;
    u32 number = 0, place = 0;
    if (mine < count) {
        rank = OPEN.rank[mine], before = OPEN.before[mine], here = OPEN.here[mine];
        first = OPEN.first[mine], last = OPEN.last[mine], number = OPEN.number[mine];
        for (u32 i = 0; i < count; ++i) place += OPEN.rank[i] < rank || OPEN.rank[i] == rank && i < mine;
    }
    __syncthreads();
    if (mine < count) {
        OPEN.rank[place] = rank, OPEN.before[place] = before, OPEN.here[place] = here;
        OPEN.first[place] = first, OPEN.last[place] = last, OPEN.number[place] = number;
    }
    __syncthreads();
}

// Lists the different ranges that have several codes. Ranks in order have ranges in order.
__device__ __noinline__ void list_ranges() {
    if (!threadIdx.x) {
        u32 ranges = 0;
        for (u32 i = 0; i < OPEN.count; ++i) {
            const RAW first = OPEN.first[i], last = OPEN.last[i];
            if (first == last) {
                OPEN.range[i] = NOT_OPEN;
                continue;
            }
            if (!ranges || OPEN.low[ranges - 1] != first) OPEN.low[ranges] = first, OPEN.high[ranges++] = last;
            OPEN.range[i] = ranges - 1;
        }
        OPEN.ranges = ranges;
    }
    __syncthreads();
}

// Calls body(code, range) for all keys that are in a range.
template <class Source, class Body>
__device__ __forceinline__ void each_in_ranges(Source source, Body body) {
    const u32 ranges = OPEN.ranges, half = ranges > 1 ? 1u << (31 - __clz(ranges - 1)) : 0;
    source([&](RAW code) {
        u32 at = 0;
#pragma unroll 1
        for (u32 step = half; step; step /= 2)
            if (at + step < ranges && OPEN.low[at + step] <= code) at += step;
        if (code >= OPEN.low[at] && code <= OPEN.high[at]) body(code, at);
    });
}

// Narrows all ranges to the smallest and the largest code that they have.
template <class Source>
__device__ __forceinline__ void find_all_ends(Source source, u64* totals, u32* arrived, u32& meetings) {
    RAW* ends = (RAW*)memory;  // of each range: the largest inverted code, and the largest code
    const u32 count = 2 * OPEN.ranges;
    for (u32 i = threadIdx.x; i < count; i += THREADS) ends[i] = 0;
    __syncthreads();
    each_in_ranges(source, [&](RAW code, u32 range) {
        if ((RAW)~code > ends[2 * range]) atomicMax(&ends[2 * range], (RAW)~code);
        if (code > ends[2 * range + 1]) atomicMax(&ends[2 * range + 1], code);
    });
    __syncthreads();
    for (u32 i = threadIdx.x; i < count; i += THREADS)
        if (ends[i]) atomicMax(&totals[i], (u64)ends[i]);
    meet(arrived, meetings);
    const u32 range = threadIdx.x < OPEN.count ? OPEN.range[threadIdx.x] : NOT_OPEN;
    if (range != NOT_OPEN) {
        OPEN.first[threadIdx.x] = (RAW)~(RAW)fresh(&totals[2 * range]);
        OPEN.last[threadIdx.x] = (RAW)fresh(&totals[2 * range + 1]);
    }
    __syncthreads();
}

// Narrows the range of each rank to one of its parts.
template <class Source>
__device__ __forceinline__ void find_parts(Source source, u64* totals, u32* arrived, u32& meetings) {
    u32* bins = (u32*)memory;
    const u32 each = 31 - __clz(ALL_BINS / OPEN.ranges), bits = (1u << each) < PARTS_OF_RANGE ? each : 8;
    for (u32 i = threadIdx.x; i < OPEN.ranges; i += THREADS) {
        const u32 wide = 64 - __clzll((u64)(RAW)(OPEN.high[i] - OPEN.low[i]));
        OPEN.shift[i] = wide > bits ? wide - bits : 0;
    }
    for (u32 i = threadIdx.x; i < OPEN.ranges << bits; i += THREADS) bins[i] = 0;
    __syncthreads();
    each_in_ranges(source, [&](RAW code, u32 range) {
        const RAW part = (RAW)(code - OPEN.low[range]) >> OPEN.shift[range];
        atomicAdd(&bins[(range << bits) + (u32)part], 1u);
    });
    __syncthreads();
    for (u32 i = threadIdx.x; i < OPEN.ranges << bits; i += THREADS)
        if (bins[i]) atomicAdd(&totals[i], (u64)bins[i]);
    meet(arrived, meetings);
    const u32 range = threadIdx.x < OPEN.count ? OPEN.range[threadIdx.x] : NOT_OPEN;
    if (range != NOT_OPEN) {
        const u64* part = totals + (range << bits);
        u64 before = OPEN.before[threadIdx.x], here = 0;
        u32 i = 0;
#pragma unroll 8
        for (; i < 1u << bits; ++i) {
            here = fresh(&part[i]);
            if (OPEN.rank[threadIdx.x] < before + here) break;
            before += here;
        }
        const RAW first = (RAW)(OPEN.low[range] + (RAW)((RAW)i << OPEN.shift[range]));
        const RAW wide = (RAW)(((RAW)1 << OPEN.shift[range]) - 1), left = (RAW)(OPEN.high[range] - first);
        OPEN.before[threadIdx.x] = before, OPEN.here[threadIdx.x] = here;
        OPEN.first[threadIdx.x] = first, OPEN.last[threadIdx.x] = left < wide ? OPEN.high[range] : (RAW)(first + wide);
    }
    __syncthreads();
}

// Narrows the range of every open rank to the code of its key.
template <class Source>
__device__ __noinline__ u32 narrow_all(Source source, u64* totals, u32* arrived, u32 meetings) {
    const u64 thread = (u64)blockIdx.x * THREADS + threadIdx.x, threads = (u64)gridDim.x * THREADS;
    sort_open();
    list_ranges();
    u32 reads = 0;
    const auto third = [&](u32 of) { return totals + of % 3 * ALL_BINS; };
    const auto clear = [&](u64* some) {
        for (u64 i = thread; i < ALL_BINS; i += threads) some[i] = 0;
    };
    while (OPEN.ranges) {
        if (reads % 2) find_parts(source, third(reads), arrived, meetings);
        else find_all_ends(source, third(reads), arrived, meetings);
        list_ranges();
        clear(third(reads + 2));
        ++reads;
    }
    meet(arrived, meetings);  // all have read the last totals
    if (reads) clear(third(reads - 1));
    meet(arrived, meetings);
    return meetings;
}
