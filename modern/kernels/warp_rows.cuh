// How a warp gets the keys of a row. LAYOUT:
//
// 0. Row i begins at keys + i * outer_step.
// 1. So does it, at a multiple of 16 bytes, and it has ITEMS * LANES keys.
// 2. Columns: the rows of an outer place begin at neighbouring keys, and each has keys that are `step` apart. A
//    block reads some columns together, and hands them over in shared memory.
//
// Except in layout 1, a lane's key i is at place i * LANES + lane.

extern __shared__ u64 memory[];

// What stands for missing keys: it comes last, as a NaN, the largest integer or the largest magnitude.
#if MAGNITUDE && SIGNED && !FLOATING
#define PAD SIGN
#else
#define PAD decode((RAW)~(RAW)0)
#endif

#define WARPS (THREADS / LANES)
#define ROOM ((ITEMS + 1) * LANES + LANES / WARPS)  // keys of shared memory of a warp; columns hit all banks

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
        held[i] = place < length ? keys[place] : PAD;
    }
#endif
}

// Copies columns, the first of which is number `column` of its outer place, to rows in shared memory.
__device__ __forceinline__ void read_columns(RAW* tile, const RAW* keys, u32 column, u32 inner, u32 length,
                                             u64 step) {
    const u32 mine = threadIdx.x % WARPS;
    if (column + mine < inner)
#pragma unroll 8
        for (u32 i = threadIdx.x / WARPS; i < length; i += LANES) tile[mine * ROOM + i] = keys[i * step + mine];
    __syncthreads();
}

// The row of a warp, and where it begins. In columns, the block has read it into the room of the warp.
struct WarpRow {
    const RAW* begin;  // null if there is no row
    u64 number;
    RAW* room;

    __device__ __forceinline__ WarpRow(const RAW* keys, u64 rows, u32 length, u64 outer_step, u64 step,
                                       u32 inner) {
        const u32 warp = threadIdx.x / LANES;
        room = (RAW*)memory + warp * ROOM;
#if LAYOUT == 2
        const u32 blocks = (inner + WARPS - 1) / WARPS, column = blockIdx.x % blocks * WARPS;
        const u64 outer = blockIdx.x / blocks;
        const RAW* first = keys + outer * outer_step + column;
        read_columns((RAW*)memory, first, column, inner, length, step);
        number = outer * inner + column + warp;
        begin = column + warp < inner ? first + warp : nullptr;
#else
        number = (u64)blockIdx.x * WARPS + warp;
        begin = number < rows ? keys + number * outer_step : nullptr;
#endif
    }

    __device__ __forceinline__ void hold_in(RAW (&held)[ITEMS], u32 length) const {
        hold(held, LAYOUT == 2 ? room : begin, length);
        __syncwarp();
    }
};
