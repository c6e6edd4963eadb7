// The last magnitude that is kept, with SOFT the first one that is not: what one_read.cu told of it.

struct Last {
    const u64* told;  // `Told` in one_read.cu: numbers 0, 2 and 4 are a key, the keys below it, and its equals
    u64 n, count;     // keys, and those that are to be kept
    __device__ __forceinline__ RAW bits() const { return (RAW)told[0]; }
    __device__ __forceinline__ u64 equal() const { return told[4]; }
    // How many of the keys that threshold.cu keeps must become zero. With SOFT it keeps none, unless they are NaNs.
    __device__ __forceinline__ u64 too_many() const {
        return SOFT && !is_nan(bits()) ? 0 : n - told[2] - count;
    }
};
