// The first keys of each row in an order, and their places: one block for each row (modern/rows/cuda_top.py). Of
// equal keys those at the lowest places.
//
// 1. Sample: each thread takes `samples` loads of 16 bytes at hashed places of the row.
// 2. Bound: the code behind the sample's rank of `count`, `wide` standard errors away, by histograms.
// 3. One read: keys up to the bound are staged with their places, in shared memory. If many keys of the sample
//    equal the bound, its first equals by place are collected from the row's begin on, and only keys before it are
//    staged.
// 4. If they are at least `count`, and fit, a bitonic network sorts them. Otherwise the code of the last rank is
//    found by a read for each histogram, and one more read collects the keys in the order of their places.
//
// Row i begins at keys + i * row_step. BY is an order, 0 to 2. NEAR: rows have at most 2¹⁶ keys. `values` and `places` are (outer, count, inner).
// Rows of fewer than 2³² keys, `count` at most MOST, a power of two. Shared memory: 16 bytes for each thread; and
// MOST entries, or a sample of up to KEPT loads if that is larger.

#include "keys.cuh"
#include "top_keys.cuh"
#include "code_ranges.cuh"
#include "sampled_load.cuh"
#include "compared.cuh"
#include "top_entries.cuh"

#define CODE_OF order_of
#include "row_sources.cuh"

struct Shared {
    u64 rank[2];
    Range range[2];
    u32 staged;
};

// Keys in shared memory, with their places.
struct Entries {
    u32* places;
    RAW* orders;
    __device__ __forceinline__ void put(u32 at, RAW order, u32 place) const {
        orders[at] = order, places[at] = place;
    }
};

// The keys to stage: up to a code, or before it.
struct Bound {
    RAW order;
    bool tied;  // more keys may equal it than there is room for
};

// The bound by the sample. If that is too small, all keys are up to it.
__device__ __forceinline__ Bound sampled_bound(Shared& s, const RowSample& sample, u32 count, float wide) {
    const u64 sampled = (u64)sample.samples * THREADS * PER_LOAD;
    const float share = (float)sampled / (float)sample.row.n, middle = (float)count * share;
    const float aimed = middle + wide * sqrtf(middle) + wide * wide;
    if (aimed >= (float)sampled) return {(RAW)~(RAW)0, false};
    if (!threadIdx.x) {
        s.rank[0] = s.rank[1] = (u64)aimed;
        s.range[0] = s.range[1] = {0, (RAW)~(RAW)0, 0, sampled};
    }
    __syncthreads();
    while (!s.range[0].is_one() && s.range[0].here > 1 + (u64)aimed / 8)
        narrow_alone(s.range, s.rank, sample);
    return {s.range[0].last, s.range[0].is_one() && (float)s.range[0].here > share * MOST / 4};
}

// Puts the keys of a load that have a bit behind the staged ones, as far as there is room.
__device__ __forceinline__ void put(Shared& s, const Load& loaded, Bits bits, u32 place, u32 most,
                                    const Entries& entries) {
    u32 at = atomicAdd(&s.staged, (u32)__popcll(bits));
#pragma unroll
    for (int k = 0; k < PER_LOAD; ++k)
        if (bits >> k & 1) {
            if (at < most) entries.put(at, order_of(loaded.keys[k]), place + k);
            ++at;
        }
}

// Stages the wanted keys of the row, UNROLL loads of each thread at once; returns how many there are, which may be
// more than `most`.
template <class Wanted>
__device__ __forceinline__ u32 stage(Shared& s, const Row& row, u32 most, const Entries& entries, Wanted wanted) {
    const u32 head = (u32)head_of(row.keys, row.n), loads = (u32)((row.n - head) / PER_LOAD);
    const u32 tail = head + loads * PER_LOAD;
    if (!threadIdx.x) s.staged = 0;
    __syncthreads();
    for (u32 i = threadIdx.x; i < head + (row.n - tail); i += THREADS) {
        const u32 place = i < head ? i : tail + (i - head);
        if (!wanted(compared(row.keys[place]))) continue;
        const u32 at = atomicAdd(&s.staged, 1u);
        if (at < most) entries.put(at, order_of(row.keys[place]), place);
    }
    for (u32 first = threadIdx.x; first < loads; first += UNROLL * THREADS) {
        Load loaded[UNROLL];
#pragma unroll
        for (int j = 0; j < UNROLL; ++j)
            if (first + j * THREADS < loads) loaded[j] = load(row.keys + head, first + j * THREADS);
#pragma unroll
        for (int j = 0; j < UNROLL; ++j) {
            const u32 i = first + j * THREADS;
            Bits bits = 0;
#pragma unroll
            for (int k = 0; k < PER_LOAD; ++k)
                if (wanted(compared(loaded[j].keys[k]))) bits |= (Bits)1 << k;
            if (bits && i < loads) put(s, loaded[j], bits, head + i * PER_LOAD, most, entries);
        }
    }
    __syncthreads();
    return s.staged;
}

// The sum over the threads before this one; and over all of them in `total`, which all threads must have read
// before the next call.
__device__ __forceinline__ u32 before_this(u32 mine, u32* total) {
    const u32 before = before_in_block(mine);
    if (threadIdx.x == THREADS - 1) *total = before + mine;
    __syncthreads();
    return before;
}

// Puts the places of the first equals of a code behind each other, at most `count`; returns how many there are.
__device__ __noinline__ u32 put_equals(const Row& row, const Last& last, u32 count, u32* places) {
    __shared__ u32 more;
    u32 found = 0;
#pragma unroll 1
    for (u64 start = 0; start < row.n && found < count; start += THREADS * PER_LOAD) {
        const u64 first = start + threadIdx.x * PER_LOAD;
        Bits bits = 0;
#pragma unroll
        for (int k = 0; k < PER_LOAD; ++k)
            if (first + k < row.n && last.is_equal(compared(row.keys[first + k]))) bits |= (Bits)1 << k;
        u32 at = found + before_this(__popc(bits), &more);
        for (; bits && at < count; bits &= bits - 1) places[at++] = (u32)first + __ffs((u32)bits) - 1;
        found += more;
        __syncthreads();
    }
    return found < count ? found : count;
}

// Stages the keys before a code, and as many of its first equals as are missing; returns how many keys these are,
// which may be too few, or more than MOST.
__device__ __noinline__ u32 stage_tied(Shared& s, const Row& row, RAW order, u32 count, const Entries& entries) {
    const Last last(order);
    u32* places = entries.places + MOST - count;
    const u32 equals = put_equals(row, last, count, places);
    const bool none = !order && equals == count;  // no code comes before: the row need not be read to its end
    const u32 before =
        none ? 0 : stage(s, row, MOST - count, entries, [&](Compared key) { return last.has_before(key); });
    if (before > MOST - count) return MOST + 1;
    if (before >= count) return before;
    const u32 taken = equals < count - before ? equals : count - before;
    for (u32 i = threadIdx.x; i < taken; i += THREADS) entries.put(before + i, order, places[i]);
    __syncthreads();
    return before + taken;
}

// Finds the code of the last rank in all keys, and collects `count` keys by their places.
__device__ __noinline__ void collect(Shared& s, const Row& row, u32 count, const Entries& entries) {
    if (!threadIdx.x) {
        s.rank[0] = s.rank[1] = count - 1;
        s.range[0] = s.range[1] = {0, (RAW)~(RAW)0, 0, row.n};
        s.staged = 0;
    }
    __syncthreads();
    while (!s.range[0].is_one()) narrow_alone(s.range, s.rank, row);
    const RAW last = s.range[0].first;
    const u32 equals = count - (u32)s.range[0].before;
    u32 passed = 0;  // equal keys so far, at most 2³¹
#pragma unroll 1
    for (u64 start = 0; start < row.n; start += THREADS) {
        const u64 place = start + threadIdx.x;
        const RAW order = place < row.n ? order_of(row.keys[place]) : (RAW)~(RAW)0;
        const bool equal = place < row.n && order == last;
        bool wanted = place < row.n && order < last;
        if (__syncthreads_count(equal) && passed < equals) {
            __shared__ u32 more;
            const u32 before = passed + before_this((u32)equal, &more);
            wanted = wanted || equal && before < equals;
            passed += more;
            __syncthreads();
        }
        if (wanted) entries.put(atomicAdd(&s.staged, 1u), order, (u32)place);
    }
    __syncthreads();
}

// Changes the entries, LANES at a time, each time by a warp in its registers: body(entry). Where `down` has the bit
// of their places, they are inverted meanwhile, so that they get to descend.
template <class Body>
__device__ __forceinline__ void by_warps(const Entries& entries, u32 size, u32 down, Body body) {
#pragma unroll 1
    for (u32 i = threadIdx.x; i < size; i += THREADS) {
        const int all = i & down ? -1 : 0;
        Entry entry[1] = {inverted(entry_of(entries.orders[i], entries.places[i]), all)};
        body(entry);
        entry[0] = inverted(entry[0], all);
        entries.put(i, order_in(entry[0]), place_of(entry[0]));
    }
    __syncthreads();
}

// Sorts entries by a bitonic network: a power of two, and at least LANES. Steps between warps are in shared memory.
__device__ __forceinline__ void sort_entries(const Entries& entries, u32 size) {
    by_warps(entries, size, size > LANES ? LANES : 0, [](Entry(&entry)[1]) { sort_in_lanes<LANES>(entry); });
#pragma unroll 1
    for (u32 block = 2 * LANES; block <= size; block *= 2) {
#pragma unroll 1
        for (u32 step = block / 2; step >= LANES; step /= 2) {
#pragma unroll 1
            for (u32 i = threadIdx.x; i < size / 2; i += THREADS) {
                const u32 low = 2 * i - (i & (step - 1)), high = low + step;
                const Entry one = entry_of(entries.orders[low], entries.places[low]);
                const Entry other = entry_of(entries.orders[high], entries.places[high]);
                if (other < one == !(low & block)) {
                    entries.put(low, order_in(other), place_of(other));
                    entries.put(high, order_in(one), place_of(one));
                }
            }
            __syncthreads();
        }
        by_warps(entries, size, block, [](Entry(&entry)[1]) { merge_in_lanes(entry, LANES, lane_of()); });
    }
}

// Sorts the first `held` entries, and fills up with entries that come last.
__device__ __forceinline__ void sort_held(const Entries& entries, u32 held, bool by_places) {
    u32 size = LANES;
    while (size < held) size *= 2;
    for (u32 i = threadIdx.x; i < size; i += THREADS) {
        if (i >= held) entries.put(i, (RAW)~(RAW)0, ~0u);
        else if (by_places) entries.orders[i] = 0;
    }
    __syncthreads();
    sort_entries(entries, size);
}

#ifndef RESIDENT
#define RESIDENT (1024 / THREADS)  // blocks of a multiprocessor
#endif

extern "C" __global__ void __launch_bounds__(THREADS, RESIDENT)
    row_firsts_by_block(const RAW* keys, u64 rows, u32 length, u64 row_step, u32 inner, u32 count, u32 in_order,
                        RAW* values, long long* indices, u32 samples, float wide) {
    __shared__ Shared s;
    RAW* orders = (RAW*)(memory + BINS / 2);
    const Entries entries{(u32*)(orders + MOST), orders};
#pragma unroll 1
    for (u64 at = blockIdx.x; at < rows; at += gridDim.x) {
        const Row row{keys + at * row_step, length};
        __syncthreads();
        const RowSample sample{row, samples, samples <= KEPT ? orders : nullptr};
        sample.read();
        const Bound bound = sampled_bound(s, sample, count, wide);
        u32 held;
        if (bound.tied) {
            held = stage_tied(s, row, bound.order, count, entries);
        } else {
            const Last last(bound.order);
            held = stage(s, row, MOST, entries, [&](Compared key) { return last.has_upto(key); });
        }
        if (held < count || held > MOST) {
            __syncthreads();
            collect(s, row, count, entries);
            held = count;
        }
        sort_held(entries, held, false);
        if (!in_order) sort_held(entries, count, true);
        for (u32 i = threadIdx.x; i < count; i += THREADS) {
            const u64 to = ((u64)((u32)at / inner) * count + i) * inner + (u32)at % inner;
            indices[to] = entries.places[i], values[to] = row.keys[entries.places[i]];
        }
    }
}
