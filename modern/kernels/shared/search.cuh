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
