// Long rows: sorts the first keys among those that were staged, or among those of the whole row where too few or too
// many were (long_firsts.cuh).
//
// A column of blocks has one row after the other. Few staged keys are sorted by its first block; of many, this block
// finds the code of the last one before. If the bound was wrong, all blocks find the code in the row, and stage the
// keys before it: its equals by parts, as they go by their places. `readers` is the number of blocks of
// long_firsts_read. Each block has a list of `count` places in `own_equals`. Blocks of 1,024 threads, which all run
// at the same time. Shared memory: 16 bytes for each thread, and HELD entries.

#include "long_firsts.cuh"

__device__ __forceinline__ u32 fresh_place(const u32* place) { return *(const volatile u32*)place; }

// The lists of equals of a row, in the order of their places.
struct Equals {
    const u32 *places, *counts;
    u32 lists, count;  // `count` places of each list

    // Sets where each list begins among all equals; returns how many these are.
    __device__ __forceinline__ u32 begin(u32* starts) const {
        __shared__ u32 all;
        const u32 total = before_this(threadIdx.x < lists ? fresh_place(counts + threadIdx.x) : 0, &all);
        __syncthreads();
        starts[threadIdx.x] = total;
        __syncthreads();
        const u32 found = all;
        __syncthreads();
        return found;
    }

    // Puts the first equals behind other entries.
    __device__ __forceinline__ void put(const u32* starts, u32 wanted, RAW order, const Entries& to, u32 at) const {
        for (u32 list = threadIdx.x / LANES; list < lists; list += THREADS / LANES) {
            const u32 held = fresh_place(counts + list), start = starts[list];
            for (u32 i = threadIdx.x % LANES; i < held && start + i < wanted; i += LANES)
                to.put(at + start + i, order, fresh_place(places + (u64)list * count + i));
        }
        __syncthreads();
    }
};

// The orders of the staged keys of a row.
struct Orders {
    const RAW* orders;
    u32 count;
    template <class Body>
    __device__ __forceinline__ void operator()(Body body) const {
#pragma unroll 4
        for (u32 i = threadIdx.x; i < count; i += THREADS) body(orders[i]);
    }
};

// What all threads of a block share.
struct Found : Shared {
    u32 starts[THREADS];
};

// The staged keys of a row whose orders are up to a code, behind each other; returns how many these are.
__device__ __forceinline__ u32 take(Shared& s, const RAW* keys, const u32* places, u32 staged, RAW last,
                                    const Entries& to) {
    __syncthreads();
    if (!threadIdx.x) s.staged = 0;
    __syncthreads();
    for (u32 i = threadIdx.x; i < staged; i += THREADS) {
        const u32 place = fresh_place(places + i);
        const RAW order = order_of(keys[place]);
        if (order <= last) to.put(atomicAdd(&s.staged, 1u), order, place);
    }
    __syncthreads();
    return s.staged;
}

// Narrows to the code of a rank. Returns it; s.range[0] tells how many keys have it.
template <class Narrow>
__device__ __forceinline__ RAW found_code(Shared& s, u32 rank, u64 n, Narrow narrow) {
    __syncthreads();
    if (!threadIdx.x) {
        s.rank[0] = s.rank[1] = rank;
        s.range[0] = s.range[1] = {0, (RAW)~(RAW)0, 0, n};
    }
    __syncthreads();
    narrow();
    return s.range[0].first;
}

extern "C" __global__ void __launch_bounds__(THREADS, 1)
    long_firsts_found(const RAW* keys, u32 rows, u32 length, u64 row_step, u32 inner, u32 count, u32 in_order,
                      RAW* values, long long* indices, u32 pieces, u32 readers, Job* jobs, RAW* orders, u32* places,
                      u32 room, const u32* equals, const u32* equal_counts, u32* own_equals, u32* own_counts,
                      Column* columns) {
    __shared__ Found s;
    RAW* own = (RAW*)(memory + BINS / 2);
    const Entries held{(u32*)(own + HELD), own};
    Together together{columns + blockIdx.y};
    const u64 block = blockIdx.y * gridDim.x + blockIdx.x;
#pragma unroll 1
    for (u32 row = blockIdx.y; row < rows; row += gridDim.y) {
        __syncthreads();
        const RAW* all = keys + row * row_step;
        Job& job = jobs[row];
        const Room list{{places + (u64)row * room, orders + (u64)row * room}, room, &job.collected};
        const u32 first = block_of(row * pieces, rows * pieces, readers);
        const u32 lists = block_of((row + 1) * pieces - 1, rows * pieces, readers) - first + 1;
        Equals ties{equals + (u64)(first + row) * count, equal_counts + first + row, lists, count};
        u32 staged = job.staged;
        RAW last = (RAW)job.order;
        u32 more = job.tied ? ties.begin(s.starts) : 0;
        bool hit = staged <= room && staged + more >= count;
        if (hit && staged > HELD) {
            const Orders source{list.entries.orders, staged};
            last = found_code(s, count - 1, staged, [&] {
                while (!s.range[0].is_one()) narrow_alone(s.range, s.rank, source);
            });
            hit = s.range[0].before + s.range[0].here <= HELD;
        }
        if (!hit) {
            last = found_code(s, count - 1, length, [&] { together.narrow(s.range, s.rank, Shares{all, length}); });
            const u32 from = pieces * blockIdx.x / gridDim.x, upto = pieces * (blockIdx.x + 1) / gridDim.x;
            const u32 start = start_of(all, length, from, pieces), end = start_of(all, length, upto, pieces);
            u32* own_places = own_equals + block * count;
            const u32 found = put_equals({all + start, end - start}, Last(last), count, start, own_places);
            stage_bounded(s, held, list, {all, length}, 0, {last, true});
            if (!threadIdx.x) own_counts[block] = found;
            together.wait();
            ties = {own_equals + (block - blockIdx.x) * count, own_counts + (block - blockIdx.x), gridDim.x, count};
            staged = fresh_place(&job.collected), more = ties.begin(s.starts);
        }
        if (blockIdx.x) continue;
        u32 entries = take(s, all, list.entries.places, staged, last, held);
        if (more && entries < count) {
            ties.put(s.starts, count - entries, last, held, entries);
            entries = entries + more < count ? entries + more : count;
        }
        sort_held(held, entries, false);
        if (!in_order) sort_held(held, count, true);
        for (u32 i = threadIdx.x; i < count; i += THREADS) {
            const u64 to = ((u64)(row / inner) * count + i) * inner + row % inner;
            indices[to] = held.places[i], values[to] = all[held.places[i]];
        }
    }
}
