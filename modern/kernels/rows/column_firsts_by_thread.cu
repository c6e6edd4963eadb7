// The first keys of each row or column in an order, and their places: one thread for each, of LENGTH keys, at most 32
// (modern/rows/cuda_short.py). Of equal keys those at the lowest places.
//
// Reads every key once, and sorts the keys with their places in registers. BY is an order, 0 to 2, and MAGNITUDE
// belongs to order 2. FIRSTS is the next power of two from `count` on: the network finds no more entries. If not
// IN_ORDER, the first keys are in the order of their places. `values` and `places` are (outer, count, inner).

#define NEAR 1
#include "keys.cuh"
#include "top_keys.cuh"
#include "top_entries.cuh"
#include "registers.cuh"
#include "thread_column.cuh"

// Whether a code is that of one key: zeros, NaNs and magnitudes have several.
__device__ __forceinline__ bool is_of_one_key(RAW order) {
    const RAW code = BY == 1 ? order : (RAW)~order;
    return BY != 2 && !(FLOATING && (code == SIGN || code == (RAW)~(RAW)0));
}
__device__ __forceinline__ RAW key_of(RAW order) { return decode(BY == 1 ? order : (RAW)~order); }

struct Firsts {
    const ThreadColumn& column;
    u64 step;
    u32 count, inner;
    RAW* values;
    long long* places;

    __device__ __forceinline__ void write(u32 i, RAW key, u32 place) const {
        const u64 to = column.place(count, i, inner);
        values[to] = key, places[to] = place;
    }
    __device__ __forceinline__ void write_in_order(const Entry (&entries)[LENGTH]) const {
#pragma unroll
        for (int i = 0; i < FIRSTS && i < LENGTH; ++i) {
            if (i >= count) break;
            const RAW order = order_in(entries[i]);
            const u32 place = place_of(entries[i]);
            write(i, is_of_one_key(order) ? key_of(order) : column.begin[place * step], place);
        }
    }
    __device__ __forceinline__ void write_by_places(const Entry (&entries)[LENGTH]) const {
        u32 left = 0;  // a bit for each place
#pragma unroll
        for (int i = 0; i < FIRSTS && i < LENGTH; ++i)
            if (i < count) left |= 1u << place_of(entries[i]);
#pragma unroll 1
        for (u32 i = 0; i < count; ++i, left &= left - 1) {
            const u32 place = __ffs(left) - 1;
            write(i, column.begin[place * step], place);
        }
    }
};

extern "C" __global__ void __launch_bounds__(256)
    column_firsts_by_thread(const RAW* keys, u64 rows, u64 outer_step, u64 step, u32 inner, u32 count, RAW* values,
                            long long* places) {
    const ThreadColumn column(keys, rows, outer_step, inner);
    if (!column.begin) return;
    RAW held[LENGTH];
    column.hold_in(held, step);
    Entry entries[LENGTH];
#pragma unroll
    for (int i = 0; i < LENGTH; ++i) entries[i] = entry_of(order_of(held[i]), i);
    sort_in_registers(entries);
    const Firsts firsts{column, step, count, inner, values, places};
#if IN_ORDER
    firsts.write_in_order(entries);
#else
    firsts.write_by_places(entries);
#endif
}
