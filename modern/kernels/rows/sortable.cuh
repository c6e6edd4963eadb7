// Numbers of 32 bits at least that a network sorts as the keys: few instructions make one, and the key is found from
// it. −0.0 has that of 0.0, and every NaN has the largest number.

#if KEY_BYTES == 8
typedef u64 Sortable;
#else
typedef u32 Sortable;
#endif

#if FLOATING && KEY_BYTES < 8
// Adding 0.0 leaves one zero, and one NaN, whose sign is not set: 0x7fffffff.
__device__ __forceinline__ float added_to_zero(float value) { return value + 0.0f; }

__device__ __forceinline__ Sortable sortable(RAW bits) {
    const u32 same = __float_as_uint(added_to_zero(value_of(bits)));
    return same ^ ((u32)((int)same >> 31) | 0x80000000u);
}
__device__ __forceinline__ RAW sorted_key(Sortable number) {
    return bits_of(__uint_as_float(number ^ ((u32)((int)~number >> 31) | 0x80000000u)));
}
#else
__device__ __forceinline__ Sortable sortable(RAW bits) { return encode(bits); }
__device__ __forceinline__ RAW sorted_key(Sortable number) { return decode((RAW)number); }
#endif

#define NO_NUMBER ((Sortable)~(Sortable)0)
