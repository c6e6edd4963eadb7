// The first keys of each row in an order, and their places: one warp for each row of up to ITEMS * LANES keys
// (modern/rows/cuda_top.py). Of equal keys those at the lowest places.
//
// Reads every key once. For few first keys, the first key of each lane gives a bound: if `count` lanes have a key
// up to it, so have the first keys of the row. As a rule, so few keys are up to it that each lane takes one, and a
// bitonic network sorts them.
//
// Otherwise the key of the last rank is selected (warp_select.cuh); the keys before it, and as many of its equals
// as are missing, are collected in the order of their places; and sorted by a network, if IN_ORDER. BY is an order, 0 to 2, and MAGNITUDE belongs to order 2. `values` and `places` are (outer, count,
// inner). Blocks of THREADS, with shared memory for ITEMS + 2 keys of each thread, and for SORTED entries of each
// warp, a key and a place of 32 bits; SORTED is the next power of two from `count` on, at least 32. LAYOUT 0 or
// 2: see warp_rows.cuh.

#include "keys.cuh"
#include "top_keys.cuh"
#include "warp_select.cuh"
#include "warp_rows.cuh"

// A bit for each key that this lane holds and `wanted` is true for.
template <class Wanted>
__device__ __forceinline__ u32 bits_of_lane(const RAW (&held)[ITEMS], u32 length, Wanted wanted) {
    u32 bits = 0;
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        if ((WHOLE || i * LANES + lane_of() < length) && wanted(compared(held[i]))) bits |= 1u << i;
    return bits;
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

__device__ __forceinline__ void sort_entries(RAW* orders, u32* places) {
    for (u32 block = 2; block <= SORTED; block *= 2)
        for (u32 step = block / 2; step; step /= 2) {
            for (u32 i = lane_of(); i < SORTED / 2; i += LANES) {
                const u32 low = 2 * i - (i & (step - 1)), high = low + step;
                const RAW order = orders[low], other = orders[high];
                const u32 place = places[low], at = places[high];
                const bool behind = order > other || order == other && place > at;
                if (behind == !(low & block)) {
                    orders[low] = other, orders[high] = order;
                    places[low] = at, places[high] = place;
                }
            }
            __syncwarp();
        }
}

#define FEW (LANES / 2)  // first keys of which the first keys of the lanes tell enough

// The greater of two keys, and NaN if one is.
__device__ __forceinline__ float greater_or_nan(float a, float b) {
#if __CUDA_ARCH__ >= 800
    float found;
    asm("max.NaN.f32 %0, %1, %2;" : "=f"(found) : "f"(a), "f"(b));
    return found;
#else
    return a != a || a > b ? a : b;
#endif
}
template <class Number>
__device__ __forceinline__ Number greater_or_nan(Number a, Number b) { return a != a || a > b ? a : b; }

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

// A key's code in the order, and its place: one for each lane.
struct Entry {
    RAW order;
    u32 place;
    __device__ __forceinline__ bool operator<(const Entry& other) const {
        return order < other.order | (order == other.order & place < other.place);  // no branch
    }
    __device__ __forceinline__ void sort_in_lanes() {
#pragma unroll
        for (u32 block = 2; block <= LANES; block *= 2)
#pragma unroll
            for (u32 step = block / 2; step; step /= 2) {
                const Entry other{__shfl_xor_sync(FULL, order, step), __shfl_xor_sync(FULL, place, step)};
                const bool least = !(lane_of() & step) == !(lane_of() & block & (LANES - 1));
                const bool taken = (other < *this) == least;
                order = taken ? other.order : order, place = taken ? other.place : place;
            }
    }
};

// Puts the places of all first keys behind each other, and perhaps of some more, if the first keys of the lanes
// tell which they are; returns how many these are, or 0.
__device__ __forceinline__ u32 put_few(const RAW (&held)[ITEMS], u32 length, u32 count, u32* places) {
    const RAW order = __shfl_sync(FULL, sorted_in_lanes<LANES>(first_of_lane(held, length)), count - 1);
    if (order == (RAW)~(RAW)0) return 0;
    const Last last(order);
    const u32 upto = last.nan
        ? bits_of_lane(held, length, [&](Compared key) { return key != key; })
        : bits_of_lane(held, length, [&](Compared key) { return BY == 1 ? key <= last.value : !(key < last.value); });
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

// Writes the first keys, if they are few and easily found; returns whether they are.
__device__ __forceinline__ bool write_few(const WarpRow& row, const RAW (&held)[ITEMS], u32 length, u32 count,
                                          u32 inner, u64 step, u32* places, RAW* values, long long* indices) {
    const u32 total = put_few(held, length, count, places);
    if (!total) return false;
    __syncwarp();
    Entry entry{(RAW)~(RAW)0, ~0u};
    if (lane_of() < total) entry.place = places[lane_of()], entry.order = order_of(row.begin[entry.place * step]);
    entry.sort_in_lanes();
    if (!IN_ORDER) {
        entry.order = lane_of() < count ? 0 : (RAW)~(RAW)0;  // the places of the first ones decide
        entry.sort_in_lanes();
    }
    if (lane_of() < count) {
        const u64 to = row.place(count, lane_of(), inner);
        indices[to] = entry.place, values[to] = row.begin[entry.place * step];
    }
    return true;
}

extern "C" __global__ void __launch_bounds__(THREADS, (KEY_BYTES == 8 ? 512 : KEY_BYTES == 4 ? 1024 : 768) / THREADS)
    row_firsts_by_warp(const RAW* keys, u64 rows, u32 length, u64 outer_step, u64 step, u32 inner, u32 count,
                       RAW* values, long long* indices) {
    const WarpRow row(keys, rows, length, outer_step, step, inner);
    if (!row.begin) return;
    RAW* entries = ROOMS + (ITEMS + 2) * THREADS;
    RAW* orders = entries + threadIdx.x / LANES * SORTED;
    u32* places = (u32*)(entries + WARPS * SORTED) + threadIdx.x / LANES * SORTED;
    RAW held[ITEMS];
    row.hold_in(held, length);
    if (count <= FEW && write_few(row, held, length, count, inner, step, places, values, indices)) return;
    __syncwarp();
    const RAW code = Search(held, row.room + lane_of(), row.bins, BY == 1 ? count - 1 : length - count).run(length).code;
    const Last last(BY == 1 ? code : (RAW)~code);
    const u32 before = bits_of_lane(held, length, [&](Compared key) { return last.has_before(key); });
    const u32 equal = bits_of_lane(held, length, [&](Compared key) { return last.is_equal(key); });
    put(before, 0, places);
    const u32 found = put_lowest(equal, sum_in_warp(__popc(before)), count, places);
    __syncwarp();
    for (u32 i = lane_of(); i < found; i += LANES)
        orders[i] = IN_ORDER ? order_of(row.begin[places[i] * step]) : 0;  // places alone, if not IN_ORDER
    for (u32 i = found + lane_of(); i < SORTED; i += LANES) orders[i] = (RAW)~(RAW)0, places[i] = ~0u;
    __syncwarp();
    sort_entries(orders, places);
    for (u32 i = lane_of(); i < count; i += LANES) {
        const u64 to = row.place(count, i, inner);
        indices[to] = places[i], values[to] = row.begin[places[i] * step];
    }
}
