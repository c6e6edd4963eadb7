// What is asked: the key of a rank; the mean of the two middle keys, NaN if any key is; or that of the numbers.

#define SELECT 0
#define MEDIAN 1
#define NANMEDIAN 2

// The ranks of the two middle keys of some numbers.
__device__ __forceinline__ void set_middle(u64* rank, u64 numbers) {
    rank[0] = numbers ? (numbers - 1) / 2 : 0, rank[1] = numbers / 2;
}

// The type of a mean: that of the keys, by their bits, or double.
#if FLOATING
typedef RAW Mean;
#else
typedef double Mean;
#endif

// The mean of two middle keys, as NumPy computes it: floats in their own type, integers in double. If both are
// `one` key, it is the mean, as a sum could overflow.
__device__ __forceinline__ void write_mean(Mean* answer, RAW low, RAW high, bool one) {
    const VALUE low_value = value_of(low), high_value = value_of(high);
    if (FLOATING) *answer = bits_of(one ? low_value : (low_value + high_value) / 2);
    else *answer = one ? (double)low_value : ((double)low_value + (double)high_value) / 2;
}
