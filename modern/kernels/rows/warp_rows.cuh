// How a warp gets the keys of a row. LAYOUT:
//
// 0. Row i begins at keys + i * outer_step.
// 1. So does it, at a multiple of 16 bytes, and it has ITEMS * LANES keys.
// 2. Columns: the rows of an outer place begin at neighbouring keys, and each has keys that are `step` apart. A
//    block reads some columns together, and hands them over in shared memory.
//
// Except in layout 1, a lane's key i is at place i * LANES + lane. WHOLE: all rows have ITEMS * LANES keys.

extern __shared__ u64 memory[];

// What stands for missing keys: it comes last, as a NaN, the largest integer or the largest magnitude.
#if MAGNITUDE && SIGNED && !FLOATING
#define PAD SIGN
#else
#define PAD decode((RAW)~(RAW)0)
#endif

#ifndef WHOLE
#define WHOLE 0
#endif

#define WARPS (THREADS / LANES)
#define ROOM (KEY_ROWS * LANES + LANES / WARPS)  // keys of shared memory of a warp; columns hit all banks

#define ROOMS ((RAW*)((u32*)memory + WARPS * BIN_WORDS))  // behind the histograms of all warps

// Holds the keys of a row.
__device__ __forceinline__ void hold(RAW (&held)[ITEMS], const RAW* keys, u32 length) {
#if LAYOUT == 1
#pragma unroll
    for (int i = 0; i < ITEMS / PER_LOAD; ++i) {
        const Load loaded = load(keys, i * LANES + lane_of());
#pragma unroll
        for (int k = 0; k < PER_LOAD; ++k) held[i * PER_LOAD + k] = loaded.keys[k];
    }
#else
#pragma unroll
    for (int i = 0; i < ITEMS; ++i) {
        const u32 place = i * LANES + lane_of();
        held[i] = WHOLE || place < length ? keys[place] : PAD;
    }
#endif
}

// Copies columns, the first of which is number `column` of its outer place, to rows in shared memory. TOGETHER loads of
// a thread are in flight at once: those behind the end read the last key again, as the compiler would wait for each
// load under a condition.
#define TOGETHER (ITEMS < 8 ? ITEMS : 8)
__device__ __forceinline__ void read_columns(RAW* tile, const RAW* keys, u32 column, u32 inner, u32 length,
                                             u64 step) {
    const u32 mine = threadIdx.x % WARPS, first = threadIdx.x / WARPS;
    const RAW* own = keys + (column + mine < inner ? mine : inner - 1 - column);
#pragma unroll 1
    for (u32 start = first; start < length; start += TOGETHER * LANES) {
        RAW loaded[TOGETHER];
#pragma unroll
        for (int j = 0; j < TOGETHER; ++j) {
            const u32 i = start + j * LANES;
            loaded[j] = own[(i < length ? i : length - 1) * step];
        }
#pragma unroll
        for (int j = 0; j < TOGETHER; ++j)
            if (start + j * LANES < length) tile[mine * ROOM + start + j * LANES] = loaded[j];
    }
    __syncthreads();
}

// The row of a warp, and where it begins. In columns, the block has read it into the room of the warp.
struct WarpRow {
    const RAW* begin;  // null if there is no row
    u64 number, outer;
    u32 at;  // its place in the outer one
    RAW* room;
    u32* bins;

    __device__ __forceinline__ WarpRow(const RAW* keys, u64 rows, u32 length, u64 outer_step, u64 step,
                                       u32 inner) {
        const u32 warp = threadIdx.x / LANES;
        room = ROOMS + warp * ROOM, bins = (u32*)memory + warp * BIN_WORDS;
#if LAYOUT == 2
        const u32 blocks = (inner + WARPS - 1) / WARPS, column = blockIdx.x % blocks * WARPS;
        outer = blockIdx.x / blocks, at = column + warp;
        const RAW* first = keys + outer * outer_step + column;
        read_columns(ROOMS, first, column, inner, length, step);
        number = outer * inner + at;
        begin = at < inner ? first + warp : nullptr;
#else
        number = outer = (u64)blockIdx.x * WARPS + warp, at = 0;
        begin = number < rows ? keys + number * outer_step : nullptr;
#endif
    }

    // Where answer i of `count` belongs. There is no division: in a kernel that calls one of 64 bits, the compiler
    // does not know any more that the lanes run together.
    __device__ __forceinline__ u64 place(u32 count, u32 i, u32 inner) const {
        return LAYOUT == 2 ? (outer * count + i) * inner + at : number * count + i;
    }

    __device__ __forceinline__ void hold_in(RAW (&held)[ITEMS], u32 length) const {
        hold(held, LAYOUT == 2 ? room : begin, length);
        __syncwarp();
    }
};
