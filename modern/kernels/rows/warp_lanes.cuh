// What the lanes of a warp do together: sums, and sorts by networks.

#include "scan.cuh"
#include "shared_lists.cuh"

__device__ __forceinline__ u32 lane_of() { return threadIdx.x % LANES; }

__device__ __forceinline__ u32 sum_in_warp(u32 mine) {
#if __CUDA_ARCH__ >= 800
    return __reduce_add_sync(FULL, mine);
#else
#pragma unroll
    for (int step = LANES / 2; step; step >>= 1) mine += __shfl_xor_sync(FULL, mine, step);
    return mine;
#endif
}

// The number that all lanes have. The compiler knows then that they have the same, and that they branch together.
__device__ __forceinline__ u32 of_warp(u32 same) {
#if __CUDA_ARCH__ >= 800
    return __reduce_max_sync(FULL, same);
#else
    return same;
#endif
}

// The same number, in a register: the compiler does not find it again where it is used.
__device__ __forceinline__ u32 kept(u32 number) {
    asm volatile("" : "+r"(number));
    return number;
}

template <class Number>
__device__ __forceinline__ Number lesser(Number a, Number b) { return b < a ? b : a; }
template <class Number>
__device__ __forceinline__ Number greater(Number a, Number b) { return a < b ? b : a; }
__device__ __forceinline__ float lesser(float a, float b) { return fminf(a, b); }
__device__ __forceinline__ float greater(float a, float b) { return fmaxf(a, b); }

// The greater of two numbers, and NaN if one is.
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

// What a network of compare-exchanges does with numbers: those of another lane, inverted ones where `all` has all bits
// set, and the lesser or the greater one.
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

// Merges, by a bitonic network: the numbers of some lanes ascend first, and then descend; number i of a lane gets to
// place lane * EACH + i.
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
    const u32 lane = kept(lane_of());  // no predicates are kept from one sort to another
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

// The codes of COUNT neighbouring lanes in order.
template <int COUNT>
__device__ __forceinline__ RAW sorted_in_lanes(RAW code) {
#if KEY_BYTES == 8
    RAW codes[1] = {code};
#else
    u32 codes[1] = {code};
#endif
    sort_in_lanes<COUNT>(codes);
    return (RAW)codes[0];
}
