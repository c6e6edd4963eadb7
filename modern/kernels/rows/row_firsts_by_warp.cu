// The first keys of each row in an order, and their places: one warp for each row of up to ITEMS * LANES keys
// (modern/rows/cuda_top.py). Of equal keys those at the lowest places.
//
// Reads every key once. For few first keys, the first key of each lane gives a bound: if `count` lanes have a key
// up to it, so have the first keys of the row. As a rule, so few keys are up to it that each lane takes one, and a
// bitonic network sorts them.
//
// Otherwise the key of the last rank is selected (warp_select.cuh); the keys before it, and as many of its equals
// as are missing, are collected; and sorted in registers, each lane with EACH of them. If a lane has up to 8 short keys,
// all keys of the row are sorted instead (SORTS): the kernel then needs half of the registers.
//
// BY is an order, 0 to 2, and MAGNITUDE belongs to order 2. If not IN_ORDER, the first keys are in the order of their
// places. `values` and `places` are (outer, count, inner). In columns, all warps of a block write together, so that
// neighbouring columns are written at once.
// Blocks of THREADS, with shared memory for KEY_ROWS + 1 keys of each thread, BIN_WORDS words for each warp, and SORTED
// places of each warp, of 32 bits, and LANES places more; SORTED is the next power of two from `count` on, at least 32.
// LAYOUT 0 or 2: see warp_rows.cuh.

#define NEAR 1
#include "keys.cuh"
#include "top_keys.cuh"
#include "warp_select.cuh"
#include "warp_rows.cuh"
#include "top_entries.cuh"

// A bit for each key that this lane holds and `wanted` is true for.
template <class Wanted>
__device__ __forceinline__ u32 bits_of_lane(const RAW (&held)[ITEMS], u32 length, Wanted wanted) {
    u32 bits = 0;
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        if ((WHOLE || i * LANES + lane_of() < length) && wanted(compared(held[i]))) bits |= 1u << i;
    return bits;
}

// Those of the keys up to the last one. The branch is here, as it would take one more instruction for each key.
__device__ __forceinline__ u32 bits_upto(const RAW (&held)[ITEMS], u32 length, const Last& last) {
    if (last.nan) return bits_of_lane(held, length, [&](Compared key) { return BY == 1 || key != key; });
    return bits_of_lane(held, length,
                        [&](Compared key) { return BY == 1 ? key <= last.value : !(key < last.value); });
}

// Puts the places of keys with a bit behind `found` others, in the order of the lanes.
__device__ __forceinline__ void put(u32 bits, u32 found, u32* places) {
    for (u32 at = found + before_in_warp((u32)__popc(bits)); bits; bits &= bits - 1)
        places[at++] = (__ffs(bits) - 1) * LANES + lane_of();
}

// Puts the lowest places of keys with a bit behind `found` others, up to `most`; returns how many there are then.
__device__ __forceinline__ u32 put_lowest(u32 bits, u32 found, u32 most, u32* places) {
#pragma unroll 1
    for (int i = 0; i < ITEMS && found < most; ++i) {
        const bool wanted = bits >> i & 1;
        const u32 votes = __ballot_sync(FULL, wanted), at = found + __popc(votes & ((1u << lane_of()) - 1));
        if (wanted && at < most) places[at] = i * LANES + lane_of();
        found += __popc(votes);
    }
    return lesser(found, most);
}

#define FEW (LANES / 2)  // first keys of which the first keys of the lanes tell enough

// The first key that this lane holds, as a code whose smallest values come first; the last code if it has none, or
// only NaNs that come last.
__device__ __forceinline__ RAW first_of_lane(const RAW (&held)[ITEMS], u32 length) {
    if (lane_of() >= length) return (RAW)~(RAW)0;
    Compared first = compared(held[0]);
#pragma unroll
    for (int i = 1; i < ITEMS; ++i) {
        const Compared key = WHOLE || i * LANES + lane_of() < length ? compared(held[i]) : first;
        first = BY == 1 ? lesser(first, key) : greater_or_nan(first, key);
    }
    return BY == 1 ? code_of(first) : (RAW)~code_of(first);
}

// Puts the places of all first keys behind each other, and perhaps of some more, if the first keys of the lanes
// tell which they are; returns how many these are, or 0.
__device__ __forceinline__ u32 put_few(const RAW (&held)[ITEMS], u32 length, u32 count, u32* places) {
    const RAW order = __shfl_sync(FULL, sorted_in_lanes<LANES>(first_of_lane(held, length)), count - 1);
    if (order == (RAW)~(RAW)0) return 0;
    const Last last(order);
    const u32 upto = bits_upto(held, length, last);
    u32 found = sum_in_warp(__popc(upto));
    if (found <= LANES) {
        put(upto, 0, places);
        return found;
    }
    const u32 before = bits_of_lane(held, length, [&](Compared key) { return last.has_before(key); });
    found = sum_in_warp(__popc(before));
    if (found > LANES) return 0;
    put(before, 0, places);
    return found < count ? put_lowest(upto & ~before, found, count, places) : found;
}

#if LAYOUT == 2
#define PLACES_OF_WARP (SORTED + LANES / WARPS)  // neighbouring warps use different banks
#else
#define PLACES_OF_WARP SORTED
#endif

// The key at a place: of columns in shared memory.
__device__ __forceinline__ RAW key_at(const WarpRow& row, u32 place, u64 step) {
    return LAYOUT == 2 ? row.room[place] : row.begin[place * step];
}

// Puts the places of the first keys in order, if they are few and easily found; returns whether they are.
__device__ __forceinline__ bool put_few_in_order(const WarpRow& row, const RAW (&held)[ITEMS], u32 length, u32 count,
                                                 u64 step, u32* places) {
    const u32 total = put_few(held, length, count, places);
    if (!total) return false;
    __syncwarp();
    const u32 place = places[lane_of()];
    Entry entry[1] = {lane_of() < total ? entry_of(order_of(key_at(row, place, step)), place) : no_entry()};
    sort_in_lanes<LANES>(entry);
    if (!IN_ORDER) {
        entry[0] = lane_of() < count ? entry_of(0, place_of(entry[0])) : no_entry();  // the places decide
        sort_in_lanes<LANES>(entry);
    }
    places[lane_of()] = place_of(entry[0]);
    return true;
}

#define EACH (SORTED / LANES)  // entries of a lane

// Where the place of entry i is kept: neighbouring lanes use different banks, although each has EACH neighbouring ones.
__device__ __forceinline__ u32 kept_at(u32 i) { return i ^ i / EACH % EACH; }

// Sorts the first keys, of which there are `count`, by their codes and places; or by their places, if not IN_ORDER.
__device__ __forceinline__ void sort_places(const WarpRow& row, u32 count, u64 step, u32* places) {
    Entry entries[EACH];
#pragma unroll
    for (int j = 0; j < EACH; ++j) {
        const u32 i = j * LANES + lane_of(), place = places[i];
        entries[j] = i < count ? entry_of(IN_ORDER ? order_of(key_at(row, place, step)) : 0, place) : no_entry();
    }
    sort_in_lanes<SORTED>(entries);
    __syncwarp();
#pragma unroll
    for (int j = 0; j < EACH; ++j) places[kept_at(lane_of() * EACH + j)] = place_of(entries[j]);
    __syncwarp();
}

#ifndef SORTS
#define SORTS (KEY_BYTES <= 2 && ITEMS <= 8)
#endif
#if SORTS
// Sorts all keys of the row, and puts the places of the first ones as sort_places does.
__device__ __forceinline__ void sort_all(const WarpRow& row, const RAW (&held)[ITEMS], u32 length, u32 count, u64 step,
                                         u32* places) {
    Entry entries[ITEMS];
#pragma unroll
    for (int i = 0; i < ITEMS; ++i) {
        const u32 place = i * LANES + lane_of();
        entries[i] = WHOLE || place < length ? entry_of(order_of(held[i]), place) : no_entry();
    }
    sort_in_lanes<ITEMS * LANES>(entries);
    __syncwarp();
#pragma unroll
    for (int j = 0; j < ITEMS; ++j) {
        const u32 i = lane_of() * ITEMS + j;
        if (i < count) places[IN_ORDER ? kept_at(i) : i] = place_of(entries[j]);
    }
    __syncwarp();
    if (!IN_ORDER) sort_places(row, count, step, places);
}
#endif

// Puts the places of the first keys in order. In columns, the keys are in the room of the warp then.
__device__ __forceinline__ void put_in_order(const WarpRow& row, u32 length, u32 count, u64 step, u32* places) {
    RAW held[ITEMS];
    row.hold_in(held, length);
    const bool few = SORTED == LANES && count <= FEW;
    if (few && put_few_in_order(row, held, length, count, step, places)) return;
    __syncwarp();
#if SORTS
    sort_all(row, held, length, count, step, places);
#else
    const u32 rank = BY == 1 ? count - 1 : length - count;
    const float share = __fdividef((float)rank + 0.5f, (float)length);
    const RAW code = Search(held, row.room, row.bins, rank).run(share).code;
    const Last last(BY == 1 ? code : (RAW)~code);
    const u32 upto = bits_upto(held, length, last);
    if (sum_in_warp(__popc(upto)) == count) {  // as a rule: no other key equals the last one
        put(upto, 0, places);
    } else {
        const u32 before = bits_of_lane(held, length, [&](Compared key) { return last.has_before(key); });
        put(before, 0, places);
        put_lowest(upto & ~before, sum_in_warp(__popc(before)), count, places);
    }
#if LAYOUT == 2
#pragma unroll
    for (int i = 0; i < ITEMS; ++i) row.room[i * LANES + lane_of()] = held[i];
#endif
    __syncwarp();
    sort_places(row, count, step, places);
#endif
}

// threads of a multiprocessor
#ifndef RESIDENT
#define RESIDENT (KEY_BYTES == 8 || SORTED > 512 ? 512 : KEY_BYTES == 4 || LAYOUT == 2 ? 1024 : 768)
#endif

extern "C" __global__ void __launch_bounds__(THREADS, RESIDENT / THREADS)
    row_firsts_by_warp(const RAW* keys, u64 rows, u32 length, u64 outer_step, u64 step, u32 inner, u32 count,
                       RAW* values, long long* indices) {
    const WarpRow row(keys, rows, length, outer_step, step, inner);
    u32* all_places = (u32*)(ROOMS + (KEY_ROWS + 1) * THREADS);
    u32* places = all_places + threadIdx.x / LANES * PLACES_OF_WARP;
    if (LAYOUT != 2 && !row.begin) return;
    if (row.begin) put_in_order(row, length, count, step, places);
#if LAYOUT == 2
    const u32 mine = threadIdx.x % WARPS, column = row.at - threadIdx.x / LANES + mine;
    __syncthreads();
    if (column < inner)
        for (u32 i = threadIdx.x / WARPS; i < count; i += LANES) {
            const u32 place = all_places[mine * PLACES_OF_WARP + kept_at(i)];
            const u64 to = (row.outer * count + i) * inner + column;
            indices[to] = place, values[to] = ROOMS[mine * ROOM + place];
        }
#else
    __syncwarp();
    for (u32 i = lane_of(); i < count; i += LANES) {
        const u32 place = places[kept_at(i)];
        const u64 to = row.place(count, i, inner);
        indices[to] = place, values[to] = row.begin[place * step];
    }
#endif
}
