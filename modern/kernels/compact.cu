// Copies the keys whose codes lie from `first` to `last`, in any order, and counts them.
//
// Reads every key once and writes the chosen ones once. A block gathers them in shared memory and
// reserves room for thousands at a time, so there is one global atomic for each few tiles. THREADS
// threads a block. What would not fit into `room` is counted and not written.

#include "keys.cuh"

#define TILE (THREADS * UNROLL * PER_LOAD)
#define HELD (2 * TILE)

// How many keys the lanes before this one keep.
__device__ __forceinline__ u32 scanned(u32 kept) {
    u32 sum = kept;
#pragma unroll
    for (int step = 1; step < LANES; step <<= 1) {
        const u32 other = __shfl_up_sync(FULL, sum, step);
        if (threadIdx.x % LANES >= step) sum += other;
    }
    return sum - kept;
}

__device__ __forceinline__ void load_tile(Load (&loaded)[UNROLL], const RAW* keys, u64 loads,
                                          u64 tile) {
#pragma unroll
    for (int j = 0; j < UNROLL; ++j) {
        const u64 i = (tile * UNROLL + j) * THREADS + threadIdx.x;
        if (i < loads) loaded[j] = load(keys, i);
    }
}

extern "C" __global__ void __launch_bounds__(THREADS)
    compact(const RAW* keys, u64 n, RAW first_bits, RAW last_bits, RAW* chosen, u64 room,
            u64* count) {
    extern __shared__ RAW held[];
    __shared__ u32 filled;
    __shared__ u64 place;
    const u64 loads = n / PER_LOAD, tiles = (loads + THREADS * UNROLL - 1) / (THREADS * UNROLL);
    const VALUE first = value_of(first_bits), last = value_of(last_bits);
    const auto is_wanted = [&](RAW bits) {
        const VALUE key = value_of(bits);
#if NANS
        return !(key < first);
#else
        return key >= first && key <= last;
#endif
    };

    if (!threadIdx.x) filled = 0;
    __syncthreads();
    if (!blockIdx.x && threadIdx.x < n % PER_LOAD) {  // those after the last whole load
        const RAW key = keys[loads * PER_LOAD + threadIdx.x];
        if (is_wanted(key)) held[atomicAdd(&filled, 1)] = key;
    }
    __syncthreads();

    Load next[UNROLL];
    load_tile(next, keys, loads, blockIdx.x);
    for (u64 tile = blockIdx.x; tile < tiles || tile == blockIdx.x; tile += gridDim.x) {
        Load loaded[UNROLL];
#pragma unroll
        for (int j = 0; j < UNROLL; ++j) loaded[j] = next[j];
        load_tile(next, keys, loads, tile + gridDim.x);

        u32 kept = 0, end = 0;
        const u64 left = loads - (tile * UNROLL * THREADS + threadIdx.x);
#pragma unroll
        for (int j = 0; j < UNROLL; ++j)
            if (j * THREADS < (long long)left)
#pragma unroll
                for (int k = 0; k < PER_LOAD; ++k) kept += is_wanted(loaded[j].keys[k]);
        if (__any_sync(FULL, kept)) {
            const u32 before = scanned(kept);
            u32 base = 0;
            if (threadIdx.x % LANES == LANES - 1) base = atomicAdd(&filled, before + kept);
            base = __shfl_sync(FULL, base, LANES - 1) + before;
            end = base + kept;
#pragma unroll
            for (int j = 0; j < UNROLL; ++j)
                if (j * THREADS < (long long)left)
#pragma unroll
                    for (int k = 0; k < PER_LOAD; ++k)
                        if (is_wanted(loaded[j].keys[k])) held[base++] = loaded[j].keys[k];
        }
        // all threads see the same answer, though none may read `filled`, which others raise already
        const bool last_tile = tile + gridDim.x >= tiles;
        if (__syncthreads_or(end > HELD - TILE) || last_tile) {
            const u32 now = filled;
            if (!threadIdx.x && now) place = atomicAdd(count, (u64)now);
            __syncthreads();
            for (u32 i = threadIdx.x; i < now; i += THREADS)
                if (place + i < room) chosen[place + i] = held[i];
            __syncthreads();
            if (!threadIdx.x) filled = 0;
            __syncthreads();
        }
    }
}
