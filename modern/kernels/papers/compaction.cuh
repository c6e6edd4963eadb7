// Compaction: copies some of the keys, in any order, by lists in shared memory (staging.cuh). `filter` decides which:
// wants(key). Blocks of THREADS, one for each multiprocessor, with room for CAPACITY keys of each thread.

#include "totals.cuh"
#include "staging.cuh"

extern __shared__ __align__(16) u64 memory[];

template <class Filter>
struct Copier {
    Filter& filter;
    RAW* chosen;
    u64 room, *count;  // keys beyond the room are counted, and not written
    u32 held = 0;      // of the own list, in THREADS

    __device__ __forceinline__ void look(RAW bits, u32) {
        if (filter.wants(bits)) ((RAW*)memory)[threadIdx.x + held] = bits, held += THREADS;
    }

    __device__ __forceinline__ void empty() {
        spill_lists((RAW*)memory + threadIdx.x, held / THREADS, room, count, [&](u64 at, RAW bits) { chosen[at] = bits; });
        held = 0;
    }

    __device__ __forceinline__ void make_room() {
        if (__any_sync(FULL, held > (CAPACITY - ROOM_LEFT) * THREADS)) empty();
    }
};

// Copies the keys that a filter wants; adds their number to *count.
template <class Filter>
__device__ __forceinline__ void compact(const RAW* keys, u64 n, Filter& filter, RAW* chosen, u64 room, u64* count) {
    Copier<Filter> copier{filter, chosen, room, count};
    look_at_all(keys, n, copier);
    copier.empty();
}
