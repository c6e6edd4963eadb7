// Binary search: the first number from `first` to `last` for which a test fails; it holds for all numbers before.

template <class Number, class Test>
__device__ __forceinline__ Number partition_point(Number first, Number last, Test holds) {
    while (first < last) {
        const Number middle = first + (last - first) / 2;
        if (holds(middle)) first = middle + 1;
        else last = middle;
    }
    return first;
}

// The place of a value in an ascending table, or `count` if it is not there.
template <class Value>
__device__ __forceinline__ u32 place_among(const Value* table, u32 count, Value value) {
    const u32 place = partition_point(0u, count, [&](u32 i) { return table[i] < value; });
    return place < count && table[place] == value ? place : count;
}
