// cells, third kernel: stages the keys of the cells that have a flag (cells_counted.cu), by one read, in no
// order (staging.cuh). *count says how many there are; it may exceed the room, and is 0 before.
//
// If the cells that have a flag have more keys than half of the room, as those of rounded data, the favourites of
// each cell are counted instead of staged (crowded.cuh), and the last block settles `table`, `result` and `ends` for
// the kernels that follow. `totals` are 0 before and after.
//
// Blocks of 1,024 threads, one for each multiprocessor, with room for CAPACITY keys of each thread in shared
// memory. `behind` bytes are behind the tables, enough for what a crowd needs.

#include "keys.cuh"
#include "scan.cuh"
#include "cells.cuh"

#include "staging.cuh"

#include "crowded.cuh"

#define LISTS ((RAW*)(FLAGS + CELLS / 32))  // entry i of a thread is LISTS[i * THREADS + threadIdx.x]

// Which keys are staged, and where the lists are: all keys of the cells that have a flag.
struct Flagged {
    __device__ __forceinline__ RAW* lists() const { return LISTS; }
    __device__ __forceinline__ u32 capacity() const { return CAPACITY; }
    __device__ __forceinline__ bool wants(RAW, u32 cell) const { return FLAGS[cell / 32] >> cell % 32 & 1; }
};

// All but the favourites, which are counted.
struct Unfavoured {
    const Crowd& crowd;
    u32 most;
    __device__ __forceinline__ RAW* lists() const { return crowd.lists; }
    __device__ __forceinline__ u32 capacity() const { return most; }
    __device__ __forceinline__ bool wants(RAW bits, u32 cell) const {
        const bool inside = crowd.has(cell);
        const u32 part = crowd.part_of(cell), place = crowd.favourites[part].place_of(encode(bits));
        count(inside, part, place);
        return inside && !(place % 2);
    }
    __device__ __forceinline__ void count(bool inside, u32 part, u32 place) const {
        if (inside && place < COUNTED) atomicAdd(&crowd.counts[COUNTED * part + place], 1u);
    }
};

template <class Choice>
struct Stager {
    const Lookup& cell_of;
    const Choice choice;
    RAW* staged;
    u64 room;
    u64* count;
    u32 held = 0;

    __device__ __forceinline__ Stager(const Lookup& cell_of, const Choice& choice, RAW* staged, u64 room, u64* count)
        : cell_of(cell_of), choice(choice), staged(staged), room(room), count(count) {}

    __device__ __forceinline__ void take(RAW bits, u32 cell) {
        put_if(choice.wants(bits, cell), bits);
    }

    __device__ __forceinline__ void put_if(bool wanted, RAW bits) {
        if (wanted) choice.lists()[threadIdx.x + held] = bits, held += THREADS;
    }

    __device__ __forceinline__ void alone(RAW bits, u64) { take(bits, cell_of(encode(bits))); }

    __device__ __forceinline__ void empty() {
        spill_lists(choice.lists() + threadIdx.x, held / THREADS, room, count,
                    [&](u64 at, RAW bits) { staged[at] = bits; });
        held = 0;
    }

    __device__ __forceinline__ void make_room() {
        if (__any_sync(FULL, held > (choice.capacity() - ROOM_LEFT) * THREADS)) empty();
    }
};

__device__ __forceinline__ void look_at_load(Stager<Flagged>& looker, const Load& loaded, u32) {
    looker.cell_of.of_load(loaded, [&](RAW bits, u32 cell) { looker.take(bits, cell); });
}

// Each step for all keys of a load, without a branch: nearly every warp has a key in a part. So the steps of the keys
// do not wait for each other.
__device__ __forceinline__ void look_at_load(Stager<Unfavoured>& looker, const Load& loaded, u32) {
    const Crowd& crowd = looker.choice.crowd;
    u32 cells[PER_LOAD], part[PER_LOAD], place[PER_LOAD], next = 0;
    bool inside[PER_LOAD];
    looker.cell_of.of_load(loaded, [&](RAW, u32 cell) { cells[next++] = cell; });
#pragma unroll
    for (u32 k = 0; k < PER_LOAD; ++k) inside[k] = crowd.has(cells[k]), part[k] = crowd.part_of(cells[k]);
#pragma unroll
    for (u32 k = 0; k < PER_LOAD; ++k) place[k] = crowd.favourites[part[k]].place_of(encode(loaded.keys[k]));
#pragma unroll
    for (u32 k = 0; k < PER_LOAD; ++k) {
        looker.choice.count(inside[k], part[k], place[k]);
        looker.put_if(inside[k] && !(place[k] % 2), loaded.keys[k]);
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, 1)
    cells_staged(const RAW* keys, u64 n, const Tree* tree, const u32* which, RAW* staged, u64 room, u64* count,
                 u32 behind, const RAW* sample, const u32* passed, u64* totals, u32* ticket, u64* ends, u64* table,
                 u64* result, u32 asked) {
    u32 any = 0;
    for (u32 i = threadIdx.x; i < CELLS / 32; i += THREADS) any |= FLAGS[i] = which[i];
    if (!__syncthreads_or(any)) return;
    const u32 last = CELLS / 32 - 1, parts = passed[last] + __popc(FLAGS[last]);
    const Lookup cell_of(tree);
    if (ends[parts] <= room / 2) {
        Stager<Flagged> looker(cell_of, {}, staged, room, count);
        look_at_all(keys, n, looker);
        looker.empty();
        return;
    }
    const Crowd crowd(parts);
    __syncthreads();  // the marks are in the place of the flags
    for (u32 i = threadIdx.x; i < CELLS / 32; i += THREADS) crowd.marks[i] = {which[i], passed[i]};
    __syncthreads();
    choose_favourites(crowd, cell_of, sample);
    const u32 left = behind - (u32)((char*)crowd.lists - (char*)crowd.marks);
    Stager<Unfavoured> looker(cell_of, {crowd, left / (u32)sizeof(RAW) / THREADS}, staged, room, count);
    look_at_all(keys, n, looker);
    looker.empty();
    add_up(crowd.counts, COUNTED * parts, totals);
    if (comes_last(ticket)) settle(crowd, totals, {table, result, asked}, ends, fresh(count) <= room);
}
