// Flipped keys: unsigned integers in the order of the keys, with −0.0 before 0.0, one for each bit pattern. NaNs come
// last, those with a sign behind the others. PAD is the largest one.

#define PAD ((RAW)~(RAW)0)

#define NANS ((RAW)(((RAW)1 << FLOATING) - 1))  // NaNs with a sign: of all bits, they alone would come first

__device__ __forceinline__ RAW flip(RAW bits) {
    if (!FLOATING) return SIGNED ? (RAW)(bits ^ SIGN) : bits;
    return (RAW)((bits & SIGN ? (RAW)~bits : (RAW)(bits | SIGN)) - NANS);
}

__device__ __forceinline__ RAW unflip(RAW key) {
    if (!FLOATING) return flip(key);
    key = (RAW)(key + NANS);
    return key & SIGN ? (RAW)(key ^ SIGN) : (RAW)~key;
}
