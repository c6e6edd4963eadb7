// The first keys of each row in an order, and their places, by a sort of the row in shared memory (row_tiles.cuh).
//
// Reads every key once. A block of THREADS for each row of up to TILE keys, which begin `row_step` keys apart. With
// TAKEN, sorts `length` codes of each row with their places, which are rows without gaps. HIGHEST: equal keys come
// from the highest place on; codes that are given are in this order already. `values` and `indices` are rows of `count`.

#include "keys.cuh"
#include "told.cuh"
#include "row_tiles.cuh"

union Shared {
    u32 counts[WARPS][BINS];
    RAW codes[TILE];
    u32 places[TILE];
};

template <class Number>
__device__ __forceinline__ void exchange(Number (&held)[ITEMS], const u32 (&to)[ITEMS], Number* room, const Tile& row) {
    __syncthreads();
#pragma unroll
    for (int i = 0; i < ITEMS; ++i) room[to[i]] = held[i];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < ITEMS; ++i) held[i] = room[row.place(i)];
}

extern "C" __global__ void __launch_bounds__(THREADS, ITEMS > 8 ? 1 : 2)
    row_firsts_in_block(const RAW* keys, u64 row_step, u32 length, const RAW* codes, const u32* places, u32 count,
                        RAW* values, long long* indices) {
    __shared__ Shared shared;
    __shared__ u32 starts[BINS];
    const Tile row(length, 1, length);
    const RAW* own = keys + (u64)blockIdx.x * row_step;
    RAW held[ITEMS];
    u32 known[ITEMS];
#pragma unroll
    for (int i = 0; i < ITEMS; ++i) {
        const u32 place = row.place(i);
        held[i] = PAD, known[i] = 0;
        if (place >= length) continue;
        known[i] = TAKEN ? places[row.start + place] : HIGHEST ? length - 1 - place : place;
        held[i] = TAKEN ? codes[row.start + place] : order_of(own[known[i]]);
    }
#pragma unroll 1
    for (u32 shift = 0; shift < KEY_BITS; shift += 8) {
        u32 to[ITEMS];
        rank_tile(held, shift, to, shared.counts, starts);
        exchange(held, to, shared.codes, row);
        exchange(known, to, shared.places, row);
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < ITEMS; ++i) {
        const u64 at = (u64)blockIdx.x * count + row.place(i);
        if (row.place(i) < count) values[at] = key_at(own, held[i], known[i]), indices[at] = known[i];
    }
}
