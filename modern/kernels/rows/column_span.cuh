// Keys of a long column that one thread reads: up to `each`. The lanes of a warp have neighbouring columns; if there are
// fewer than LANES, also the next rows, so that whole lines of memory are read. A column is read by as many threads as
// it takes. Fewer than 2³² warps.
//
// All lanes of a warp go the same number of steps. Those without keys of their own read what lane 0 reads.

#include "warp_lanes.cuh"

#define AHEAD 8  // loads of a thread that are begun together

typedef RAW Group[AHEAD];

struct Span {
    const RAW* keys;  // the first key; the next one is `apart` keys behind it
    u64 apart, number;  // outer * inner + column
    u32 first, rows, count, most;  // place of the first key, and how far the next one's is; keys: here, of any lane
    bool none, here;  // whether no lane of the warp has a key; whether this one has

    __device__ __forceinline__ Span(const RAW* all, u64 outer_step, u64 step, u32 length, u32 outers, u32 inner,
                                    u32 each) {
        const u32 lane = lane_of(), warp = blockIdx.x * (blockDim.x / LANES) + threadIdx.x / LANES;
        const u32 width = lesser(inner, LANES), across = (inner + width - 1) / width;
        rows = LANES / width;
        const u32 of_warp = each * rows, slices = (length - 1) / of_warp + 1;
        const u32 outer = warp / across / slices, start = warp / across % slices * of_warp;
        u32 column = warp % across * width;
        none = outer >= outers;
        here = !none && column + lane % width < inner && lane < width * rows && lane / width < length - start;
        if (here) column += lane % width;
        first = here ? start + lane / width : start;
        most = lesser(each, (length - 1 - start) / rows + 1), count = lesser(each, (length - 1 - first) / rows + 1);
        number = (u64)outer * inner + column;
        keys = all + outer * outer_step + first * step + column, apart = rows * step;
    }

    // Calls body(bits, place) for each key, and pause(group, held, last) after a group of them: by all lanes together. The
    // next group is read before: the compiler moves no load across what a body writes.
    template <class Body, class Pause>
    __device__ __forceinline__ void each_key(Body body, Pause pause) const {
        const RAW* next = keys;
        Group now, then;
        u32 i = 0;
        next = read(now, next, AHEAD < most);
#pragma unroll 1
        for (; i + AHEAD < most; i += AHEAD) {
            next = read(then, next, i + 2 * AHEAD < most);
#pragma unroll
            for (int j = 0; j < AHEAD; ++j) body(now[j], first + (i + j) * rows);
            pause(now, AHEAD, false);
#pragma unroll
            for (int j = 0; j < AHEAD; ++j) now[j] = then[j];
        }
        const u32 held = count - i;  // none of some lanes: the last key stands for those behind it
#pragma unroll
        for (int j = 0; j < AHEAD; ++j) now[j] = keys[lesser(i + j, count - 1) * apart];
#pragma unroll
        for (int j = 0; j < AHEAD; ++j)
            if (j < held) body(now[j], first + (i + j) * rows);
        pause(now, held, true);
    }

  private:
    // Reads a group, if it is there. Returns where the next one begins.
    __device__ __forceinline__ const RAW* read(Group& group, const RAW* next, bool there) const {
#pragma unroll
        for (int j = 0; j < AHEAD; ++j, next += apart) group[j] = streamed_if(there, next);
        return next;
    }
};
