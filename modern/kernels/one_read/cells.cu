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
// if there is a NaN; `found`, if it is there, how many keys are below each, and how many equal it. Blocks of 1,024
// threads, which all run at the same time. `bins` is a power of two, the number of counters of 32 bits in shared
// memory behind the ranges; lists of staged keys have that memory, too. Common is 0 before and after, as far as `Zero`
// goes.

#include "keys.cuh"
#include "code_ranges.cuh"
#include "sampled_load.cuh"
#include "staging.cuh"
#include "totals.cuh"
#include "cells.cuh"

#define HOT 16  // of the sample: 1 in so many keys in one cell

// ---- Where keys go: each looker is called for all keys (staging.cuh).

struct Counter {
    const Table& table;
    u32* bins;
    u32 hot[2], counts[2];  // cells with so many keys that lanes would wait for each other: counted in registers
    __device__ __forceinline__ void look(RAW bits, u32) const { atomicAdd(&bins[table.of_key(bits)], 1); }
    __device__ __forceinline__ void alone(RAW bits, u64) const { look(bits, 0); }
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
    __device__ __forceinline__ void alone(RAW key, u64) const { look(key, 0); }
    __device__ __forceinline__ void make_room() const {}
};

// Moves the lists of a warp to memory. The first key of a range in a row reserves room for the others.
__device__ __noinline__ void move_lists(u32 held, RAW* staged, u64 room, u64* ends) {
    const u32 lane = threadIdx.x % LANES;
#pragma unroll 1
    for (u32 row = 0; __any_sync(FULL, row < held); row += THREADS) {
        const RAW bits = row < held ? LISTS[threadIdx.x + row] : (RAW)0, code = encode(bits);
        const u32 range = row < held ? range_of(cell_of(code), code) : NONE;
        const u32 peers = __match_any_sync(FULL, range), leader = __ffs(peers) - 1;
        u64 place = 0;
        if (lane == leader && range != NONE) place = atomicAdd(&ends[APART * range], (u64)__popc(peers));
        place = __shfl_sync(FULL, place, leader) + __popc(peers & ((1u << lane) - 1));
        if (range != NONE && place < room) staged[place] = bits;
    }
}

// Stages the keys of all ranges: in lists, and from there in memory. If ranges are `whole` cells, a flag tells enough.
struct Stager {
    const Table& table;
    RAW* staged;
    u64 room, *ends;
    u32 capacity;
    bool whole;
    u32 held;

    __device__ __forceinline__ void look(RAW bits, u32) {
        const u32 cell = table.of_key(bits);
        if (is_flagged(cell) && (whole || range_of(cell, encode(bits)) != NONE))
            LISTS[threadIdx.x + held] = bits, held += THREADS;
    }

    __device__ __forceinline__ void alone(RAW bits, u64) { look(bits, 0); }

    __device__ __forceinline__ void empty() { move_lists(held, staged, room, ends), held = 0; }

    __device__ __forceinline__ void make_room() {
        if (__any_sync(FULL, held > (capacity - ROOM_LEFT) * THREADS)) empty();
    }
};

struct InRange {
    const RAW* keys;
    u64 size;
    template <class Body>
    __device__ __forceinline__ void operator()(Body body) const {
        each_fresh<8>(keys, size, threadIdx.x, THREADS, [&](RAW bits) { body(encode(bits)); });
    }
};

// ---- The steps.

// Finds up to two cells that have more than 1 in HOT keys of the block's sample.
__device__ __forceinline__ void find_hot(u32 (&hot)[2], const Table& table, const Load& loaded, bool samples) {
    __shared__ u32 largest;
    hot[0] = hot[1] = NONE;
    if (!samples) return;
    for (u32 i = threadIdx.x; i <= table.of_nan; i += THREADS) BEHIND[i] = 0;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < PER_LOAD; ++k) atomicAdd(&BEHIND[table.of_key(loaded.keys[k])], 1);
    for (int r = 0; r < 2; ++r) {
        if (!threadIdx.x) largest = 0;
        __syncthreads();
        u32 mine = 0;
        for (u32 i = threadIdx.x; i <= table.of_nan; i += THREADS)
            if (i != hot[0] && BEHIND[i] << 16 > mine) mine = BEHIND[i] << 16 | i;
        if (mine) atomicMax(&largest, mine);
        __syncthreads();
        if (largest >> 16 > THREADS * PER_LOAD / HOT) hot[r] = largest & 0xffff;
        __syncthreads();
    }
}

// Samples the codes, and divides them into cells.
__device__ __forceinline__ void build(Table& table, u32 (&hot)[2], const RAW* keys, u64 n, bool samples, Common* common,
                                      u32& meetings) {
    const u64 thread = (u64)blockIdx.x * THREADS + threadIdx.x, threads = (u64)gridDim.x * THREADS;
    auto& zero = common->zero;
    Load loaded;
    u64 inverse = 0, most = 0;
    if (samples) {
        loaded = sampled_load(keys, n, thread, threads);
#pragma unroll
        for (int k = 0; k < PER_LOAD; ++k) {
            const u64 code = encode(loaded.keys[k]);
            if (FLOATING && code == (RAW)~(RAW)0) continue;
            inverse = ~code > inverse ? ~code : inverse, most = code > most ? code : most;
        }
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
#pragma unroll
        for (int k = 0; k < PER_LOAD; ++k) {
            const RAW code = encode(loaded.keys[k]);
            if (!FLOATING || code != (RAW)~(RAW)0) atomicAdd(&bins[table.place_of(table.beyond(code))], 1);
        }
    add_up(bins, ROOT, zero.root);
    meet(&zero.arrived, meetings);
    table.divide(zero.root, threads * PER_LOAD);
    if (!threadIdx.x) table_of_block = table;
    __syncthreads();
    find_hot(hot, table, loaded, samples);
}

// Finds the key of each rank among the staged keys of its range.
__device__ __forceinline__ void select_staged(const RAW* staged, u32 asked, Common* common) {
    __shared__ u64 rank[2];
    __shared__ Range range[2];
    for (u32 i = blockIdx.x; i < asked; i += gridDim.x) {
        const RAW first = (RAW)fresh(&common->first[i]), last = (RAW)fresh(&common->last[i]);
        if (first == last) continue;
        const u64 before = fresh(&common->before[i]), size = fresh(&common->here[i]);
        const InRange part{staged + fresh(&common->starts[*(volatile u32*)&common->range[i]]), size};
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

extern "C" __global__ void __launch_bounds__(THREADS, 1)
    cells(const RAW* keys, u64 n, const __grid_constant__ Ranks given, const u64* ranks, u64 count_asked,
          u64 unless_nan, u64 samples, u64 bins, u64 capacity, RAW* staged, u64 room, Common* common, RAW* answers,
          u64* found) {
    const u64 thread = (u64)blockIdx.x * THREADS + threadIdx.x, threads = (u64)gridDim.x * THREADS;
    auto& zero = common->zero;
    u32 meetings = 0, reads = 0, ranges = 0, bits = 0;
    const u32 asked = (u32)count_asked;
    for (u32 i = threadIdx.x; !blockIdx.x && i < asked; i += THREADS) common->rank[i] = ranks ? ranks[i] : given.rank[i];
    Table table;
    u32 hot[2];
    build(table, hot, keys, n, samples, common, meetings);
    for (bool stages = false; !stages; ++reads) {
        u64* totals = zero.totals[reads % 2];
        const u32 kind = !reads ? 0 : 1 + reads % 2;  // counts cells; then finds ends of ranges, and counts bins, in turns
        u32 count = kind ? kind == 1 ? ranges << bits : 2 * ranges : table.of_nan + 1, *open = kind ? (u32*)OPEN : BEHIND;
        for (u32 i = threadIdx.x; i < (kind == 2 ? 2 * count : count); i += THREADS) open[i] = 0;
        __syncthreads();
        if (!kind) {
            Counter counter{table, open, {hot[0], hot[1]}, {0, 0}};
            look_at_all(keys, n, counter);
            for (int r = 0; r < 2; ++r)
                if (hot[r] != NONE) add_to(&open[hot[r]], counter.counts[r]);
        } else {
            Narrower narrower{table, bits, kind == 2};
            look_at_all(keys, n, narrower);
        }
        if (kind < 2) add_up(open, count, totals);
        else {
            __syncthreads();
            for (u32 i = threadIdx.x; i < count; i += THREADS) atomicMax(&totals[i], ((u64*)open)[i]);
        }
        meet(&zero.arrived, meetings);
        if (!blockIdx.x) {
            const Sums sums(totals, kind < 2 ? count : 0);
            for (u32 i = threadIdx.x; i < asked; i += THREADS) {
                if (kind && common->first[i] == common->last[i]) continue;
                const u32 own = kind ? common->range[i] : 0;
                if (kind == 2) {
                    common->first[i] = (RAW)~fresh(&totals[2 * own]), common->last[i] = fresh(&totals[2 * own + 1]);
                    continue;
                }
                const u64 start = kind ? common->starts[own] : 0, before = kind ? common->before[i] : 0;
                const Found at = sums.find(common->rank[i] - before + start);
                RAW first, last;
                if (!kind) table.bounds(at.counter, first, last);
                else {
                    const RAW from = (RAW)common->firsts[own], end = (RAW)common->lasts[own];
                    const u32 shift = shift_for({from, end, 0, 0}, bits);
                    first = (RAW)(from + (RAW)((RAW)(at.counter - (own << bits)) << shift));
                    const RAW wide = (RAW)(((RAW)1 << shift) - 1);
                    last = (RAW)(end - first) > wide ? (RAW)(first + wide) : end;
                }
                common->first[i] = first, common->last[i] = last;
                common->before[i] = before + at.before - start, common->here[i] = at.here;
            }
            __syncthreads();
            list_ranges(common, asked, n, room);
            if (!kind && !threadIdx.x) common->nans = FLOATING ? fresh(&totals[table.of_nan]) : 0;
        }
        meet(&zero.arrived, meetings);
        for (u64 i = thread; i < count; i += threads) totals[i] = 0;
        for (u64 i = thread; !reads && i < ROOT; i += threads) zero.root[i] = 0;
        ranges = *(volatile u32*)&common->ranges, stages = *(volatile u32*)&common->stages;
        for (bits = 0; ranges && 2 * ranges << bits <= bins;) ++bits;
        if (ranges) load_ranges(common, ranges);
    }
    if (ranges) {
        Stager stager{table, staged, room, common->ends, (u32)capacity, reads == 1, 0};
        look_at_all(keys, n, stager);
        stager.empty();
        meet(&zero.arrived, meetings);
        select_staged(staged, asked, common);
    }
    if (!comes_last(&zero.ticket)) return;
    const bool is_nan = unless_nan && fresh(&common->nans);
    for (u32 i = threadIdx.x; i < asked; i += THREADS) {
        answers[i] = decode(is_nan ? (RAW)~(RAW)0 : (RAW)fresh(&common->first[i]));
        if (found) found[2 * i] = fresh(&common->before[i]), found[2 * i + 1] = fresh(&common->here[i]);
    }
    if (!threadIdx.x) zero.arrived = 0, zero.inverse_of_least = zero.most = 0;
}
