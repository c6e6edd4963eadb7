// The one read of `one-read`: counts keys below and above a bracket, and stages those inside.
//
// Each thread stages keys in a list of its own in shared memory, behind the bins: without a branch, an
// atomic or a ballot. If a list gets full, its warp moves all its lists to global memory. A tile is
// assigned to the threads in an order of its own, because periodic keys would fill few lists.

#define LISTS ((RAW*)(memory + BINS / 2))  // entry i of a thread is LISTS[i * THREADS + threadIdx.x]
#define TILE (THREADS * UNROLL)            // loads of 16 bytes
#define CHECKED 4                          // loads between two looks for a full list
#define ROOM_LEFT (CHECKED * PER_LOAD)

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
__device__ __forceinline__ void spill_lists(RAW* keys, u64 room, u64* count, u32 held) {
    const RAW* list = LISTS + threadIdx.x;
    const u32 lane = threadIdx.x % LANES, before = before_in_warp(held);
    u64 place = 0;
    if (lane == LANES - 1) place = atomicAdd(count, (u64)(before + held));
    place = __shfl_sync(FULL, place, LANES - 1);
#pragma unroll 1
    for (u32 row = 0;; ++row) {
        const u32 has = __ballot_sync(FULL, row < held);
        if (!has) break;
        const u64 at = place + __popc(has & ((1u << lane) - 1));
        if (row < held && at < room) keys[at] = list[row * THREADS];
        place += __popc(has);
    }
}

// What one thread counts. Comparisons with NaN are false, so NaNs are in no counter. Integers that are in
// no counter are above.
template <bool TIED>
struct Counted {
    VALUE low, high;
    u32 below = 0, low_equal = 0, high_equal = 0, above = 0;
    u32 end = 0, moved = 0;  // the end of the own list; keys that were moved out of it

    __device__ __forceinline__ void look(RAW bits) {
        const VALUE value = value_of(bits);
        bool inside;
        below += value < low;
#if FLOATING
        above += value > high;
#endif
        if (TIED) {
            low_equal += value == low, high_equal += value == high;
            inside = value > low && value < high;
        } else {
#if FLOATING
            inside = value >= low && value <= high;
#else
            inside = (RAW)((RAW)value - (RAW)low) <= (RAW)((RAW)high - (RAW)low);
#endif
        }
        if (inside) LISTS[threadIdx.x + end] = bits, end += THREADS;
    }

    __device__ __forceinline__ void make_room(const Spill& spill) {
        if (!__any_sync(FULL, end > (CAPACITY - ROOM_LEFT) * THREADS)) return;
        spill_lists(spill.keys, spill.room, spill.count, end / THREADS);
        moved += end / THREADS, end = 0;
    }
};

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
    for (u64 tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        Load loaded[UNROLL];
#pragma unroll
        for (int j = 0; j < UNROLL; ++j) loaded[j] = next[j];
        if (tile + gridDim.x < tiles) {
            const u64 i = first_of(tile + gridDim.x);
#pragma unroll
            for (int j = 0; j < UNROLL; ++j) next[j] = load(keys, i + j * THREADS);
        }
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
