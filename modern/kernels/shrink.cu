// Moves keys towards zero by a magnitude, and those of no larger one to zero: soft thresholding. NaNs
// stay.
//
// Reads and writes every key once. Any grid.

#include "keys.cuh"

#if FLOATING
#define UNSIGNED_BITS(bits) ((RAW)(bits & (RAW)(SIGN - 1)))
#else
#define UNSIGNED_BITS(bits) ((RAW)(SIGNED && (bits & SIGN) ? 0 - bits : bits))
#endif

__device__ __forceinline__ RAW difference(RAW larger, RAW smaller) {
#if FLOATING == 10
    unsigned short bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value_of(larger) - value_of(smaller)));
    return bits;
#elif FLOATING == 23
    return __float_as_uint(__fsub_rn(value_of(larger), value_of(smaller)));
#elif FLOATING == 52
    return (RAW)__double_as_longlong(__dsub_rn(value_of(larger), value_of(smaller)));
#else
    return larger - smaller;
#endif
}

extern "C" __global__ void shrink(const RAW* keys, u64 n, RAW out, RAW* shrunk) {
    const u64 stride = (u64)gridDim.x * blockDim.x;
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        const RAW bits = keys[i], size = UNSIGNED_BITS(bits);
        RAW left = size > out ? difference(size, out) : (RAW)0;
#if FLOATING
        if (left) left |= bits & SIGN;
        if (is_nan(bits)) left = bits;
#else
        if (SIGNED && bits & SIGN) left = (RAW)(0 - left);
#endif
        shrunk[i] = left;
    }
}
