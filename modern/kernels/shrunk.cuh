// Moving a key towards zero by a magnitude `out`: keys of no larger magnitude become zero, NaNs stay.

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

__device__ __forceinline__ RAW shrunk(RAW bits, RAW out) {
    const RAW size = magnitude_of(bits);
    if (is_nan(bits)) return bits;
    if (size <= out) return 0;
    const RAW left = difference(size, out);
#if FLOATING
    return (RAW)(left | (bits & SIGN));
#else
    return SIGNED && (bits & SIGN) ? (RAW)(0 - left) : left;
#endif
}
