// Moving a key towards zero by a magnitude `out`: keys of no larger magnitude become zero, NaNs stay.

__device__ __forceinline__ RAW difference(RAW larger, RAW smaller) {
#if FLOATING
    return bits_of(value_of(larger) - value_of(smaller));
#else
    return (RAW)(larger - smaller);
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
