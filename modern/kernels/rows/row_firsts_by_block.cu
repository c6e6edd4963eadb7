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
// Row i begins at keys + i * row_step. BY is an order, 0 to 2. NEAR: rows have at most 2¹⁶ keys. `values` and `places`
// are (outer, count, inner). Rows of fewer than 2³² keys, `count` at most MOST, a power of two. Shared memory: 16 bytes
// for each thread; and MOST entries, or a sample of up to KEPT loads if that is larger.

#include "keys.cuh"
#include "top_keys.cuh"
#include "code_ranges.cuh"
#include "sampled_load.cuh"
#include "row_firsts.cuh"

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

// Stages the keys before a code, and as many of its first equals as are missing; returns how many keys these are,
// which may be too few, or more than MOST.
__device__ __noinline__ u32 stage_tied(Shared& s, const Row& row, RAW order, u32 count, const Entries& entries) {
    const Last last(order);
    u32* places = entries.places + MOST - count;
    const u32 equals = put_equals(row, last, count, 0, places);
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
        const Bound bound = sampled_bound(s, sample, count, MOST / 4, wide);
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
