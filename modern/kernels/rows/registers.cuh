// Numbers in the registers of one thread: sorted by a network, and chosen by their place.

#include "warp_lanes.cuh"

// Sorts by Batcher's odd-even merges: pairs of blocks of HALF sorted numbers are merged, by comparisons of numbers that
// are STEP apart. Numbers that are not used afterwards take no instructions. (The compiler does not unroll loops over
// both sizes.)
template <int HALF = 1, int STEP = 1, int COUNT, class Number>
__device__ __forceinline__ void sort_in_registers(Number (&numbers)[COUNT]) {
    if constexpr (HALF < COUNT) {
#pragma unroll
        for (int low = STEP % HALF; low + STEP < COUNT; ++low)
            if ((low - STEP % HALF) / STEP % 2 == 0 && low / (2 * HALF) == (low + STEP) / (2 * HALF))
                exchange(numbers[low], numbers[low + STEP]);
        sort_in_registers<STEP == 1 ? 2 * HALF : HALF, STEP == 1 ? 2 * HALF : STEP / 2>(numbers);
    }
}

// The number at a place, one of the first 2 * STEP: in as many steps as the place has bits. Others are overwritten.
template <int STEP, int COUNT, class Number>
__device__ __forceinline__ Number number_left(Number (&numbers)[COUNT], u32 place) {
    if constexpr (STEP > 0) {
#pragma unroll
        for (int i = 0; i < STEP; ++i)
            if (i + STEP < COUNT && place & STEP) numbers[i] = numbers[i + STEP];
        return number_left<STEP / 2>(numbers, place);
    }
    return numbers[0];
}

template <int COUNT, class Number>
__device__ __forceinline__ Number number_at(const Number (&numbers)[COUNT], u32 place) {
    Number left[COUNT];
#pragma unroll
    for (int i = 0; i < COUNT; ++i) left[i] = numbers[i];
    return number_left<(COUNT > LANES ? LANES : LANES / 2)>(left, place);
}
