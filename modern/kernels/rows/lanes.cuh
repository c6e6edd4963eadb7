// What the lanes of a warp do together: sums, and sorts of codes, or of codes with their places, by bitonic networks.

#include "rows.cuh"
#include "scan.cuh"

__device__ __forceinline__ u32 lane_of() { return threadIdx.x % LANES; }
__device__ __forceinline__ u32 lanes_before() { return (1u << lane_of()) - 1; }
__device__ __forceinline__ u32 sum_in_warp(u32 mine) {
#if __CUDA_ARCH__ >= 800
    return __reduce_add_sync(FULL, mine);
#else
    return __shfl_sync(FULL, warp_sum(mine), 0);
#endif
}

template <class Number>
__device__ __forceinline__ Number lesser(Number a, Number b) { return b < a ? b : a; }
template <class Number>
__device__ __forceinline__ Number greater(Number a, Number b) { return a < b ? b : a; }

// Adds one where a condition is true, by one instruction. (The compiler adds always, and then chooses.)
__device__ __forceinline__ void add_if(u32& sum, bool condition) {
    asm("{.reg .pred wanted;\n\t"
        "setp.ne.u32 wanted, %1, 0;\n\t"
        "@wanted add.u32 %0, %0, 1;}" : "+r"(sum) : "r"((u32)condition));
}

// A code and its place. The last entry is that of no key. With NEAR, places have 16 bits: short keys' entries have 32.
#if KEY_BYTES <= 2 && NEAR
typedef u32 Entry;
__device__ __forceinline__ Entry entry_of(Code code, u32 place) { return code << 16 | (place & 0xffff); }
__device__ __forceinline__ u32 place_of(Entry entry) { return entry & 0xffff; }
__device__ __forceinline__ Code code_in(Entry entry) { return entry >> 16; }
#elif KEY_BYTES <= 4
typedef u64 Entry;
__device__ __forceinline__ Entry entry_of(Code code, u32 place) { return (u64)code << 32 | place; }
__device__ __forceinline__ u32 place_of(Entry entry) { return (u32)entry; }
__device__ __forceinline__ Code code_in(Entry entry) { return (Code)(entry >> 32); }
#else
struct Entry {
    Code code;
    u32 place;
    __device__ __forceinline__ bool operator<(const Entry& other) const {
        return code < other.code | (code == other.code & place < other.place);  // no branch
    }
};
__device__ __forceinline__ Entry entry_of(Code code, u32 place) { return {code, place}; }
__device__ __forceinline__ u32 place_of(const Entry& entry) { return entry.place; }
__device__ __forceinline__ Code code_in(const Entry& entry) { return entry.code; }
__device__ __forceinline__ Entry of_lane(Entry mine, u32 step) {
    return {__shfl_xor_sync(FULL, mine.code, step), __shfl_xor_sync(FULL, mine.place, step)};
}
__device__ __forceinline__ Entry inverted(Entry entry, int all) { return {entry.code ^ (Code)all, entry.place ^ all}; }
#endif
__device__ __forceinline__ Entry no_entry() { return entry_of((Code)~(Code)0, ~0u); }

template <class Number>
__device__ __forceinline__ Number of_lane(Number mine, u32 step) { return __shfl_xor_sync(FULL, mine, step); }
template <class Number>
__device__ __forceinline__ Number inverted(Number number, int all) { return number ^ (Number)all; }
template <class Number>
__device__ __forceinline__ Number chosen(Number mine, Number other, bool greatest) {
    return (other < mine) != greatest ? other : mine;
}
__device__ __forceinline__ u32 chosen(u32 mine, u32 other, bool greatest) {
    return greatest ? max(mine, other) : min(mine, other);
}
template <class Number>
__device__ __forceinline__ void exchange(Number& low, Number& high) {
    const Number least = chosen(low, high, false);
    high = chosen(low, high, true), low = least;
}

// Merges: the numbers of some lanes ascend first, and then descend; number i of a lane gets to place lane * EACH + i.
template <int EACH, class Number>
__device__ __forceinline__ void merge_in_lanes(Number (&numbers)[EACH], u32 lanes, u32 lane) {
#pragma unroll (EACH > 1 ? 1 : LANES)
    for (u32 step = lanes / 2; step; step /= 2)
#pragma unroll
        for (int i = 0; i < EACH; ++i) numbers[i] = chosen(numbers[i], of_lane(numbers[i], step), lane & step);
#pragma unroll
    for (int step = EACH / 2; step; step /= 2)
#pragma unroll
        for (int i = 0; i < EACH; ++i)
            if (!(i & step)) exchange(numbers[i], numbers[i + step]);
}

// Sorts the numbers of each COUNT / EACH neighbouring lanes. Where a block of the network goes down, its numbers are
// inverted meanwhile, so that only a lane's own number decides between the lesser and the greater one.
template <int COUNT, int EACH, class Number>
__device__ __forceinline__ void sort_in_lanes(Number (&numbers)[EACH]) {
    const u32 lane = lane_of();
#pragma unroll
    for (int block = 2; block < EACH; block *= 2)
#pragma unroll
        for (int step = block / 2; step; step /= 2)
#pragma unroll
            for (int i = 0; i < EACH; ++i)
                if (!(i & step)) exchange(numbers[i & block ? i + step : i], numbers[i & block ? i : i + step]);
    int was = 0;
#pragma unroll (EACH > 1 ? 1 : LANES)
    for (u32 lanes = EACH > 1 ? 1 : 2; lanes <= COUNT / EACH; lanes *= 2) {
        const int down = lanes < COUNT / EACH && (lane & lanes) ? -1 : 0;
#pragma unroll
        for (int i = 0; i < EACH; ++i) numbers[i] = inverted(numbers[i], down ^ was);
        was = down;
        merge_in_lanes(numbers, lanes, lane);
    }
}

__device__ __forceinline__ Code sorted_in_warp(Code code) {
    Code codes[1] = {code};
    sort_in_lanes<LANES>(codes);
    return codes[0];
}
