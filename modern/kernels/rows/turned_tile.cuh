// Copies a part of columns to rows, by a block of 256 threads: LANES columns, and DOWN keys of each. Whole lines are read
// and written. A thread has all its loads in flight at once: the compiler would wait for a load under a condition
// before the next one, so those behind an end read the last key again.

#include "warp_lanes.cuh"

#define DOWN (2 * LANES)
#define TOGETHER (DOWN / (256 / LANES))

// The tile of this block, if the tiles of an outer place cover `inner` columns to rows of `length` keys.
struct TurnedTile {
    u32 inner, length, column, first;
    u64 outer;

    __device__ __forceinline__ TurnedTile(u32 inner, u32 length) : inner(inner), length(length) {
        const u32 across = (inner - 1) / LANES + 1, down = (length - 1) / DOWN + 1;
        column = blockIdx.x % across * LANES, first = blockIdx.x / across % down * DOWN;
        outer = blockIdx.x / across / down;
    }

    // The row that is key y of the tile's columns, or their last one.
    __device__ __forceinline__ u32 row(u32 y) const { return lesser(first + y, length - 1); }

    // Key y is in row row_of(y) of the outer place, whose keys begin at `keys`, `step` apart.
    template <class RowOf>
    __device__ __forceinline__ void copy(const RAW* keys, u64 step, RAW* rows, RowOf row_of) const {
        __shared__ RAW tile[DOWN][LANES + 1];
        const u32 x = threadIdx.x % LANES, start = threadIdx.x / LANES;
        const RAW* from = keys + lesser(column + x, inner - 1);
        RAW loaded[TOGETHER];
#pragma unroll
        for (int j = 0; j < TOGETHER; ++j) loaded[j] = from[row_of(start + j * (256 / LANES)) * step];
#pragma unroll
        for (int j = 0; j < TOGETHER; ++j) tile[start + j * (256 / LANES)][x] = loaded[j];
        __syncthreads();
#pragma unroll
        for (u32 y = start; y < LANES; y += 256 / LANES)
#pragma unroll
            for (u32 at = x; at < DOWN; at += LANES)
                if (column + y < inner && first + at < length)
                    rows[(outer * inner + column + y) * length + first + at] = tile[at][y];
    }
};
