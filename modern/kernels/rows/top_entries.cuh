// A key's code in an order (top_keys.cuh), and its place, as one number for the networks of warp_lanes.cuh. The last
// entry is that of no key. With NEAR, all places are below 2¹⁶: then the entries of short keys are sorted as numbers of
// 32 bits, by a fraction of the instructions.

#include "warp_lanes.cuh"

#if KEY_BYTES <= 2 && NEAR
typedef u32 Entry;
__device__ __forceinline__ Entry entry_of(RAW order, u32 place) { return (u32)order << 16 | (place & 0xffff); }
__device__ __forceinline__ u32 place_of(Entry entry) { return entry & 0xffff; }
__device__ __forceinline__ RAW order_in(Entry entry) { return (RAW)(entry >> 16); }
#elif KEY_BYTES <= 4
typedef u64 Entry;
__device__ __forceinline__ Entry entry_of(RAW order, u32 place) { return (u64)order << 32 | place; }
__device__ __forceinline__ u32 place_of(Entry entry) { return (u32)entry; }
__device__ __forceinline__ RAW order_in(Entry entry) { return (RAW)(entry >> 32); }
#else
struct Entry {
    RAW order;
    u32 place;
    __device__ __forceinline__ bool operator<(const Entry& other) const {
        return order < other.order | (order == other.order & place < other.place);  // no branch
    }
};
__device__ __forceinline__ Entry entry_of(RAW order, u32 place) { return {order, place}; }
__device__ __forceinline__ u32 place_of(const Entry& entry) { return entry.place; }
__device__ __forceinline__ RAW order_in(const Entry& entry) { return entry.order; }
__device__ __forceinline__ Entry of_lane(Entry mine, u32 step) {
    return {__shfl_xor_sync(FULL, mine.order, step), __shfl_xor_sync(FULL, mine.place, step)};
}
__device__ __forceinline__ Entry inverted(Entry entry, int all) { return {entry.order ^ (RAW)all, entry.place ^ all}; }
#endif

__device__ __forceinline__ Entry no_entry() { return entry_of((RAW)~(RAW)0, ~0u); }
