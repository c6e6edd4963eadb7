// Radix sort of rows, tile by tile. A tile is a part of one row that a block of THREADS holds in its registers, ITEMS
// keys in each thread. Digits have 8 bits. The sorted numbers are flipped keys.

#include "flipped_keys.cuh"

#define BINS 256
#define WARPS (THREADS / LANES)
#define TILE (THREADS * ITEMS)

union Shared {
    u32 counts[WARPS][BINS];
    RAW keys[TILE];
#if PAIRS
    u32 beside[TILE];
#endif
};

__device__ __forceinline__ u32 digit_of(RAW key, u32 shift) { return (u32)(key >> shift) & (BINS - 1); }

// The place of a tile: its row, and its first key there. All tiles of a row but the last have equal lengths.
struct Tile {
    u64 start;  // of the row
    u32 first, size;

    __device__ Tile(u32 length, u32 tiles, u32 most) {
        start = (u64)(blockIdx.x / tiles) * length;
        first = blockIdx.x % tiles * most;
        size = length - first < most ? length - first : most;
    }
    // The place in the tile of a thread's key. Each warp has consecutive keys, LANES at a time.
    __device__ __forceinline__ u32 place(u32 item) const {
        return threadIdx.x / LANES * LANES * ITEMS + item * LANES + threadIdx.x % LANES;
    }
};

// Loads the keys of a tile, PAD behind its end, and flips them if they are `raw`.
__device__ __forceinline__ void load_tile(RAW (&held)[ITEMS], const RAW* keys, const Tile& tile, bool raw) {
    const RAW* from = keys + tile.start + tile.first;
    UNROLLED for (int i = 0; i < ITEMS; ++i) {
        held[i] = PAD;
        if (tile.place(i) < tile.size) held[i] = raw ? flip(from[tile.place(i)]) : from[tile.place(i)];
    }
}

// Writes the numbers of a tile to their places in shared memory.
template <class Number>
__device__ __forceinline__ void scatter(const Number (&held)[ITEMS], const u32 (&places)[ITEMS], Number* room) {
    __syncthreads();
    UNROLLED for (int i = 0; i < ITEMS; ++i) room[places[i]] = held[i];
    __syncthreads();
}

// Moves the numbers of a tile to their places in it.
template <class Number>
__device__ __forceinline__ void reorder(Number (&held)[ITEMS], const u32 (&places)[ITEMS], Number* room, const Tile& tile) {
    scatter(held, places, room);
    UNROLLED for (int i = 0; i < ITEMS; ++i) held[i] = room[tile.place(i)];
    __syncthreads();
}

// The lanes that have the same digit, by a vote on each bit. (The time of __match_any_sync grows with
// the number of different digits.)
__device__ __forceinline__ u32 peers_of(u32 digit) {
    u32 peers = FULL;
    UNROLLED for (int bit = 0; bit < 8; ++bit) {
        const bool set = digit >> bit & 1;
        const u32 votes = __ballot_sync(FULL, set);
        peers &= set ? votes : ~votes;
    }
    return peers;
}

// Finds the place of each key of the tile in the order of digits; keys with equal digits keep their
// order. `counts` has WARPS rows of BINS; `starts` receives the first place of each digit.
__device__ __forceinline__ void rank_tile(const RAW (&keys)[ITEMS], u32 shift, u32 (&places)[ITEMS],
                                          u32 (*counts)[BINS], u32* starts) {
    u32* mine = counts[threadIdx.x / LANES];
    for (u32 bin = threadIdx.x % LANES; bin < BINS; bin += LANES) mine[bin] = 0;
    __syncwarp();
    const u32 lanes_before = (1u << threadIdx.x % LANES) - 1;
    UNROLLED for (int i = 0; i < ITEMS; ++i) {
        const u32 digit = digit_of(keys[i], shift), peers = peers_of(digit);
        const u32 passed = mine[digit], before = __popc(peers & lanes_before);
        __syncwarp();
        if (!before) mine[digit] = passed + __popc(peers);
        __syncwarp();
        places[i] = passed + before;
    }
    __syncthreads();
    u32 total = 0;
    if (threadIdx.x < BINS)
        for (int warp = 0; warp < WARPS; ++warp) {
            const u32 here = counts[warp][threadIdx.x];
            counts[warp][threadIdx.x] = total, total += here;
        }
    const u32 start = before_in_block(total);
    if (threadIdx.x < BINS) starts[threadIdx.x] = start;
    __syncthreads();
    UNROLLED for (int i = 0; i < ITEMS; ++i) {
        const u32 digit = digit_of(keys[i], shift);
        places[i] += starts[digit] + mine[digit];
    }
}
