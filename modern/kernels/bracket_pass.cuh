// The one read of `one-read`: counts keys below and above a bracket, and stages those inside.
//
// Each thread stages keys in a list of its own in shared memory, behind the bins: without a branch, an
// atomic or a ballot. If a list gets full, its warp moves all its lists to global memory. A tile is
// assigned to the threads in an order of its own, because periodic keys would fill few lists.

#define LISTS ((RAW*)(memory + BINS / 2))  // entry i of a thread is LISTS[i * THREADS + threadIdx.x]
#define TILE (THREADS * UNROLL)            // loads of 16 bytes
#define CHECKED 2                          // loads between two looks for a full list
#define ROOM_LEFT (CHECKED * PER_LOAD)

#if KEY_BYTES == 8
#define PTX_BITS "b64"
#define PTX_RAW "l"
#elif KEY_BYTES == 4
#define PTX_BITS "b32"
#define PTX_RAW "r"
#else
#define PTX_BITS "b16"
#define PTX_RAW "h"
#endif
#if FLOATING == 52
#define PTX_TYPE "f64"
#define PTX_VALUE "d"
#elif FLOATING
#define PTX_TYPE "f32"
#define PTX_VALUE "f"
#else
#define PTX_VALUE PTX_RAW
#if KEY_BYTES == 8 && SIGNED
#define PTX_TYPE "s64"
#elif KEY_BYTES == 8
#define PTX_TYPE "u64"
#elif SIGNED
#define PTX_TYPE "s32"
#else
#define PTX_TYPE "u32"
#endif
#endif

struct Bracket {
    RAW first, last;  // codes of numbers
    bool tied;        // many keys equal an end; they are counted, not staged
};

struct Spill {
    RAW* keys;
    u64 room;
    u64* count;  // may exceed the room
};

// Moves the lists of a warp to memory, a row after the other.
__device__ __forceinline__ void spill_lists(const Spill& spill, u32 held) {
    const RAW* list = LISTS + threadIdx.x;
    const u32 lane = threadIdx.x % LANES, before = before_in_warp(held);
    u64 place = 0;
    if (lane == LANES - 1) place = atomicAdd(spill.count, (u64)(before + held));
    place = __shfl_sync(FULL, place, LANES - 1);
#pragma unroll 1
    for (u32 row = 0;; ++row) {
        const u32 has = __ballot_sync(FULL, row < held);
        if (!has) break;
        const u64 at = place + __popc(has & ((1u << lane) - 1));
        if (row < held && at < spill.room) spill.keys[at] = list[row * THREADS];
        place += __popc(has);
    }
}

#define ROW (THREADS * KEY_BYTES)  // bytes between two entries of a list

// What one thread counts. No comparison with a NaN is true, so `numbers` leaves NaNs out. The macros that
// begin with PTX name a type of the assembler: each count is a comparison, and an addition if it is true.
template <bool TIED>
struct Counted {
    VALUE low, high;
    u32 start, end;  // of the own list: addresses in shared memory
    u32 moved = 0;   // keys that were moved out of it
    u32 below = 0, upto_low = 0, upto = 0, numbers = 0;

    __device__ __forceinline__ Counted(VALUE low, VALUE high) : low(low), high(high) {
        start = end = (u32)__cvta_generic_to_shared(LISTS + threadIdx.x);
    }

    __device__ __forceinline__ u32 held() const { return (end - start) / ROW; }

    __device__ __forceinline__ void look(RAW bits) {
        const VALUE value = value_of(bits);
        if (TIED)
            asm volatile(
                "{ .reg .pred p, q;\n"
                "setp.lt." PTX_TYPE " p, %4, %5;\n@p add.u32 %0, %0, 1;\n"
                "setp.le." PTX_TYPE " p, %4, %5;\n@p add.u32 %1, %1, 1;\n"
                "setp.le." PTX_TYPE " p, %4, %6;\n@p add.u32 %2, %2, 1;\n"
                "setp.gt." PTX_TYPE " p, %4, %5;\nsetp.lt.and." PTX_TYPE " q, %4, %6, p;\n"
                "@q st.shared." PTX_BITS " [%3], %7;\n@q add.u32 %3, %3, %8; }"
                : "+r"(below), "+r"(upto_low), "+r"(upto), "+r"(end)
                : PTX_VALUE(value), PTX_VALUE(low), PTX_VALUE(high), PTX_RAW(bits), "n"(ROW)
                : "memory");
        else
            asm volatile(
                "{ .reg .pred p, q;\n"
                "setp.le." PTX_TYPE " p, %2, %4;\n@p add.u32 %0, %0, 1;\n"
                "setp.ge.and." PTX_TYPE " q, %2, %3, p;\n"
                "@q st.shared." PTX_BITS " [%1], %5;\n@q add.u32 %1, %1, %6; }"
                : "+r"(upto), "+r"(end)
                : PTX_VALUE(value), PTX_VALUE(low), PTX_VALUE(high), PTX_RAW(bits), "n"(ROW)
                : "memory");
#if FLOATING
        asm volatile(
            "{ .reg .pred p;\nsetp.num." PTX_TYPE " p, %1, %1;\n@p add.u32 %0, %0, 1; }"
            : "+r"(numbers)
            : PTX_VALUE(value));
#endif
    }

    __device__ __forceinline__ void make_room(const Spill& spill) {
        if (!__any_sync(FULL, end - start > (CAPACITY - ROOM_LEFT) * ROW)) return;
        spill_lists(spill, held());
        moved += held(), end = start;
    }
};

// A load that stays where it is written: before the work on the load before it.
__device__ __forceinline__ Load early(const RAW* keys, u64 i) {
    Load loaded;
    asm volatile("ld.global.cs.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(loaded.words.x), "=r"(loaded.words.y), "=r"(loaded.words.z), "=r"(loaded.words.w)
                 : "l"((const uint4*)keys + i));
    return loaded;
}

template <bool TIED>
__device__ __forceinline__ void look_at_all(const RAW* keys, u64 n, Counted<TIED>& counted,
                                            const Spill& spill) {
    const u64 head = head_of(keys, n), loads = (n - head) / PER_LOAD;
    const u64 tail = head + loads * PER_LOAD;
    if (!blockIdx.x && threadIdx.x < 2 * PER_LOAD) {  // keys before and after the whole loads
        const u64 i = threadIdx.x < PER_LOAD ? threadIdx.x : tail + threadIdx.x - PER_LOAD;
        if (i < (threadIdx.x < PER_LOAD ? head : n)) counted.look(keys[i]);
    }
    keys += head;
    const u64 tiles = loads / TILE;
    const auto first_of = [&](u64 tile) {
        return tile * TILE + (threadIdx.x ^ (u32)tile * 0x9e3779b9u >> 22);
    };
    Load next[UNROLL];
    if (blockIdx.x < tiles)
#pragma unroll
        for (int j = 0; j < UNROLL; ++j) next[j] = load(keys, first_of(blockIdx.x) + j * THREADS);
    const uint4* ahead = (const uint4*)keys + first_of(blockIdx.x + gridDim.x);
    for (u64 tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        Load loaded[UNROLL];
#pragma unroll
        for (int j = 0; j < UNROLL; ++j) loaded[j] = next[j];
        if (tile + gridDim.x < tiles) {
#pragma unroll
            for (int j = 0; j < UNROLL; ++j) next[j] = early((const RAW*)ahead, j * THREADS);
        }
        ahead = (const uint4*)keys + first_of(tile + 2 * gridDim.x);  // early, too: it takes ten steps
#pragma unroll
        for (int j = 0; j < UNROLL; ++j) {
#pragma unroll
            for (int k = 0; k < PER_LOAD; ++k) counted.look(loaded[j].keys[k]);
            if (j % CHECKED == CHECKED - 1) counted.make_room(spill);
        }
    }
    const u64 left = loads - tiles * TILE;  // the last, incomplete tile is shared by all blocks
    for (u64 first = (u64)blockIdx.x * THREADS; first < left; first += (u64)gridDim.x * THREADS) {
        if (first + threadIdx.x < left) {
            const Load loaded = load(keys, tiles * TILE + first + threadIdx.x);
#pragma unroll
            for (int k = 0; k < PER_LOAD; ++k) counted.look(loaded.keys[k]);
        }
        __syncwarp();
        counted.make_room(spill);
    }
}

// Adds a number of each thread to a total.
__device__ __forceinline__ void add_of_block(u32 mine, u64* total) {
    __shared__ u64 of_block;
    const u64 of_warp = warp_sum((u64)mine);
    __syncthreads();
    if (!threadIdx.x) of_block = 0;
    __syncthreads();
    if (!(threadIdx.x % LANES) && of_warp) atomicAdd(&of_block, of_warp);
    __syncthreads();
    if (!threadIdx.x && of_block) atomicAdd(total, of_block);
}
