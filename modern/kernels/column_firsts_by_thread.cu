// The first keys of each row or column in an order, and their places: one thread for each, of LENGTH keys, at most 32
// (modern/rows/cuda_short.py). Of equal keys those at the lowest places.
//
// Reads every key once, and sorts the keys with their places in registers. BY is an order, 0 to 2, and MAGNITUDE
// belongs to order 2. FIRSTS is the next power of two from `count` on: the network finds no more numbers. If not
// IN_ORDER, the first keys are in the order of their places. `values` and `places` are (outer, count, inner).

#include "keys.cuh"
#include "top_keys.cuh"
#include "top_entries.cuh"
#include "registers.cuh"
#include "thread_column.cuh"

// A key's code in the order, and its place, as one number; of short keys in 32 bits.
#if KEY_BYTES <= 2
typedef u32 Placed;
__device__ __forceinline__ Placed placed(RAW order, u32 place) { return (u32)order << 16 | place; }
__device__ __forceinline__ RAW order_of_placed(Placed number) { return (RAW)(number >> 16); }
__device__ __forceinline__ u32 place_of_placed(Placed number) { return number & 0xffff; }
#else
typedef Entry Placed;
__device__ __forceinline__ Placed placed(RAW order, u32 place) { return entry_of(order, place); }
__device__ __forceinline__ RAW order_of_placed(const Placed& number) { return order_in(number); }
__device__ __forceinline__ u32 place_of_placed(const Placed& number) { return place_of(number); }
#endif

// The key of a number, if there is one: zeros, NaNs and magnitudes have several.
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
    __device__ __forceinline__ void write_in_order(const Placed (&numbers)[LENGTH]) const {
#pragma unroll
        for (int i = 0; i < FIRSTS && i < LENGTH; ++i) {
            if (i >= count) break;
            const RAW order = order_of_placed(numbers[i]);
            const u32 place = place_of_placed(numbers[i]);
            write(i, is_of_one_key(order) ? key_of(order) : column.begin[place * step], place);
        }
    }
    __device__ __forceinline__ void write_by_places(const Placed (&numbers)[LENGTH]) const {
        u32 left = 0;  // a bit for each place
#pragma unroll
        for (int i = 0; i < FIRSTS && i < LENGTH; ++i)
            if (i < count) left |= 1u << place_of_placed(numbers[i]);
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
    Placed numbers[LENGTH];
#pragma unroll
    for (int i = 0; i < LENGTH; ++i) numbers[i] = placed(order_of(held[i]), i);
    sort_in_registers(numbers);
    const Firsts firsts{column, step, count, inner, values, places};
#if IN_ORDER
    firsts.write_in_order(numbers);
#else
    firsts.write_by_places(numbers);
#endif
}
