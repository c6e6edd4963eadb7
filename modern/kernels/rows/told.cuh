// Answers from codes in an order (top_keys.cuh) and places: the key at a place is read only if several keys have its
// code.

#include "top_keys.cuh"

__device__ __forceinline__ RAW key_at(const RAW* keys, RAW order, u32 place) {
    const RAW code = BY == 1 ? order : (RAW)~order;
#if FLOATING
    const bool several = code == SIGN || code == (RAW)~(RAW)0;  // both zeros, all NaNs
    return BY == 2 || several ? keys[place] : decode(code);
#else
    return BY == 2 ? keys[place] : decode(code);
#endif
}
