// The two middle keys, and their mean.

// The ranks of the two middle keys of some numbers.
__device__ __forceinline__ void set_middle(u64* rank, u64 numbers) {
    rank[0] = numbers ? (numbers - 1) / 2 : 0, rank[1] = numbers / 2;
}

#if FLOATING == 10
#define MEAN unsigned short
#elif FLOATING
#define MEAN VALUE
#else
#define MEAN double
#endif

// The mean of two middle keys, as NumPy computes it: floats in their own type, integers in double.
__device__ __forceinline__ void write_mean(void* answer, RAW low, RAW high, bool one) {
#if FLOATING == 10
    const float low_value = value_of(low), high_value = value_of(high);
    float mean = one ? low_value : (low_value + high_value) / 2;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(*(unsigned short*)answer) : "f"(mean));
#elif FLOATING
    const VALUE low_value = value_of(low), high_value = value_of(high);
    *(VALUE*)answer = one ? low_value : (low_value + high_value) / 2;
#else
    const double low_value = (double)value_of(low), high_value = (double)value_of(high);
    *(double*)answer = one ? low_value : (low_value + high_value) / 2;
#endif
}
