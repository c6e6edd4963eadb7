// Moving a key towards zero by a magnitude `out`: keys of no larger magnitude become zero, NaNs stay.

__device__ __forceinline__ RAW difference(RAW larger, RAW smaller) {
    return FLOATING ? bits_of(value_of(larger) - value_of(smaller)) : (RAW)(larger - smaller);
}

// Without a branch: lanes that went different ways would take twice as long.
__device__ __forceinline__ RAW shrunk(RAW bits, RAW out) {
    const RAW size = magnitude_of(bits), left = difference(size, out);
    const RAW moved = FLOATING ? (RAW)(left | (bits & SIGN)) : SIGNED && (bits & SIGN) ? (RAW)(0 - left) : left;
    return is_nan(bits) ? bits : size <= out ? (RAW)0 : moved;
}
