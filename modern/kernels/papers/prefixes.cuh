// Prefixes of codes, in ascending order.

// A code shifted right; 0 for a shift by all its bits, which C leaves undefined.
__device__ __forceinline__ RAW shifted(RAW code, u32 shift) {
    return shift < KEY_BITS ? (RAW)(code >> shift) : (RAW)0;
}

// The place of a prefix among `count` prefixes, or `count` if it is not one of them.
__device__ __forceinline__ u32 place_among(const RAW* prefixes, u32 count, RAW prefix) {
    u32 first = 0, last = count;
    while (first < last) {
        const u32 middle = (first + last) / 2;
        if (prefixes[middle] < prefix) first = middle + 1;
        else last = middle;
    }
    return first < count && prefixes[first] == prefix ? first : count;
}
