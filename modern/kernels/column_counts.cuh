// What is counted in a column, given a bracket of its keys: those below its first key, those staged, numbers, and those
// that equal its first or its last key, which are not staged. If these are the same, `high_equal` is 0.

struct ColumnCounts {
    u32 below, inside, numbers, low_equal, high_equal;
    // keys that come before the staged ones
    __device__ __forceinline__ u64 before() const { return (u64)below + low_equal; }
};
