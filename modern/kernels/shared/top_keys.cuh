// The keys at the top of an order: the keys before a pivot, and the first of its equals by place
// (shadersort/selection/top_keys.py).
//
// BY is the order: 0, the largest keys first; 1, the smallest; 2, the largest magnitudes.

// Codes whose smallest values come first in this order.
__device__ __forceinline__ RAW order_of(RAW bits) {
#if BY == 0
    return (RAW)~encode(bits);
#elif BY == 1
    return encode(bits);
#elif FLOATING
    return (RAW)~encode(magnitude_of(bits));
#else
    return (RAW)~magnitude_of(bits);
#endif
}

// `pivot` is such a code. Keys equal to it are at the top at places before `end`.
struct TopKeys {
    RAW pivot;
    u64 end;
    __device__ __forceinline__ bool has(RAW bits, u64 place) const {
        const RAW order = order_of(bits);
        return order < pivot || (order == pivot && place < end);
    }
};
