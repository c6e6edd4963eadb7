// What all kernels share: the types of keys, their codes, and wide loads. It includes nothing.
//
// Macros define a key: RAW, the unsigned integer of its KEY_BYTES; VALUE, the type for computing, of 4 bytes
// at least; FLOATING, the mantissa bits, or 0; SIGNED. A code is an unsigned integer in the order of the keys:
// −0.0 has the code of 0.0, and every NaN has the largest code (shadersort/keys/codes.py). With MAGNITUDE,
// every key stands for its magnitude.

typedef unsigned int u32;
typedef unsigned long long u64;

#define LANES 32
#define FULL 0xffffffffu
#define KEY_BITS (8 * KEY_BYTES)
#define SIGN ((RAW)((RAW)1 << (KEY_BITS - 1)))

#if FLOATING
#define INFINITE ((RAW)((SIGN - 1) >> FLOATING << FLOATING))
#endif

// |key|, by its bits; of integers as unsigned ones, so that the least one fits.
__device__ __forceinline__ RAW magnitude_of(RAW bits) {
#if FLOATING
    return (RAW)(bits & (RAW)(SIGN - 1));
#elif SIGNED && KEY_BYTES == 2
    // In 32 bits, by an instruction that the compiler cannot replace. It would use abs.s16, and NVRTC 12.9 then
    // compares registers of 32 bits in which |−32,768| has zeros above its 16 bits, and an equal code has ones.
    int magnitude;
    asm("abs.s32 %0, %1;" : "=r"(magnitude) : "r"((int)(short)bits));
    return (RAW)magnitude;
#elif SIGNED
    return bits & SIGN ? (RAW)(0 - bits) : bits;
#else
    return bits;
#endif
}

__device__ __forceinline__ RAW encode(RAW bits) {
#if MAGNITUDE
    bits = magnitude_of(bits);
#endif
#if FLOATING
    RAW code = bits & SIGN ? (RAW)(0 - bits) : (RAW)(bits | SIGN);
    return (RAW)(bits & (SIGN - 1)) > INFINITE ? (RAW)~(RAW)0 : code;
#elif SIGNED && !MAGNITUDE
    return bits ^ SIGN;
#else
    return bits;
#endif
}

__device__ __forceinline__ RAW decode(RAW code) {
#if FLOATING
    return code & SIGN ? (RAW)(code ^ SIGN) : (RAW)(0 - code);
#elif SIGNED && !MAGNITUDE
    return code ^ SIGN;
#else
    return code;
#endif
}

// The codes of numbers, as NaNs have a code of their own: the first one, and the last one.

__device__ __forceinline__ RAW first_number() {
#if FLOATING && MAGNITUDE
    return encode(0);
#elif FLOATING
    return encode((RAW)(SIGN | INFINITE));
#else
    return 0;
#endif
}

__device__ __forceinline__ RAW last_number() {
#if FLOATING
    return encode(INFINITE);
#elif SIGNED && MAGNITUDE
    return SIGN;  // the magnitude of the least integer
#else
    return (RAW)~(RAW)0;
#endif
}

__device__ __forceinline__ VALUE value_of(RAW bits) {
#if MAGNITUDE
    bits = magnitude_of(bits);
#endif
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

#if FLOATING
// The bits of the float nearest to a value; of two equally near ones, those of the even one.
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
#else
    return (RAW)__double_as_longlong(value);
#endif
}
#endif

__device__ __forceinline__ bool is_finite(RAW bits) {
#if FLOATING
    return (RAW)(bits & (SIGN - 1)) < INFINITE;
#else
    return true;
#endif
}

__device__ __forceinline__ bool is_nan(RAW bits) {
#if FLOATING
    return (RAW)(bits & (SIGN - 1)) > INFINITE;
#else
    return false;
#endif
}

// upper − lower, where upper is at or above lower; for integers exact, then rounded to a double
__device__ __forceinline__ double distance(VALUE upper, VALUE lower) {
#if FLOATING
    return (double)upper - (double)lower;
#else
    return (double)(RAW)((RAW)upper - (RAW)lower);
#endif
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
#pragma unroll
        for (int j = 0; j < UNROLL; ++j) loaded[j] = load(keys, i + j * threads);
#pragma unroll
        for (int j = 0; j < UNROLL; ++j)
#pragma unroll
            for (int k = 0; k < PER_LOAD; ++k) body(loaded[j].keys[k]);
        pause();
    }
    for (; i < loads; i += threads) {
        Load loaded = load(keys, i);
#pragma unroll
        for (int k = 0; k < PER_LOAD; ++k) body(loaded.keys[k]);
    }
    const u64 rest = loads * PER_LOAD + thread;
    if (rest < n) body(keys[rest]);
    pause();
}

template <class Body>
__device__ __forceinline__ void for_each_key(const RAW* keys, u64 n, Body body) {
    for_each_key(keys, n, body, [] {});
}

// The sum of a value over a warp, in lane 0.
template <class Number>
__device__ __forceinline__ Number warp_sum(Number value) {
#pragma unroll
    for (int step = LANES / 2; step; step >>= 1) value += __shfl_down_sync(FULL, value, step);
    return value;
}

// Adds what each lane has to a number in shared memory.
__device__ __forceinline__ void add_to(u32* total, u32 mine) {
    const u32 sum = warp_sum(mine);
    if (!(threadIdx.x % LANES) && sum) atomicAdd(total, sum);
}

template <class Number>
__device__ __forceinline__ Number warp_least(Number value) {
#pragma unroll
    for (int step = LANES / 2; step; step >>= 1) {
        Number other = __shfl_down_sync(FULL, value, step);
        value = other < value ? other : value;
    }
    return value;
}

// Reads what another block wrote, bypassing the cache of this block. (The compiler may move the
// intrinsic __ldcg across barriers, as it assumes that the memory does not change.)
template <class Word>
__device__ __forceinline__ Word fresh(const Word* word) {
    return *(const volatile Word*)word;
}

// Adds to a total of all blocks, and returns what it was. With PIECES it may be in another device's memory.
__device__ __forceinline__ u64 add_for_all(u64* total, u64 mine) {
#if PIECES
    return atomicAdd_system(total, mine);
#else
    return atomicAdd(total, mine);
#endif
}

// Whether this block is the last to come here. The last block sees everything that all wrote before.
// `ticket` is 0 before and after.
__device__ __forceinline__ bool comes_last(u32* ticket) {
    __shared__ bool last;
    __threadfence();
    __syncthreads();
    if (!threadIdx.x) last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
    __syncthreads();
    __threadfence();
    return last;
}
