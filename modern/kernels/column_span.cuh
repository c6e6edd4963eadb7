// Keys of a long column that one thread reads: up to `each`. The lanes of a warp have neighbouring columns; if there are
// fewer than LANES, also the next rows, so that whole lines of memory are read. A column is read by as many threads as
// it takes. Fewer than 2³² warps.

#include "warp_lanes.cuh"

#define AHEAD 8  // loads of a thread in flight

struct Span {
    const RAW* keys;  // the first key; the next one is `apart` keys behind it
    u64 apart, number;  // outer * inner + column
    u32 first, rows, count;  // place of the first key, and how far the next one's is; keys: 0 if there are none

    __device__ __forceinline__ Span(const RAW* all, u64 outer_step, u64 step, u32 length, u32 outers, u32 inner,
                                    u32 each) {
        const u32 lane = threadIdx.x % LANES, warp = blockIdx.x * (blockDim.x / LANES) + threadIdx.x / LANES;
        const u32 width = lesser(inner, LANES), across = (inner + width - 1) / width;
        rows = LANES / width;
        const u32 of_warp = each * rows, slices = (length - 1) / of_warp + 1;
        const u32 column = warp % across * width + lane % width, outer = warp / across / slices;
        first = warp / across % slices * of_warp + lane / width;
        const bool here = outer < outers && column < inner && lane < width * rows && first < length;
        count = here ? lesser(each, (length - 1 - first) / rows + 1) : 0;
        number = (u64)outer * inner + column;
        keys = all + outer * outer_step + first * step + column, apart = rows * step;
    }

    // Calls body(bits, place) for each key, and pause() after AHEAD of them.
    template <class Body, class Pause>
    __device__ __forceinline__ void each_key(Body body, Pause pause) const {
        const RAW* next = keys;
        u32 i = 0;
#pragma unroll 1
        for (; i + AHEAD <= count; i += AHEAD, next += AHEAD * apart) {
            RAW bits[AHEAD];
#pragma unroll
            for (int j = 0; j < AHEAD; ++j) bits[j] = next[j * apart];
#pragma unroll
            for (int j = 0; j < AHEAD; ++j) body(bits[j], first + (i + j) * rows);
            pause();
        }
#pragma unroll 1
        for (; i < count; ++i, next += apart) body(*next, first + i * rows);
        pause();
    }
};
