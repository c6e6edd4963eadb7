// The first keys of long rows in an order, and their places, by three launches: a sample of each row, one read of all
// rows, and what is left (modern/rows/cuda_long.py). BY is an order, 0 to 2. Of equal keys those at the lowest places.

#include "keys.cuh"
#include "top_keys.cuh"
#include "code_ranges.cuh"
#include "sampled_load.cuh"
#include "staging.cuh"
#include "row_firsts.cuh"
#include "row_parts.cuh"

#define HELD 2048  // staged keys that a block holds in shared memory, and sorts, at most

// What is known of a row: its bound, and how many keys were staged; or collected, where the bound was wrong.
struct Job {
    u64 order;
    u32 tied, staged, collected, unused;
};

// Where the staged keys of a row go; `count` may exceed the room.
struct Room {
    Entries entries;
    u32 size;
    u32* count;

    __device__ __forceinline__ void put(u32 at, RAW order, u32 place) const {
        if (at < size) entries.put(at, order, place);
    }
};

// Stages the wanted keys of an array that begins at place `from`, first in shared memory: as far as there is room.
template <class Want>
struct Staging {
    Shared& s;
    const Entries& held;
    const Room& room;
    const Row& part;
    u32 from;
    Want want;

    __device__ __forceinline__ void put(RAW bits, u32 place) const {
        const u32 at = atomicAdd(&s.staged, 1u);
        if (at < HELD) held.put(at, order_of(bits), from + place);
        else room.put(atomicAdd(room.count, 1u), order_of(bits), from + place);
    }
    __device__ __forceinline__ void alone(RAW bits, u64 place) const {
        if (want(compared(bits))) put(bits, (u32)place);
    }
    __device__ __forceinline__ void make_room() const {}
};

template <class Want>
__device__ __forceinline__ void look_at_load(const Staging<Want>& staging, const Load& loaded, u32 ordinal) {
    Bits bits = 0;
#pragma unroll
    for (int k = 0; k < PER_LOAD; ++k)
        if (staging.want(compared(loaded.keys[k]))) bits |= (Bits)1 << k;
    if (!bits) return;
    const u32 place = (u32)place_of(staging.part.keys, staging.part.n, ordinal);
#pragma unroll
    for (int k = 0; k < PER_LOAD; ++k)
        if (bits >> k & 1) staging.put(loaded.keys[k], place + k);
}

template <class Want>
__device__ __forceinline__ void stage(Shared& s, const Entries& held, const Room& room, const Row& part, u32 from,
                                      Want want) {
    __shared__ u32 first;
    __syncthreads();
    if (!threadIdx.x) s.staged = 0;
    __syncthreads();
    const Staging<Want> staging{s, held, room, part, from, want};
    look_at_all(part.keys, part.n, staging);
    __syncthreads();
    const u32 count = s.staged < HELD ? s.staged : HELD;
    if (!threadIdx.x) first = atomicAdd(room.count, count);
    __syncthreads();
    for (u32 i = threadIdx.x; i < count; i += THREADS) room.put(first + i, held.orders[i], held.places[i]);
}

// Stages the keys up to a bound, or before it if it is tied: those of an array that blocks of one row of the grid
// share, or that a block without neighbours has alone. The array begins at place `from`.
__device__ __forceinline__ void stage_bounded(Shared& s, const Entries& held, const Room& room, const Row& part,
                                              u32 from, const Bound& bound) {
    const Last last(bound.order);
    if (!bound.tied)
        stage(s, held, room, part, from, [&](Compared key) { return last.has_upto(key); });
    else if (bound.order)
        stage(s, held, room, part, from, [&](Compared key) { return last.has_before(key); });
}
