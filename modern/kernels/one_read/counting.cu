// counting, ours: a counter for every value, first kernel. Counts the symbols of all keys (symbols.cuh), by
// one read. Two more kernels add up the counters of all blocks, and find ranks among them.
//
// A counter has 16 bits. The first tile shows how soon the largest will be full; before that, the counters
// are added to `full`, in global memory. A sample can mislead, so this is proved: a counter that overflows
// changes the sum of all, and then the same keys are read again, in small steps that cannot overflow. The
// two symbols that fill a large part of the first tile are counted in registers.
//
// `rows` gets the counters of each block. Keys of 1 byte beside the whole loads are left out. At most one
// block of 1,024 threads for each multiprocessor, each with 128 KiB of shared memory.

#include "keys.cuh"
#include "symbols.cuh"

#define EACH 8                          // symbols of a load
#define TILE (THREADS * UNROLL)         // loads
#define IN_TILE (TILE * EACH)           // symbols
#define SAFE (65535 / IN_TILE)          // tiles that cannot overflow
#define NONE SYMBOLS                    // no symbol
#define HEAVY (IN_TILE / 8)             // a symbol that fills so much of a tile is counted in registers

extern __shared__ u32 words[];

struct Hot {
    u32 symbol[2], count[2];
};

__device__ __forceinline__ void count_symbols(u32 symbol, u32 times) {
    atomicAdd(&words[word_of(symbol)], symbol & 1 ? times << 16 : times);
}

template <bool HOT>
__device__ __forceinline__ void count_load(const Load& loaded, Hot& hot) {
    const u32 pairs[] = {loaded.words.x, loaded.words.y, loaded.words.z, loaded.words.w};
    const u32 first = pairs[0] & 0xffff;
    const bool same = pairs[0] == pairs[1] && pairs[1] == pairs[2] && pairs[2] == pairs[3];
    if (same && first == pairs[0] >> 16) {  // as in sorted keys: otherwise a warp waits for one word
        if (HOT && first == hot.symbol[0]) hot.count[0] += EACH;
        else if (HOT && first == hot.symbol[1]) hot.count[1] += EACH;
        else count_symbols(first, EACH);
        return;
    }
#pragma unroll
    for (int i = 0; i < EACH; ++i) {
        const u32 symbol = i % 2 ? pairs[i / 2] >> 16 : pairs[i / 2] & 0xffff;
        if (HOT) {
            const bool one = symbol == hot.symbol[0], other = symbol == hot.symbol[1];
            hot.count[0] += one, hot.count[1] += other;
            if (one || other) continue;
        }
        count_symbols(symbol, 1);
    }
}

// Counts the tiles from one to another of this block's.
template <bool HOT>
__device__ __forceinline__ void count_tiles(const RAW* keys, u64 first, u64 end, Hot& hot) {
    const auto load_of = [&](u64 tile, int j) {
        return load(keys, (blockIdx.x + tile * gridDim.x) * TILE + j * THREADS + threadIdx.x);
    };
    Load next[UNROLL];
#pragma unroll
    for (int j = 0; j < UNROLL; ++j)
        if (first < end) next[j] = load_of(first, j);
    for (u64 tile = first; tile < end; ++tile) {
        Load loaded[UNROLL];
#pragma unroll
        for (int j = 0; j < UNROLL; ++j) loaded[j] = next[j];
#pragma unroll
        for (int j = 0; j < UNROLL; ++j)
            if (tile + 1 < end) next[j] = load_of(tile + 1, j);
#pragma unroll
        for (int j = 0; j < UNROLL; ++j) count_load<HOT>(loaded[j], hot);
    }
}

// Adds a number of each thread; every thread gets the sum.
__device__ __forceinline__ u64 sum_of_block(u64 mine) {
    __shared__ u64 sum;
    __syncthreads();
    if (!threadIdx.x) sum = 0;
    mine = warp_sum(mine);
    __syncthreads();
    if (!(threadIdx.x % LANES)) atomicAdd(&sum, mine);
    __syncthreads();
    return sum;
}

// The sum of all counters, for every thread.
__device__ __forceinline__ u64 sum_of_counters() {
    __syncthreads();
    u64 mine = 0;
    for (u32 i = threadIdx.x; i < WORDS; i += THREADS) mine += (words[i] & 0xffff) + (words[i] >> 16);
    return sum_of_block(mine);
}

// The largest counter and its symbol, except that of one symbol: the counter in the upper 16 bits.
__device__ __forceinline__ u32 largest_but(u32 left_out) {
    __shared__ u32 largest;
    __syncthreads();
    if (!threadIdx.x) largest = 0;
    __syncthreads();
    u32 mine = 0;
    for (u32 word = threadIdx.x; word < WORDS; word += THREADS) {
        const u32 both = words[word_of(2 * word)];
        if (2 * word != left_out) mine = max(mine, both << 16 | 2 * word);
        if (2 * word + 1 != left_out) mine = max(mine, (both & 0xffff0000) | 2 * word + 1);
    }
    atomicMax(&largest, mine);
    __syncthreads();
    return largest;
}

__device__ __forceinline__ void clear() {
    for (u32 i = threadIdx.x; i < WORDS; i += THREADS) words[i] = 0;
    __syncthreads();
}

// Adds the counters to `full`, and clears them.
__device__ __forceinline__ void empty(u64* full) {
    for (u32 word = threadIdx.x; word < WORDS; word += THREADS) {
        const u32 both = words[word_of(2 * word)];
        if (both & 0xffff) atomicAdd(&full[2 * word], (u64)(both & 0xffff));
        if (both >> 16) atomicAdd(&full[2 * word + 1], (u64)(both >> 16));
    }
    __syncthreads();
    clear();
}

// Clears the counters, and counts what is beside the whole tiles. Returns how many symbols that are.
__device__ __forceinline__ u64 begin(const RAW* keys, u64 n) {
    const u64 head = head_of(keys, n), loads = (n - head) / PER_LOAD, tiles = loads / TILE;
    Hot none{{NONE, NONE}, {0, 0}};
    u32 counted = 0;
    clear();
    for (u64 i = tiles * TILE + (u64)blockIdx.x * THREADS + threadIdx.x; i < loads; i += (u64)gridDim.x * THREADS)
        count_load<false>(load(keys + head, i), none), counted += EACH;
#if KEY_BYTES == 2
    if (!blockIdx.x) {
        const u64 tail = head + loads * PER_LOAD;
        if (threadIdx.x < head) count_symbols(keys[threadIdx.x], 1), ++counted;
        if (tail + threadIdx.x < n) count_symbols(keys[tail + threadIdx.x], 1), ++counted;
    }
#endif
    return sum_of_block(counted);
}

extern "C" __global__ void __launch_bounds__(THREADS, 1) counting(const RAW* keys, u64 n, u32* rows, u64* full) {
    const u64 head = head_of(keys, n), tiles = (n - head) / PER_LOAD / TILE;
    const u64 mine = tiles > blockIdx.x ? (tiles - blockIdx.x - 1) / gridDim.x + 1 : 0;
    Hot hot{{NONE, NONE}, {0, 0}};
    u64 from = 0, step = 1, held = begin(keys, n);  // held: symbols in the counters
    bool begins = true;                             // nothing is in `full`
    while (from < mine) {
        const u64 end = from + step < mine ? from + step : mine;
        const Hot before = hot;
        if (hot.symbol[0] != NONE) count_tiles<true>(keys + head, from, end, hot);
        else count_tiles<false>(keys + head, from, end, hot);
        const u64 in_registers = sum_of_block(hot.count[0] - before.count[0] + hot.count[1] - before.count[1]);
        held += (end - from) * IN_TILE - in_registers;
        if (sum_of_counters() != held) {
            if (begins) from = 0, held = begin(keys, n);
            else held = 0, clear();
            step = SAFE, hot = before;
            continue;
        }
        if (step == 1) {
            const u32 most = largest_but(NONE), second = largest_but(most & 0xffff);
            const bool heavy = most >> 16 > HEAVY;
            if (heavy) hot.symbol[0] = most & 0xffff;
            if (heavy && second >> 16 > HEAVY) hot.symbol[1] = second & 0xffff;
            const float left = heavy ? (second >> 16 > HEAVY ? HEAVY : second >> 16) : most >> 16;
            step = max(SAFE, (u32)(49152 / (left + 6 * sqrtf(left) + 16)));
        }
        from = end;
        if (from < mine && (step < mine || !begins)) empty(full), held = 0, begins = false;
    }
    for (int i = 0; i < 2; ++i) {
        const u64 here = sum_of_block(hot.count[i]);
        if (!threadIdx.x && here) atomicAdd(&full[hot.symbol[i]], here);
    }
    for (u32 i = threadIdx.x; i < WORDS; i += THREADS) rows[(u64)blockIdx.x * WORDS + i] = words[i];
}
