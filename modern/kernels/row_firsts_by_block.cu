// The first keys of each row in an order, and their places: one block for each row (modern/rows/cuda_top.py). Of
// equal keys those at the lowest places.
//
// 1. Sample: each thread takes `samples` loads of 16 bytes at hashed places of the row.
// 2. Bound: the code behind the sample's rank of `count`, `wide` standard errors away, by histograms.
// 3. One read: keys up to the bound are staged with their places, in shared memory.
// 4. If they are at least `count`, and fit, a bitonic network sorts them. Otherwise the code of the last rank is
//    found by a read for each histogram, and one more read collects the keys in the order of their places.
//
// Row i begins at keys + i * row_step. BY is an order, 0 to 2. `values` and `places` are (outer, count, inner).
// Rows of fewer than 2³² keys, `count` at most MOST, a power of two. Shared memory: 16 bytes for each thread, and
// MOST entries.

#include "keys.cuh"
#include "top_keys.cuh"
#include "code_ranges.cuh"
#include "sampled_load.cuh"

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

// The bound of the keys to stage: all of them, if the sample is too small.
__device__ __forceinline__ RAW sampled_bound(Shared& s, const RowSample& sample, u32 count, float wide) {
    const u64 sampled = (u64)sample.samples * THREADS * PER_LOAD;
    const float middle = (float)count * (float)sampled / (float)sample.row.n;
    const float aimed = middle + wide * sqrtf(middle) + wide * wide;
    if (aimed >= (float)sampled) return (RAW)~(RAW)0;
    if (!threadIdx.x) {
        s.rank[0] = s.rank[1] = (u64)aimed;
        s.range[0] = s.range[1] = {0, (RAW)~(RAW)0, 0, sampled};
    }
    __syncthreads();
    while (!s.range[0].is_one() && s.range[0].here > 1 + (u64)aimed / 8)
        narrow_alone(s.range, s.rank, sample);
    return s.range[0].last;
}

// Calls body(bits, place) for every key of the row.
template <class Body>
__device__ __forceinline__ void each_place(const Row& row, Body body) {
    const u32 head = (u32)head_of(row.keys, row.n), loads = (u32)((row.n - head) / PER_LOAD);
    const u32 tail = head + loads * PER_LOAD;
    if (threadIdx.x < head) body(row.keys[threadIdx.x], threadIdx.x);
    if (tail + threadIdx.x < row.n) body(row.keys[tail + threadIdx.x], tail + threadIdx.x);
#pragma unroll 4
    for (u32 i = threadIdx.x; i < loads; i += THREADS) {
        const Load loaded = load(row.keys + head, i);
#pragma unroll
        for (int k = 0; k < PER_LOAD; ++k) body(loaded.keys[k], head + i * PER_LOAD + k);
    }
}

// Stages the keys up to a bound; returns how many there are, which may be more than MOST.
__device__ __forceinline__ u32 stage(Shared& s, const Row& row, RAW bound, const Entries& entries) {
    if (!threadIdx.x) s.staged = 0;
    __syncthreads();
    each_place(row, [&](RAW bits, u32 place) {
        const RAW order = order_of(bits);
        if (order > bound) return;
        const u32 at = atomicAdd(&s.staged, 1u);
        if (at < MOST) entries.put(at, order, place);
    });
    __syncthreads();
    return s.staged;
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
            const u32 before = passed + before_in_block((u32)equal);
            wanted = wanted || equal && before < equals;
            __shared__ u32 upto;
            if (threadIdx.x == THREADS - 1) upto = before + equal;
            __syncthreads();
            passed = upto;
        }
        if (wanted) entries.put(atomicAdd(&s.staged, 1u), order, (u32)place);
    }
    __syncthreads();
}

// Sorts entries of a power of two: by codes and places, or by places only.
__device__ __forceinline__ void sort_entries(const Entries& entries, u32 size, bool by_places) {
    for (u32 block = 2; block <= size; block *= 2)
        for (u32 step = block / 2; step; step /= 2) {
            for (u32 i = threadIdx.x; i < size / 2; i += THREADS) {
                const u32 low = 2 * i - (i & (step - 1)), high = low + step;
                const RAW order = entries.orders[low], other = entries.orders[high];
                const u32 place = entries.places[low], at = entries.places[high];
                const bool same = by_places || order == other;
                const bool behind = same ? place > at : order > other;
                if (behind == !(low & block)) entries.put(low, other, at), entries.put(high, order, place);
            }
            __syncthreads();
        }
}

// Sorts the first `held` entries, and fills up with entries that come last.
__device__ __forceinline__ void sort_held(const Entries& entries, u32 held, bool by_places) {
    u32 size = 2;
    while (size < held) size *= 2;
    for (u32 i = held + threadIdx.x; i < size; i += THREADS) entries.put(i, (RAW)~(RAW)0, ~0u);
    __syncthreads();
    sort_entries(entries, size, by_places);
}

extern "C" __global__ void __launch_bounds__(THREADS)
    row_firsts_by_block(const RAW* keys, u64 rows, u32 length, u64 row_step, u32 inner, u32 count, u32 in_order,
                        RAW* values, long long* indices, u32 samples, float wide) {
    __shared__ Shared s;
    RAW* orders = (RAW*)(memory + BINS / 2);
    const Entries entries{(u32*)(orders + MOST), orders};
#pragma unroll 1
    for (u64 at = blockIdx.x; at < rows; at += gridDim.x) {
        const Row row{keys + at * row_step, length};
        __syncthreads();
        u32 held = stage(s, row, sampled_bound(s, RowSample{row, samples}, count, wide), entries);
        if (held < count || held > MOST) {
            __syncthreads();
            collect(s, row, count, entries);
            held = count;
        }
        sort_held(entries, held, false);
        if (!in_order) sort_held(entries, count, true);
        for (u32 i = threadIdx.x; i < count; i += THREADS) {
            const u64 to = (at / inner * count + i) * inner + at % inner;
            indices[to] = entries.places[i], values[to] = row.keys[entries.places[i]];
        }
    }
}
