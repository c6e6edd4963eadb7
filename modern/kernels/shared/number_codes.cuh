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
#else
    return (RAW)~(RAW)0;
#endif
}
