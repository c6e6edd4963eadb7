// What all kernels share: the types of keys, their codes, and wide loads; and what threads do together.
//
// Macros define a key: RAW, the unsigned integer of its KEY_BYTES; VALUE, the type for computing, of 4 bytes
// at least; FLOATING, the mantissa bits, or 0; SIGNED. A code is an unsigned integer in the order of the keys:
// −0.0 has the code of 0.0, and every NaN has the largest code (shadersort/keys/codes.py). With MAGNITUDE,
// every key stands for its magnitude.

typedef unsigned int u32;
typedef unsigned long long u64;

// Before a loop: it is unrolled, or is not, as a kernel of a few kilobytes is in the instruction cache sooner.
#define UNROLLED _Pragma("unroll")
#define ROLLED _Pragma("unroll 1")

#define LANES 32
#define FULL 0xffffffffu
#define KEY_BITS (8 * KEY_BYTES)
#define SIGN ((RAW)((RAW)1 << (KEY_BITS - 1)))
#define INFINITE ((RAW)((SIGN - 1) >> FLOATING << FLOATING))  // of floats
#ifndef MAGNITUDE
#define MAGNITUDE 0
#endif

// |key|, by its bits; of integers as unsigned ones, so that the least one fits.
__device__ __forceinline__ RAW magnitude_of(RAW bits) {
    if (!FLOATING && SIGNED && KEY_BYTES == 2) {
        // In 32 bits, by an instruction that the compiler cannot replace. It would use abs.s16, and NVRTC 12.9 then
        // compares registers of 32 bits in which |−32,768| has zeros above its 16 bits, and an equal code has ones.
        int magnitude;
        asm("abs.s32 %0, %1;" : "=r"(magnitude) : "r"((int)(short)bits));
        return (RAW)magnitude;
    }
    return FLOATING ? (RAW)(bits & (RAW)(SIGN - 1)) : SIGNED && bits & SIGN ? (RAW)(0 - bits) : bits;
}

__device__ __forceinline__ RAW encode(RAW bits) {
    if (MAGNITUDE) bits = magnitude_of(bits);
    if (!FLOATING) return SIGNED && !MAGNITUDE ? (RAW)(bits ^ SIGN) : bits;
    const RAW code = bits & SIGN ? (RAW)(0 - bits) : (RAW)(bits | SIGN);
    return (RAW)(bits & (SIGN - 1)) > INFINITE ? (RAW)~(RAW)0 : code;
}

__device__ __forceinline__ RAW decode(RAW code) {
    if (FLOATING) return code & SIGN ? (RAW)(code ^ SIGN) : (RAW)(0 - code);
    return SIGNED && !MAGNITUDE ? (RAW)(code ^ SIGN) : code;
}

// Codes whose smallest values come first in an order (shadersort/selection/top_keys.py): BY is 0, the largest keys first;
// or 1, the smallest; or 2, the largest magnitudes. With MAGNITUDE, 0 is that, too.
#ifndef BY
#define BY 1
#endif
__device__ __forceinline__ RAW order_of(RAW bits) { return BY ? encode(bits) : (RAW)~encode(bits); }

// The codes of numbers, as NaNs have a code of their own: the first one, and the last one.
__device__ __forceinline__ RAW first_number() {
    return FLOATING ? encode(MAGNITUDE ? (RAW)0 : (RAW)(SIGN | INFINITE)) : (RAW)0;
}
__device__ __forceinline__ RAW last_number() {
    if (FLOATING) return encode(INFINITE);
    return SIGNED && MAGNITUDE ? SIGN : (RAW)~(RAW)0;  // SIGN is the magnitude of the least integer
}

__device__ __forceinline__ VALUE value_of(RAW bits) {
    if (MAGNITUDE) bits = magnitude_of(bits);
#if FLOATING == 10
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
    return value;
#elif FLOATING == 7
    return __uint_as_float((u32)bits << 16);
#elif FLOATING == 23
    return __uint_as_float(bits);
#elif FLOATING == 52
    return __longlong_as_double((long long)bits);
#elif KEY_BYTES == 1 && SIGNED && !MAGNITUDE
    return (signed char)bits;
#elif KEY_BYTES == 2 && SIGNED && !MAGNITUDE
    return (short)bits;
#else
    return (VALUE)bits;
#endif
}

// The bits of the float nearest to a value; of two equally near ones, those of the even one. Or of an integer.
__device__ __forceinline__ RAW bits_of(VALUE value) {
#if FLOATING == 10
    unsigned short bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
    return bits;
#elif FLOATING == 7
    const u32 bits = __float_as_uint(value);
    if (value != value) return (RAW)(bits >> 16 | 0x40);  // its payload might be in the bits that are lost
    return (RAW)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
#elif FLOATING == 23
    return __float_as_uint(value);
#elif FLOATING
    return (RAW)__double_as_longlong(value);
#else
    return (RAW)value;
#endif
}

__device__ __forceinline__ bool is_finite(RAW bits) { return !FLOATING || (RAW)(bits & (SIGN - 1)) < INFINITE; }
__device__ __forceinline__ bool is_nan(RAW bits) { return FLOATING && (RAW)(bits & (SIGN - 1)) > INFINITE; }

// upper − lower, where upper is at or above lower; for integers exact, then rounded to a double
__device__ __forceinline__ double distance(VALUE upper, VALUE lower) {
    return FLOATING ? (double)upper - (double)lower : (double)(RAW)((RAW)upper - (RAW)lower);
}

// A code shifted right; 0 for a shift by all its bits, which C leaves undefined.
__device__ __forceinline__ RAW shifted(RAW code, u32 shift) {
#if KEY_BYTES == 8
    u64 found;
    asm("shr.u64 %0, %1, %2;" : "=l"(found) : "l"(code), "r"(shift));
#else
    u32 found;
    asm("shr.u32 %0, %1, %2;" : "=r"(found) : "r"((u32)code), "r"(shift));
#endif
    return (RAW)found;
}

#define PER_LOAD (16 / KEY_BYTES)

// A bit for each key of some loads.
#if KEY_BYTES == 1
typedef u64 Bits;
#else
typedef u32 Bits;
#endif

union Load {
    uint4 words;
    RAW keys[PER_LOAD];
};

__device__ __forceinline__ Load load(const RAW* keys, u64 i) {
    Load loaded;
    loaded.words = __ldcs((const uint4*)keys + i);
    return loaded;
}

// The number of keys before the first address that is a multiple of 16 bytes.
__device__ __forceinline__ u64 head_of(const RAW* keys, u64 n) {
    const u64 head = (0 - (u64)keys) % 16 / sizeof(RAW);
    return head < n ? head : n;
}

// Calls `body` for every key of a contiguous array, and `pause` after every few keys. All threads of the
// grid share the array. UNROLL loads are in flight at once.
#ifndef UNROLL
#define UNROLL 4
#endif
template <class Body, class Pause>
__device__ __forceinline__ void for_each_key(const RAW* keys, u64 n, Body body, Pause pause) {
    const u64 thread = (u64)blockIdx.x * blockDim.x + threadIdx.x, threads = (u64)gridDim.x * blockDim.x;
    const u64 head = head_of(keys, n);
    if (thread < head) body(keys[thread]);
    keys += head, n -= head;
    const u64 loads = n / PER_LOAD;
    u64 i = thread;
    for (; i + (UNROLL - 1) * threads < loads; i += UNROLL * threads) {
        Load loaded[UNROLL];
        UNROLLED for (int j = 0; j < UNROLL; ++j) loaded[j] = load(keys, i + j * threads);
        UNROLLED for (int j = 0; j < UNROLL; ++j)
            UNROLLED for (int k = 0; k < PER_LOAD; ++k) body(loaded[j].keys[k]);
        pause();
    }
    for (; i < loads; i += threads) {
        Load loaded = load(keys, i);
        UNROLLED for (int k = 0; k < PER_LOAD; ++k) body(loaded.keys[k]);
    }
    const u64 rest = loads * PER_LOAD + thread;
    if (rest < n) body(keys[rest]);
    pause();
}

template <class Body>
__device__ __forceinline__ void for_each_key(const RAW* keys, u64 n, Body body) { for_each_key(keys, n, body, [] {}); }

#include "threads.cuh"
