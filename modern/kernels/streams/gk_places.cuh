// Places of entries in the union of two summaries.

// The number of entries of a row whose codes are below a code, or at most the code if `upto`.
__device__ __forceinline__ u64 entries_before(const RAW* row, u64 entries, RAW code, bool upto) {
    u64 first = 0, last = entries;
    while (first < last) {
        const u64 middle = (first + last) / 2;
        const RAW here = encode(row[middle]);
        if (here < code || (upto && here == code)) first = middle + 1;
        else last = middle;
    }
    return first;
}
