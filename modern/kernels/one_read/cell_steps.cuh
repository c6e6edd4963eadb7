// The steps of many ranks, which one launch takes together (cells.cu), or several cards in launches of their own
// (table_of_pieces.cu to select_in_pieces.cu).

#include "code_ranges.cuh"
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
    UNROLLED for (int k = 1; k < PER_LOAD; ++k) same = same && loaded.keys[k] == loaded.keys[0];
    if (same) atomicAdd(&counter.bins[counter.table.of_key(loaded.keys[0])], PER_LOAD);
    else if (counter.hot[0] == NONE)
        UNROLLED for (int k = 0; k < PER_LOAD; ++k) counter.look(loaded.keys[k], 0);
    else
        UNROLLED for (int k = 0; k < PER_LOAD; ++k) {
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
    ROLLED for (u32 row = 0; __any_sync(FULL, row < held); row += THREADS) {
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

// Finds the ends of the codes of a sample, and counts them in the entries of a table, by all blocks.
template <class Source>
__device__ __forceinline__ void build(Table& table, const Source& sample, Common* common, u32& meetings) {
    auto& zero = common->zero;
    u64 inverse = 0, most = 0;
    sample([&](u64 code) {
        if (code <= last_number()) inverse = ~code > inverse ? ~code : inverse, most = code > most ? code : most;
    });
    inverse = ~warp_least(~inverse), most = ~warp_least(~most);
    if (!(threadIdx.x % LANES)) atomicMax(&zero.inverse_of_least, inverse), atomicMax(&zero.most, most);
    meet(&zero.arrived, meetings);
    table.span(zero);
    u32* bins = (u32*)memory;
    for (u32 i = threadIdx.x; i < ROOT; i += THREADS) bins[i] = 0;
    __syncthreads();
    sample([&](RAW code) {
        if (code <= last_number()) atomicAdd(&bins[table.place_of(table.beyond(code))], 1);
    });
    add_up(bins, ROOT, zero.root);
}

// Divides the entries of a table into cells, given how many keys were sampled.
__device__ __forceinline__ void divide(Table& table, const Common* common, u64 sampled) {
    table.divide(common->zero.root, sampled);
    if (!threadIdx.x) table_of_block = table;
    __syncthreads();
}

// The bits of the bins of each range.
__device__ __forceinline__ u32 bits_for(u32 ranges) {
    u32 bits = 0;
    while (ranges && 2 * ranges << bits <= AIM) ++bits;
    return bits;
}

// Counts the keys of cells; `look` calls a looker for all keys.
template <class Look>
__device__ __forceinline__ void count_cells(const Look& look, const Table& table, const u32 (&hot)[2], u32* bins, u32 count) {
    for (u32 j = threadIdx.x; j < count; j += THREADS) bins[j] = 0;
    __syncthreads();
    Counter counter{table, bins, {hot[0], hot[1]}, {0, 0}};
    look(counter);
    for (int r = 0; r < 2; ++r)
        if (hot[r] != NONE) add_to(&bins[hot[r]], counter.counts[r]);
    __syncthreads();
}

// Counts the keys of ranges in bins; or finds the ends of their codes, two words each.
template <class Look>
__device__ __forceinline__ void count_ranges(const Look& look, const Table& table, u32 bits, bool ends, u32* bins, u32 count) {
    for (u32 j = threadIdx.x; j < (ends ? 2 * count : count); j += THREADS) bins[j] = 0;
    __syncthreads();
    Narrower narrower{table, bits, ends};
    look(narrower);
    __syncthreads();
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

// Narrows a rank to its counter, given the sums up to each: a cell; or one of 2^bits bins of its range. Returns which.
__device__ __forceinline__ u32 narrow_rank(u32 i, const u64* sums, u32 count, const Table& table, u32 bits, bool whole,
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
    return at;
}

// Writes the keys of the ranks; of each, `found` gets how many are below it and how many equal it.
__device__ __forceinline__ void write_keys(const Common* common, u32 asked, bool unless_nan, RAW* answers, u64* found) {
    const u32 i = threadIdx.x;
    if (i >= asked) return;
    const bool is_nan = FLOATING && unless_nan && fresh(&common->nans);
    answers[i] = decode(is_nan ? (RAW)~(RAW)0 : (RAW)fresh(&common->first[i]));
    if (found) found[2 * i] = fresh(&common->before[i]), found[2 * i + 1] = fresh(&common->here[i]);
}
