// cells, third kernel: stages the keys of the cells that have a flag (cells_counted.cu), by one read, in no
// order (staging.cuh). *count says how many there are; it may exceed the room, and is 0 before.
//
// Blocks of 1,024 threads, one for each multiprocessor, with room for CAPACITY keys of each thread in shared
// memory.

#include "keys.cuh"
#include "scan.cuh"
#include "cells.cuh"

#include "staging.cuh"

#define flags ((u32*)BEHIND)
#define LISTS ((RAW*)(flags + CELLS / 32))  // entry i of a thread is LISTS[i * THREADS + threadIdx.x]

struct Flagged {
    const Lookup& cell_of;
    RAW* staged;
    u64 room;
    u64* count;
    u32 held = 0;

    __device__ __forceinline__ Flagged(const Lookup& cell_of, RAW* staged, u64 room, u64* count)
        : cell_of(cell_of), staged(staged), room(room), count(count) {}

    __device__ __forceinline__ void take(RAW bits, u32 cell) {
        if (flags[cell / 32] >> cell % 32 & 1) LISTS[threadIdx.x + held] = bits, held += THREADS;
    }

    __device__ __forceinline__ void alone(RAW bits, u64) { take(bits, cell_of(encode(bits))); }

    __device__ __forceinline__ void empty() {
        spill_lists(LISTS + threadIdx.x, held / THREADS, room, count, [&](u64 at, RAW bits) { staged[at] = bits; });
        held = 0;
    }

    __device__ __forceinline__ void make_room() {
        if (__any_sync(FULL, held > (CAPACITY - ROOM_LEFT) * THREADS)) empty();
    }
};

__device__ __forceinline__ void look_at_load(Flagged& looker, const Load& loaded, u32) {
    looker.cell_of.of_load(loaded, [&](RAW bits, u32 cell) { looker.take(bits, cell); });
}

extern "C" __global__ void __launch_bounds__(THREADS, 1)
    cells_staged(const RAW* keys, u64 n, const Tree* tree, const u32* which, RAW* staged, u64 room, u64* count) {
    u32 any = 0;
    for (u32 i = threadIdx.x; i < CELLS / 32; i += THREADS) any |= flags[i] = which[i];
    if (!__syncthreads_or(any)) return;
    const Lookup cell_of(tree);
    Flagged looker(cell_of, staged, room, count);
    look_at_all(keys, n, looker);
    looker.empty();
}
