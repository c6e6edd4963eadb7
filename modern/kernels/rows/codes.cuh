// Keys of rows as codes: integers in registers whose order is the wanted one.
//
// BY is an order (top_keys.cuh): 0, the largest keys first; 1, the smallest; 2, the largest magnitudes. −0.0 has the
// code of 0.0, and every NaN has one code, an end of the order. CODE_LAST is the last code.

#ifndef BY
#define BY 1
#endif

#if KEY_BYTES == 8
typedef u64 Code;
#else
typedef u32 Code;
#endif

#define CODE_LAST ((Code)(RAW)~(RAW)0)
#define NAN_CODE (BY == 1 ? CODE_LAST : (Code)0)

// Adding 0.0 leaves one zero, and one NaN without a sign. Keys of 64 bits may keep the bits of a NaN.
__device__ __forceinline__ RAW with_one_zero(RAW bits) {
#if FLOATING == 23
    float sum;
    asm("add.f32 %0, %1, %2;" : "=f"(sum) : "f"(__uint_as_float(bits)), "f"(0.0f));
    return __float_as_uint(sum);
#elif FLOATING == 7
    float sum;
    asm("add.f32 %0, %1, %2;" : "=f"(sum) : "f"(__uint_as_float((u32)bits << 16)), "f"(0.0f));
    return (RAW)(__float_as_uint(sum) >> 16);
#elif FLOATING == 10
    unsigned short sum;
    asm("add.f16 %0, %1, %2;" : "=h"(sum) : "h"(bits), "h"((unsigned short)0));
    return sum;
#elif FLOATING
    return is_nan(bits) ? (RAW)(SIGN - 1) : bits == SIGN ? (RAW)0 : bits;
#else
    return bits;
#endif
}

__device__ __forceinline__ Code code_of(RAW bits) {
#if FLOATING && BY == 2
    return (Code)(RAW)~(with_one_zero(bits) | SIGN);
#elif FLOATING
    const RAW one = with_one_zero(bits);
    const RAW ascending = one & SIGN ? (RAW)~one : (RAW)(one | SIGN);
    return BY == 1 ? (Code)ascending : (Code)(RAW)~ascending;
#elif BY == 2
    return (Code)(RAW)~magnitude_of(bits);
#else
    const RAW ascending = SIGNED ? (RAW)(bits ^ SIGN) : bits;
    return BY == 1 ? (Code)ascending : (Code)(RAW)~ascending;
#endif
}

// A key that has a code; BY is 0 or 1.
__device__ __forceinline__ RAW key_of(Code code) {
    const RAW ascending = BY == 1 ? (RAW)code : (RAW)~code;
#if FLOATING
    return ascending & SIGN ? (RAW)(ascending ^ SIGN) : (RAW)~ascending;
#else
    return SIGNED ? (RAW)(ascending ^ SIGN) : ascending;
#endif
}

// Whether all keys with a code are the same, bit by bit: zeros, NaNs and magnitudes are not.
__device__ __forceinline__ bool is_of_one_key(Code code) {
    const RAW ascending = BY == 1 ? (RAW)code : (RAW)~code;
    return BY != 2 && !(FLOATING && (ascending == SIGN || code == NAN_CODE));
}
