// An order of keys: BY is 0 for the largest first, 1 for the smallest (shadersort/selection/top_keys.py). With MAGNITUDE,
// 0 is for the largest magnitudes.

// Codes whose smallest values come first in this order.
__device__ __forceinline__ RAW order_of(RAW bits) { return BY ? encode(bits) : (RAW)~encode(bits); }
