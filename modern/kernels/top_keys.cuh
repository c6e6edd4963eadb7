// Which keys are chosen: those before a pivot in some order, and the first of its equals, by place.
// (modern/primitives/choice.py)
//
// BY tells the order: 0, the largest first; 1, the smallest; 2, those of largest magnitude.

__device__ __forceinline__ RAW magnitude_of(RAW bits) {
#if FLOATING
    return (RAW)(bits & (RAW)(SIGN - 1));
#elif SIGNED
    return bits & SIGN ? (RAW)(0 - bits) : bits;
#else
    return bits;
#endif
}

// Codes that ascend in this order.
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

// `pivot` is such a code. Its equals are chosen at the places before `end`.
struct TopKeys {
    RAW pivot;
    u64 end;
    __device__ __forceinline__ bool has(RAW bits, u64 place) const {
        const RAW order = order_of(bits);
        return order < pivot || (order == pivot && place < end);
    }
};
