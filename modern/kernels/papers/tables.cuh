// Ascending tables, and a binary search in them.

// The place of the first value in a table that is not below another one.
template <class Value>
__device__ __forceinline__ u32 lower_bound(const Value* table, u32 count, Value value) {
    u32 first = 0, last = count;
    while (first < last) {
        const u32 middle = (first + last) / 2;
        if (table[middle] < value) first = middle + 1;
        else last = middle;
    }
    return first;
}

// The place of a value, or `count` if it is not there.
template <class Value>
__device__ __forceinline__ u32 place_among(const Value* table, u32 count, Value value) {
    const u32 place = lower_bound(table, count, value);
    return place < count && table[place] == value ? place : count;
}

// A code shifted right; 0 for a shift by all its bits, which C leaves undefined.
__device__ __forceinline__ RAW shifted(RAW code, u32 shift) {
    return shift < KEY_BITS ? (RAW)(code >> shift) : (RAW)0;
}
