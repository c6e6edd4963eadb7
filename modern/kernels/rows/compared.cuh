// Keys as they are compared: by their values, which takes fewer instructions than by their codes. With MAGNITUDE,
// integers are compared as their magnitudes.

#include "number_codes.cuh"

#if MAGNITUDE && !FLOATING
typedef RAW Compared;
__device__ __forceinline__ Compared compared(RAW bits) { return magnitude_of(bits); }
#else
typedef VALUE Compared;
__device__ __forceinline__ Compared compared(RAW bits) { return value_of(bits); }
#endif

// What keys with a code are compared as.
__device__ __forceinline__ Compared compared_of(RAW code) {
#if MAGNITUDE && !FLOATING
    return code;
#else
    return compared(decode(code));
#endif
}

// The code of the keys that have a value.
__device__ __forceinline__ RAW code_of(Compared value) {
#if FLOATING
    return encode(bits_of(value));
#else
    return encode((RAW)value);
#endif
}

#ifdef BY
// Which keys are before the last one of those at the top, or equal it (top_keys.cuh).
struct Last {
    Compared value;
    bool nan;
    // `order` is a code of top_keys.cuh; the last one is that of no key, and all keys come before it.
    __device__ __forceinline__ explicit Last(RAW order) {
        const RAW code = BY == 1 ? order : (RAW)~order;
        value = compared_of(code < first_number() ? first_number() : code), nan = FLOATING && code == (RAW)~(RAW)0;
    }
    __device__ __forceinline__ bool has_before(Compared key) const {
#if BY == 1
        return key < value || nan && key == key;
#else
        return !(key <= value) && !nan;
#endif
    }
    __device__ __forceinline__ bool has_upto(Compared key) const {
#if BY == 1
        return key <= value || nan;
#else
        return nan ? key != key : !(key < value);
#endif
    }
    __device__ __forceinline__ bool is_equal(Compared key) const {
        return key == value || nan && key != key;
    }
};
#endif
