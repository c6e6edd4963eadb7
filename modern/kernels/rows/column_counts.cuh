// What is counted in a column, given a bracket of its keys: those below its first key, those staged, numbers, and those
// that equal its first or its last key, which are not staged. If these are the same, `high_equal` is 0.

struct ColumnCounts {
    u32 below, inside, numbers, low_equal, high_equal;
    // keys that come before the staged ones
    __device__ __forceinline__ u64 before() const { return (u64)below + low_equal; }
};

// An end of a bracket: a NaN of the sample stands for the largest number.
__device__ __forceinline__ RAW end_of(RAW bits) {
#if FLOATING
    return is_nan(bits) ? INFINITE : bits;
#else
    return bits;
#endif
}

// Whether all numbers were counted: those behind them are NaNs.
__device__ __forceinline__ bool is_last_number(RAW end) {
#if FLOATING
    return end == INFINITE;
#else
    return false;
#endif
}
