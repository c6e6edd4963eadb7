// Copies the keys from `first` to `last`, in any order, and counts them. NANS: 1 copies all that is
// not below `first`, 2 copies NaNs alone. BUCKETS: copies the keys whose buckets have a flag;
// PREFIXES: those whose codes, shifted, are in a table.
//
// Reads every key once and writes the chosen ones once. A block gathers them in shared memory and
// reserves room for thousands at a time, so there is one global atomic for each few tiles. THREADS
// threads a block. What would not fit into `room` is counted and not written.

#include "keys.cuh"
#if BUCKETS
#include "buckets.cuh"
#endif
#include "prefixes.cuh"

#define TILE (THREADS * UNROLL * PER_LOAD)
#define HELD (2 * TILE)

// Comparing twice is cheaper than remembering; projecting twice is not.
#if BUCKETS || PREFIXES
#define WANTED_AGAIN(j, k) (wanted >> (j * PER_LOAD + k) & 1)
#else
#define WANTED_AGAIN(j, k) is_wanted(loaded[j].keys[k])
#endif

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
            u64* count, const u64* table, u32 last_interval, u32 per_interval, const u32* flags) {
    extern __shared__ RAW held[];
    __shared__ u32 filled;
    __shared__ u64 place;
    const VALUE first = value_of(first_bits), last = value_of(last_bits);
#if PREFIXES
    const RAW* prefixes = (const RAW*)table;
#endif
    const auto is_wanted = [&](RAW bits) {
        const VALUE key = value_of(bits);
#if NANS == 2
        return key != key;
#elif NANS
        return !(key < first);
#elif PREFIXES
        const RAW code = encode(bits);
        const RAW prefix = last_interval < KEY_BITS ? (RAW)(code >> last_interval) : (RAW)0;
        return place_among(prefixes, per_interval, prefix) < per_interval;
#elif BUCKETS
        if (!(key >= first && key <= last)) return false;
        const u32 bucket = bucket_of(bits, encode(bits), last_interval, per_interval);
        return (bool)(flags[bucket / 32] >> bucket % 32 & 1);
#else
        return key >= first && key <= last;
#endif
    };

#if BUCKETS
    load_intervals(table);
#endif
    if (!threadIdx.x) filled = 0;
    __syncthreads();
    const u64 head = head_of(keys, n), loads = (n - head) / PER_LOAD;
    const u64 tail = head + loads * PER_LOAD;
    if (!blockIdx.x && threadIdx.x < 2 * PER_LOAD) {  // those before and after the whole loads
        const u64 i = threadIdx.x < PER_LOAD ? threadIdx.x : tail + threadIdx.x - PER_LOAD;
        if (i < (threadIdx.x < PER_LOAD ? head : n) && is_wanted(keys[i]))
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
        u32 kept = 0, end = 0, wanted = 0;
#pragma unroll
        for (int j = 0; j < UNROLL; ++j)
            if (j * THREADS < left)
#pragma unroll
                for (int k = 0; k < PER_LOAD; ++k)
                    if (is_wanted(loaded[j].keys[k])) ++kept, wanted |= 1u << (j * PER_LOAD + k);
        if (__any_sync(FULL, kept)) {
            const u32 before = scanned(kept);
            u32 base = 0;
            if (threadIdx.x % LANES == LANES - 1) base = atomicAdd(&filled, before + kept);
            base = __shfl_sync(FULL, base, LANES - 1) + before;
            end = base + kept;
#pragma unroll
            for (int j = 0; j < UNROLL; ++j)
                if (j * THREADS < left)
#pragma unroll
                    for (int k = 0; k < PER_LOAD; ++k)
                        if (WANTED_AGAIN(j, k)) held[base++] = loaded[j].keys[k];
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
