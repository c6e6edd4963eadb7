// Many first keys of each row in an order (top_keys.cuh): the tiles of a row, and how a row's last one decides
// (modern/rows/cuda_sorts.py).
//
// Rows begin `row_step` keys apart. A block of THREADS has a tile: a part of a row, of up to THREADS * ITEMS keys.
// `pivots` are the codes of the last keys that are wanted, one for each row.

#include "top_keys.cuh"
#include "warp_lanes.cuh"

struct RowTile {
    u64 row;
    u32 first, size;
    const RAW* keys;

    __device__ __forceinline__ RowTile(const RAW* all, u64 row_step, u32 length, u32 tiles, u32 most)
        : row(blockIdx.x / tiles), first(blockIdx.x % tiles * most), size(lesser(length - first, most)),
          keys(all + row * row_step + first) {}

    // Each warp has consecutive keys, LANES at a time.
    __device__ __forceinline__ u32 place(u32 item) const {
        return (threadIdx.x / LANES * ITEMS + item) * LANES + lane_of();
    }
};

// A bit for each key of a thread that is before the last wanted one, and for each that equals it.
struct Sides {
    u32 before = 0, equal = 0;

    __device__ __forceinline__ Sides(const RowTile& tile, RAW pivot) {
        RAW keys[ITEMS];
#pragma unroll
        for (int i = 0; i < ITEMS; ++i)
            if (tile.place(i) < tile.size) keys[i] = tile.keys[tile.place(i)];
#pragma unroll
        for (int i = 0; i < ITEMS; ++i) {
            const RAW order = order_of(keys[i]);
            const bool here = tile.place(i) < tile.size;
            before |= (u32)(here && order < pivot) << i, equal |= (u32)(here && order == pivot) << i;
        }
    }
};
