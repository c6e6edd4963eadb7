// Many ranks, ours: finds the keys of some ranks in one launch, by two reads of all keys as a rule
// (modern/primitives/cells.py).
//
// 1. Sample: each thread takes a load of 16 bytes at a hashed place. All blocks divide its codes into cells (cells.cuh).
// 2. A read counts the keys in all cells. Prefix sums give the cell of each rank: a range of codes.
// 3. A read puts the keys of these ranges into memory, the keys of each range together; a block selects in it.
//
// If a range has very many keys, as those of rounded data, or all ranges together have, they are narrowed first: by a
// read that finds the smallest and the largest code in every range, and by one that divides every range into bins, in
// turns. So no answer is a guess, and the host decides nothing.
//
// Ranks are ascending, at most MOST: `given`, or at an address. `answers` gets their keys, or NaN for all `unless_nan`
// if there is one; `found`, if it is there, how many keys are below each, and how many equal it. Blocks of 1,024
// threads, which all run at the same time. In shared memory behind the ranges are AIM bins, a power of two, or lists of
// CAPACITY keys a thread. Common is 0 before and after, as far as `Zero` goes. 11, 101 and 1,001 ranks of 2²⁸ float32
// on an H200 take 2.8, 3.1 and 5.9 times as long as their maximum.

#include "keys.cuh"
#include "code_ranges.cuh"
#include "sampled_load.cuh"
#include "staging.cuh"
#include "totals.cuh"
#include "cells.cuh"

#define HOT 4                    // more sampled keys of a warp than this in one cell are many
#define LEAST_SAMPLED (1 << 10)  // fewer bytes than this are not sampled

// ---- Where keys go: each looker is called for all keys (staging.cuh).

struct Counter {
    const Table& table;
    u32* bins;
    u32 hot[2], counts[2];  // cells with so many keys that lanes would wait for each other: counted in registers
    __device__ __forceinline__ void look(RAW bits, u32) const { atomicAdd(&bins[table.of_key(bits)], 1); }
    __device__ __forceinline__ void make_room() const {}
};

// Equal neighbours are counted by one addition.
__device__ __forceinline__ void look_at_load(Counter& counter, const Load& loaded, u32) {
    bool same = true;
#pragma unroll
    for (int k = 1; k < PER_LOAD; ++k) same = same && loaded.keys[k] == loaded.keys[0];
    if (same) atomicAdd(&counter.bins[counter.table.of_key(loaded.keys[0])], PER_LOAD);
    else if (counter.hot[0] == NONE)
#pragma unroll
        for (int k = 0; k < PER_LOAD; ++k) counter.look(loaded.keys[k], 0);
    else
#pragma unroll
        for (int k = 0; k < PER_LOAD; ++k) {
            const u32 cell = counter.table.of_key(loaded.keys[k]);
            const bool one = cell == counter.hot[0], other = cell == counter.hot[1];
            counter.counts[0] += one, counter.counts[1] += other;
            if (!one && !other) atomicAdd(&counter.bins[cell], 1);
        }
}

// Moves the ends of the codes of a range, the largest ~code and the largest code, to a code.
__device__ __noinline__ void move_ends(u32 range, RAW code) {
    atomicMax((u64*)OPEN + 2 * range, ~(u64)code), atomicMax((u64*)OPEN + 2 * range + 1, (u64)code);
}

// Counts the keys of ranges in bins; or finds the ends of their codes.
struct Narrower {
    const Table& table;
    u32 bits;
    bool ends;
    __device__ __forceinline__ void look(RAW key, u32) const {
        const u32 cell = table.of_key(key);
        if (!is_flagged(cell)) return;
        const RAW code = encode(key);
        const u32 range = range_of(cell, code);
        if (range == NONE) return;
        if (ends) {
            const volatile u64* known = (u64*)OPEN + 2 * range;
            if (~(u64)code > known[0] || (u64)code > known[1]) move_ends(range, code);
        } else {
            const u32 shift = shift_for({FIRSTS[range], LASTS[range], 0, 0}, bits);
            atomicAdd((u32*)OPEN + ((range << bits) + (u32)((RAW)(code - FIRSTS[range]) >> shift)), 1);
        }
    }
    __device__ __forceinline__ void make_room() const {}
};

// Moves the codes of the lists of a warp to memory. The first key of a range in a row reserves room for the others.
__device__ __noinline__ void move_lists(u32 held, RAW* staged, u64 room, u64* ends) {
    const u32 lane = threadIdx.x % LANES;
#pragma unroll 1
    for (u32 row = 0; __any_sync(FULL, row < held); row += THREADS) {
        const RAW code = encode(row < held ? LISTS[threadIdx.x + row] : (RAW)0);
        const u32 range = row < held ? range_of(cell_of(code), code) : NONE;
        const u32 peers = __match_any_sync(FULL, range), leader = __ffs(peers) - 1;
        u64 place = 0;
        if (lane == leader && range != NONE) place = atomicAdd(&ends[APART * range], (u64)__popc(peers));
        place = __shfl_sync(FULL, place, leader) + __popc(peers & ((1u << lane) - 1));
        if (range != NONE && place < room) staged[place] = code;
    }
}

// Stages the keys of all ranges: in lists, and from there in memory. If ranges are `whole` cells, a flag tells enough.
struct Stager {
    const Table& table;
    RAW* staged;
    u64 room, *ends;
    bool whole;
    u32 held;

    __device__ __forceinline__ void look(RAW bits, u32) {
        const u32 cell = table.of_key(bits);
        if (is_flagged(cell) && (whole || range_of(cell, encode(bits)) != NONE))
            LISTS[threadIdx.x + held] = bits, held += THREADS;
    }

    __device__ __forceinline__ void empty() { move_lists(held, staged, room, ends), held = 0; }

    __device__ __forceinline__ void make_room() {
        if (__any_sync(FULL, held > (CAPACITY - ROOM_LEFT) * THREADS)) empty();
    }
};

// ---- The steps.

// Finds up to two cells that many keys of a warp's sample are in.
__device__ __forceinline__ void find_hot(u32 (&hot)[2], const Table& table, const Load& loaded) {
    u32 cell = table.of_key(loaded.keys[0]);
    for (int r = 0; r < 2; ++r) {
        const u32 peers = __popc(__match_any_sync(FULL, cell)), own = cell == NONE ? 0 : peers << 16 | cell;
        const u32 found = __shfl_sync(FULL, ~warp_least(~own), 0);
        hot[r] = found >> 16 > HOT ? found & 0xffff : NONE;
        if (cell == hot[r]) cell = NONE;
    }
}

// Samples the codes, and divides them into cells.
__device__ __forceinline__ void build(Table& table, u32 (&hot)[2], const RAW* keys, u64 n, Common* common, u32& meetings) {
    const u64 thread = (u64)blockIdx.x * THREADS + threadIdx.x, threads = (u64)gridDim.x * THREADS;
    auto& zero = common->zero;
    const bool samples = n >= LEAST_SAMPLED / KEY_BYTES;
    Sampled<encode> sample;
    u64 inverse = 0, most = 0;
    if (samples) {
        sample.loaded = sampled_load(keys, n, thread, threads);
        sample([&](u64 code) {
            if (code <= last_number()) inverse = ~code > inverse ? ~code : inverse, most = code > most ? code : most;
        });
    }
    inverse = ~warp_least(~inverse), most = ~warp_least(~most);
    if (!(threadIdx.x % LANES)) atomicMax(&zero.inverse_of_least, inverse), atomicMax(&zero.most, most);
    meet(&zero.arrived, meetings);
    const u64 least = ~fresh(&zero.inverse_of_least);
    if (least > last_number()) table.span(1, 0);
    else table.span((RAW)least, (RAW)fresh(&zero.most));
    u32* bins = (u32*)memory;
    for (u32 i = threadIdx.x; i < ROOT; i += THREADS) bins[i] = 0;
    __syncthreads();
    if (samples)
        sample([&](RAW code) {
            if (code <= last_number()) atomicAdd(&bins[table.place_of(table.beyond(code))], 1);
        });
    add_up(bins, ROOT, zero.root);
    meet(&zero.arrived, meetings);
    table.divide(zero.root, threads * PER_LOAD);
    if (!threadIdx.x) table_of_block = table;
    __syncthreads();
    if (samples) find_hot(hot, table, sample.loaded);
}

// Finds the key of each rank among the staged keys of its range.
__device__ __forceinline__ void select_staged(const RAW* staged, u32 asked, Common* common) {
    __shared__ u64 rank[2];
    __shared__ Range range[2];
    for (u32 i = blockIdx.x; i < asked; i += gridDim.x) {
        const RAW first = (RAW)fresh(&common->first[i]), last = (RAW)fresh(&common->last[i]);
        if (first == last) continue;
        const u64 before = fresh(&common->before[i]), size = fresh(&common->here[i]);
        const Fresh part{staged + fresh(&common->starts[fresh(&common->range[i])]), size};
        __syncthreads();
        if (threadIdx.x < 2) rank[threadIdx.x] = fresh(&common->rank[i]) - before, range[threadIdx.x] = {first, last, 0, size};
        __syncthreads();
        if (!first || last == last_number()) find_ends(range, part);
        narrow_to_few(range, rank, part);
        compare(range, rank, part);
        if (threadIdx.x) continue;
        common->first[i] = common->last[i] = range[0].first;
        common->before[i] = before + range[0].before, common->here[i] = range[0].here;
    }
}

// Narrows a rank to its counter, given the sums up to each: a cell; or one of 2^bits bins of its range.
__device__ __forceinline__ void narrow_rank(u32 i, const u64* sums, u32 count, const Table& table, u32 bits, bool whole,
                                            Common* common) {
    const u32 own = whole ? 0 : common->range[i];
    const u64 start = whole ? 0 : common->starts[own], before = whole ? 0 : common->before[i];
    const u64 wanted = common->rank[i] - before + start;
    const u32 chunk = partition_point(1u, (u32)THREADS, [&](u32 j) { return memory[j] <= wanted; }) - 1;
    const u32 each = (count + THREADS - 1) / THREADS, end = chunk * each + each < count ? chunk * each + each : count;
    const u32 at = partition_point(chunk * each, end - 1, [&](u32 j) { return fresh(&sums[j]) <= wanted; });
    const u64 passed = at ? fresh(&sums[at - 1]) : 0;
    common->before[i] = before + passed - start, common->here[i] = fresh(&sums[at]) - passed;
    RAW first, last;
    if (whole) table.bounds(at, first, last);
    else {
        const RAW from = (RAW)common->firsts[own], end = (RAW)common->lasts[own];
        const u32 shift = shift_for({from, end, 0, 0}, bits);
        first = (RAW)(from + (RAW)((RAW)(at - (own << bits)) << shift));
        const RAW wide = (RAW)(((RAW)1 << shift) - 1);
        last = (RAW)(end - first) > wide ? (RAW)(first + wide) : end;
    }
    common->first[i] = first, common->last[i] = last;
}

extern "C" __global__ void __launch_bounds__(THREADS, 1)
    cells(const RAW* keys, u64 n, const u64* ranks, u64 count_asked, u64 unless_nan, RAW* staged, u64 room, Common* common,
          RAW* answers, u64* found, const __grid_constant__ Ranks given) {
    const u64 thread = (u64)blockIdx.x * THREADS + threadIdx.x, threads = (u64)gridDim.x * THREADS;
    auto& zero = common->zero;
    u32 meetings = 0, reads = 0, ranges = 0, bits = 0;
    const u32 asked = (u32)count_asked, i = threadIdx.x;  // of the first block, each thread has a rank
    if (!blockIdx.x && i < asked) common->rank[i] = ranks ? ranks[i] : given.rank[i];
    Table table;
    u32 hot[2] = {NONE, NONE};
    build(table, hot, keys, n, common, meetings);
    for (bool stages = false; !stages; ++reads) {
        u64* totals = zero.totals[reads % 2];
        const bool whole = !reads, ends = reads % 2;  // cells; then ends of ranges, and bins, in turns
        const u32 count = whole ? table.of_nan + 1 : ends ? 2 * ranges : ranges << bits;
        u32* open = whole ? BEHIND : (u32*)OPEN;
        for (u32 j = i; j < (ends ? 2 * count : count); j += THREADS) open[j] = 0;
        __syncthreads();
        if (whole) {
            Counter counter{table, open, {hot[0], hot[1]}, {0, 0}};
            look_at_all(keys, n, counter);
            for (int r = 0; r < 2; ++r)
                if (hot[r] != NONE) add_to(&open[hot[r]], counter.counts[r]);
        } else {
            Narrower narrower{table, bits, ends};
            look_at_all(keys, n, narrower);
        }
        __syncthreads();
        if (!ends) add_up(open, count, totals);
        else
            for (u32 j = i; j < count; j += THREADS) atomicMax(&totals[j], ((u64*)open)[j]);
        meet(&zero.arrived, meetings);
        if (!blockIdx.x) {
            if (!ends) sum_up(totals, count);
            if (whole && FLOATING && !i) common->nans = n - fresh(&totals[table.of_nan - 1]);
            if (i < asked && (whole || common->first[i] != common->last[i])) {
                if (ends) {
                    const u64* own = &totals[2 * common->range[i]];
                    common->first[i] = (RAW)~fresh(own), common->last[i] = fresh(own + 1);
                } else narrow_rank(i, totals, count, table, bits, whole, common);
            }
            __syncthreads();
            list_ranges(common, asked, n, room);
        }
        meet(&zero.arrived, meetings);
        for (u64 j = thread; j < count; j += threads) totals[j] = 0;
        for (u64 j = thread; whole && j < ROOT; j += threads) zero.root[j] = 0;
        ranges = fresh(&common->ranges), stages = fresh(&common->stages);
        for (bits = 0; ranges && 2 * ranges << bits <= AIM;) ++bits;
        if (ranges) load_ranges(common, ranges);
    }
    if (ranges) {
        Stager stager{table, staged, room, common->ends, reads == 1, 0};
        look_at_all(keys, n, stager);
        stager.empty();
        meet(&zero.arrived, meetings);
        select_staged(staged, asked, common);
    }
    if (!comes_last(&zero.ticket)) return;
    if (i < asked) {
        const bool is_nan = FLOATING && unless_nan && fresh(&common->nans);
        answers[i] = decode(is_nan ? (RAW)~(RAW)0 : (RAW)fresh(&common->first[i]));
        if (found) found[2 * i] = fresh(&common->before[i]), found[2 * i + 1] = fresh(&common->here[i]);
    }
    if (!i) zero.arrived = 0, zero.inverse_of_least = zero.most = 0;
}
