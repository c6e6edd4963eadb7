// The first keys of each row in an order, and their places: one warp for each row of up to ITEMS * LANES keys
// (modern/rows/cuda_top.py). Of equal keys those at the lowest places.
//
// Reads every key once. The key of the last rank is selected (warp_select.cuh); the keys before it, and as many
// of its equals as are missing, are collected in the order of their places; and sorted by a bitonic network, if
// IN_ORDER. BY is an order, 0 to 2, and MAGNITUDE belongs to order 2. `values` and `places` are (outer, count,
// inner). Blocks of THREADS, with shared memory for ITEMS + 2 keys of each thread, and for SORTED entries of each
// warp, a key and a place of 32 bits; SORTED is the next power of two from `count` on, at least 32. LAYOUT 0 or
// 2: see warp_rows.cuh.

#include "keys.cuh"
#include "top_keys.cuh"
#include "warp_select.cuh"
#include "warp_rows.cuh"

// Which keys are before the last one of those at the top, or equal it.
struct Last {
    Compared value;
    bool nan;
    __device__ __forceinline__ bool is_behind(Compared key) const {
#if BY == 1
        return key < value || nan && key == key;
#else
        return !(key <= value) && !nan;
#endif
    }
    __device__ __forceinline__ bool is_equal(Compared key) const {
        return key == value || nan && key != key;
    }
};

// Collects the keys for which `wanted` is true, up to `most` entries. Returns how many there are then.
template <class Wanted>
__device__ __forceinline__ u32 collect(const RAW (&held)[ITEMS], u32 length, u32 found, u32 most, RAW* orders,
                                       u32* places, Wanted wanted) {
#pragma unroll
    for (int i = 0; i < ITEMS; ++i) {
        const u32 place = i * LANES + lane_of();
        const bool is_wanted = place < length && wanted(compared(held[i]));
        const u32 votes = __ballot_sync(FULL, is_wanted);
        if (!votes) continue;
        const u32 at = found + __popc(votes & ((1u << lane_of()) - 1));
        if (is_wanted && at < most) orders[at] = IN_ORDER ? order_of(held[i]) : 0, places[at] = place;
        found += __popc(votes);
    }
    return found < most ? found : most;
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

extern "C" __global__ void __launch_bounds__(THREADS)
    row_firsts_by_warp(const RAW* keys, u64 rows, u32 length, u64 outer_step, u64 step, u32 inner, u32 count,
                       RAW* values, long long* indices) {
    const WarpRow row(keys, rows, length, outer_step, step, inner);
    if (!row.begin) return;
    RAW* entries = (RAW*)memory + (ITEMS + 2) * THREADS;
    RAW* orders = entries + threadIdx.x / LANES * SORTED;
    u32* places = (u32*)(entries + WARPS * SORTED) + threadIdx.x / LANES * SORTED;
    RAW held[ITEMS];
    row.hold_in(held, length);
    const RAW code = Search(held, row.room + lane_of(), BY == 1 ? count - 1 : length - count).run(length).code;
    const Last last{compared_of(code), FLOATING && code == (RAW)~(RAW)0};
    u32 found = collect(held, length, 0, count, orders, places, [&](Compared key) { return last.is_behind(key); });
    found = collect(held, length, found, count, orders, places, [&](Compared key) { return last.is_equal(key); });
    for (u32 i = found + lane_of(); i < SORTED; i += LANES) orders[i] = (RAW)~(RAW)0, places[i] = ~0u;
    __syncwarp();
    sort_entries(orders, places);
    for (u32 i = lane_of(); i < count; i += LANES) {
        const u64 to = (row.number / inner * count + i) * inner + row.number % inner;
        indices[to] = places[i], values[to] = row.begin[places[i] * step];
    }
}
