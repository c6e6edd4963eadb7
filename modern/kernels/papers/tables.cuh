// Ascending tables.

#include "search.cuh"

// The place of a value in a table, or `count` if it is not there.
template <class Value>
__device__ __forceinline__ u32 place_among(const Value* table, u32 count, Value value) {
    const u32 place = partition_point(0u, count, [&](u32 i) { return table[i] < value; });
    return place < count && table[place] == value ? place : count;
}
