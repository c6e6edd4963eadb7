// Staging: one read of all keys, in which each thread keeps some entries in a list of its own in shared memory, without
// a branch, an atomic or a ballot. If a list gets full, its warp moves all its lists to global memory. A tile is
// assigned to the threads in an order of its own, because periodic keys would fill few lists.
//
// A looker decides: look(bits, ordinal) is called for every key, and make_room() after every few loads, by whole warps.
// An ordinal says which of the thread's keys it is; place_of tells its place. A list has room for CAPACITY entries.

#define TILE (THREADS * UNROLL)                    // loads of 16 bytes
#define CHECKED (CAPACITY > 2 * PER_LOAD ? 2 : 1)  // loads between two looks for a full list
#define ROOM_LEFT (CHECKED * PER_LOAD)

// The names of types in the assembler.
#if KEY_BYTES == 8
typedef u64 Stored;  // bits of a key in a register
#define PTX_BITS "b64"
#define PTX_RAW "l"
#elif KEY_BYTES == 4
typedef u32 Stored;
#define PTX_BITS "b32"
#define PTX_RAW "r"
#else
typedef unsigned short Stored;
#if KEY_BYTES == 2
#define PTX_BITS "b16"
#else
#define PTX_BITS "b8"  // of a register of 16 bits: there are none of 8
#endif
#define PTX_RAW "h"
#endif
#if SIGNED && !MAGNITUDE
#define PTX_SIGN "s"
#else
#define PTX_SIGN "u"
#endif
#if FLOATING == 52
#define PTX_TYPE "f64"
#define PTX_VALUE "d"
#elif FLOATING
#define PTX_TYPE "f32"
#define PTX_VALUE "f"
#elif KEY_BYTES == 8
#define PTX_TYPE PTX_SIGN "64"
#define PTX_VALUE "l"
#else
#define PTX_TYPE PTX_SIGN "32"
#define PTX_VALUE "r"
#endif

// Moves the lists of a warp to memory, a row after the other. put(at, entry) writes an entry; `count`
// may exceed the room.
template <class Entry, class Put>
__device__ __forceinline__ void spill_lists(const Entry* list, u32 held, u64 room, u64* count, Put put) {
    const u32 lane = threadIdx.x % LANES, before = before_in_warp(held);
    u64 place = 0;
    if (lane == LANES - 1) place = add_for_all(count, (u64)(before + held));
    place = __shfl_sync(FULL, place, LANES - 1);
    ROLLED for (u32 row = 0;; ++row) {
        const u32 has = __ballot_sync(FULL, row < held);
        if (!has) break;
        const u64 at = place + __popc(has & ((1u << lane) - 1));
        if (row < held && at < room) put(at, list[row * THREADS]);
        place += __popc(has);
    }
}

// A load that stays where it is written: before the work on the load before it.
__device__ __forceinline__ Load early(const RAW* keys, u64 i) {
    Load loaded;
    asm volatile("ld.global.cs.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(loaded.words.x), "=r"(loaded.words.y), "=r"(loaded.words.z), "=r"(loaded.words.w)
                 : "l"((const uint4*)keys + i));
    return loaded;
}

// The first load of this thread in a tile.
__device__ __forceinline__ u64 first_of(u64 tile) {
    return tile * TILE + (threadIdx.x ^ (u32)tile * 0x9e3779b9u >> 22);
}

// Keys before and after the whole loads have this ordinal: the first threads of a block look at one each.
#define ALONE ~0u

__device__ __forceinline__ u64 place_alone(u64 head, u64 n) {
    return threadIdx.x < PER_LOAD ? threadIdx.x : head + (n - head) / PER_LOAD * PER_LOAD + threadIdx.x - PER_LOAD;
}

// The place of a key that this thread looked at.
__device__ __forceinline__ u64 place_of(const RAW* keys, u64 n, u32 ordinal) {
    const u64 head = head_of(keys, n), tiles = (n - head) / PER_LOAD / TILE;
    if (ordinal == ALONE) return place_alone(head, n);
    const u32 load = ordinal / PER_LOAD, turn = load / UNROLL;
    const u64 tile = blockIdx.x + (u64)turn * gridDim.x;
    const u64 at = tile < tiles ? first_of(tile) + load % UNROLL * THREADS
                                : tiles * TILE + (tile - tiles) * THREADS + threadIdx.x;
    return head + at * PER_LOAD + ordinal % PER_LOAD;
}

// A looker that looks at all keys of a load together has a function of its own instead of this one.
template <class Looker>
__device__ __forceinline__ void look_at_load(Looker& looker, const Load& loaded, u32 ordinal) {
    UNROLLED for (int k = 0; k < PER_LOAD; ++k) looker.look(loaded.keys[k], ordinal + k);
}

template <class Looker>
__device__ __forceinline__ void look_at_all(const RAW* keys, u64 n, Looker& looker) {
    const u64 head = head_of(keys, n), loads = (n - head) / PER_LOAD;
    if (!blockIdx.x && threadIdx.x < 2 * PER_LOAD) {
        const u64 i = place_alone(head, n);
        if (i < (threadIdx.x < PER_LOAD ? head : n)) looker.look(keys[i], ALONE);
    }
    keys += head;
    const u64 tiles = loads / TILE;
    Load next[UNROLL];
    if (blockIdx.x < tiles)
        UNROLLED for (int j = 0; j < UNROLL; ++j) next[j] = load(keys, first_of(blockIdx.x) + j * THREADS);
    const uint4* ahead = (const uint4*)keys + first_of(blockIdx.x + gridDim.x);
    u64 tile = blockIdx.x;
    u32 ordinal = 0;
    for (; tile < tiles; tile += gridDim.x, ordinal += UNROLL * PER_LOAD) {
        Load loaded[UNROLL];
        UNROLLED for (int j = 0; j < UNROLL; ++j) loaded[j] = next[j];
        if (tile + gridDim.x < tiles) {
            UNROLLED for (int j = 0; j < UNROLL; ++j) next[j] = early((const RAW*)ahead, j * THREADS);
        }
        ahead = (const uint4*)keys + first_of(tile + 2 * gridDim.x);  // early, too: it takes ten steps
        UNROLLED for (int j = 0; j < UNROLL; ++j) {
            look_at_load(looker, loaded[j], ordinal + j * PER_LOAD);
            if (j % CHECKED == CHECKED - 1) looker.make_room();
        }
    }
    // the last, incomplete tile is shared by all blocks: its rows go on where the tiles end
    const u64 left = loads - tiles * TILE;
    for (; (tile - tiles) * THREADS < left; tile += gridDim.x, ordinal += UNROLL * PER_LOAD) {
        const u64 mine = (tile - tiles) * THREADS + threadIdx.x;
        if (mine < left) {
            const Load loaded = load(keys, tiles * TILE + mine);
            look_at_load(looker, loaded, ordinal);
        }
        __syncwarp();
        looker.make_room();
    }
}
