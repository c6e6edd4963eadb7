// Moves the keys of each tile to their places in the row by one digit; keys with equal digits keep their order. Reads
// and writes every key once. One block of THREADS for each tile. `from_raw`, `to_raw`: 1 if the keys that are read, or
// written, are as in the array; 0 if they are flipped. With PAIRS, a number `beside` each key moves with it.

#include "keys.cuh"
#include "row_tiles.cuh"

extern "C" __global__ void __launch_bounds__(THREADS, 2)
    row_sort_move(const RAW* keys, u32 length, u32 tiles, u32 most, u32 shift, u32 from_raw, u32 to_raw,
               const u32* begins, RAW* moved, const u32* beside, u32* moved_beside) {
    __shared__ Shared shared;
    __shared__ u32 starts[BINS], offsets[BINS];
    const Tile tile(length, tiles, most);
    RAW held[ITEMS];
    load_tile(held, keys, tile, from_raw);
    u32 begin = 0;
    if (threadIdx.x < BINS) begin = begins[(u64)blockIdx.x * BINS + threadIdx.x];
    u32 places[ITEMS];
    rank_tile(held, shift, places, shared.counts, starts);
    if (threadIdx.x < BINS) offsets[threadIdx.x] = begin - starts[threadIdx.x];
    scatter(held, places, shared.keys);
    u32 to[ITEMS];
    UNROLLED for (int i = 0; i < ITEMS; ++i) {
        const u32 place = i * THREADS + threadIdx.x;
        if (place < tile.size) {
            const RAW key = shared.keys[place];
            to[i] = offsets[digit_of(key, shift)] + place;
            moved[tile.start + to[i]] = to_raw ? unflip(key) : key;
        }
    }
#if PAIRS
    __syncthreads();
    beside += tile.start + tile.first;
    UNROLLED for (int i = 0; i < ITEMS; ++i)
        if (tile.place(i) < tile.size) shared.beside[places[i]] = beside[tile.place(i)];
    __syncthreads();
    UNROLLED for (int i = 0; i < ITEMS; ++i) {
        const u32 place = i * THREADS + threadIdx.x;
        if (place < tile.size) moved_beside[tile.start + to[i]] = shared.beside[place];
    }
#endif
}
