// Compaction: copies some of the keys, in any order. A block gathers them in shared memory and
// reserves room for thousands at a time, so there is one global atomic for several tiles. A block has
// THREADS threads, and shared memory for 2 × TILE keys.
//
// `filter` decides which keys are copied: wants(key) is called once, and again(key, wanted) when the key
// is stored in shared memory. `sink` writes the keys that a block holds.

#include "totals.cuh"
#include "scan.cuh"

#define TILE (THREADS * UNROLL * PER_LOAD)
#define HELD (2 * TILE)

__device__ __forceinline__ void load_tile(Load (&loaded)[UNROLL], const RAW* keys, u64 loads,
                                          u64 tile) {
#pragma unroll
    for (int j = 0; j < UNROLL; ++j) {
        const u64 i = (tile * UNROLL + j) * THREADS + threadIdx.x;
        if (i < loads) loaded[j] = load(keys, i);
    }
}

// Writes keys one after the other. Keys beyond `room` are counted, but not written.
struct Together {
    RAW* chosen;
    u64 room;
    u64* count;
    __device__ __forceinline__ void operator()(const RAW* held, u32 here) const {
        __shared__ u64 place;
        if (!threadIdx.x && here) place = atomicAdd(count, (u64)here);
        __syncthreads();
        for (u32 i = threadIdx.x; i < here; i += THREADS)
            if (place + i < room) chosen[place + i] = held[i];
    }
};

template <class Filter, class Sink>
__device__ __forceinline__ void compact(const RAW* keys, u64 n, Filter& filter, const Sink& sink) {
    extern __shared__ u64 memory[];
    RAW* held = (RAW*)memory;
    __shared__ u32 filled;
    if (!threadIdx.x) filled = 0;
    __syncthreads();
    const u64 head = head_of(keys, n), loads = (n - head) / PER_LOAD;
    const u64 tail = head + loads * PER_LOAD;
    if (!blockIdx.x && threadIdx.x < 2 * PER_LOAD) {  // keys before and after the whole loads
        const u64 i = threadIdx.x < PER_LOAD ? threadIdx.x : tail + threadIdx.x - PER_LOAD;
        if (i < (threadIdx.x < PER_LOAD ? head : n) && filter.wants(keys[i]))
            held[atomicAdd(&filled, 1)] = keys[i];
    }
    __syncthreads();
    keys += head;
    const u64 tiles = (loads + THREADS * UNROLL - 1) / (THREADS * UNROLL);

    Load next[UNROLL];
    load_tile(next, keys, loads, blockIdx.x);
    for (u64 tile = blockIdx.x; tile < tiles || tile == blockIdx.x; tile += gridDim.x) {
        Load loaded[UNROLL];
#pragma unroll
        for (int j = 0; j < UNROLL; ++j) loaded[j] = next[j];
        load_tile(next, keys, loads, tile + gridDim.x);

        const long long left = (long long)loads - (long long)(tile * UNROLL * THREADS + threadIdx.x);
        u32 kept = 0, end = 0;
        Bits wanted = 0;
        static_assert(UNROLL * PER_LOAD <= 8 * sizeof(Bits), "a bit for each key");
#pragma unroll
        for (int j = 0; j < UNROLL; ++j)
            if (j * THREADS < left)
#pragma unroll
                for (int k = 0; k < PER_LOAD; ++k)
                    if (filter.wants(loaded[j].keys[k]))
                        ++kept, wanted |= (Bits)1 << (j * PER_LOAD + k);
        if (__any_sync(FULL, kept)) {
            const u32 before = before_in_warp(kept);
            u32 base = 0;
            if (threadIdx.x % LANES == LANES - 1) base = atomicAdd(&filled, before + kept);
            base = __shfl_sync(FULL, base, LANES - 1) + before;
            end = base + kept;
#pragma unroll
            for (int j = 0; j < UNROLL; ++j)
                if (j * THREADS < left)
#pragma unroll
                    for (int k = 0; k < PER_LOAD; ++k)
                        if (filter.again(loaded[j].keys[k], wanted >> (j * PER_LOAD + k) & 1))
                            held[base++] = loaded[j].keys[k];
        }
        // Every thread gets the same answer. No thread may read `filled` here: others may increase it.
        const bool last_tile = tile + gridDim.x >= tiles;
        if (__syncthreads_or(end > HELD - TILE) || last_tile) {
            sink(held, filled);
            __syncthreads();
            if (!threadIdx.x) filled = 0;
            __syncthreads();
        }
    }
}
