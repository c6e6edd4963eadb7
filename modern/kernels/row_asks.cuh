// What rows are asked for (ASK), and where the answers go. An array is seen as (outer, length, inner), and its
// rows lie along the middle axis; so do the ranks (outer, count, inner) and the keys that have them.

#include "middle.cuh"

struct Asked {
    const long long* ranks;
    u32 count, own, inner;  // `own`: each row has its own ranks
    void* answers;

    __device__ __forceinline__ u64 place(u64 row, u32 i) const {
        return (row / inner * count + i) * inner + row % inner;
    }
    __device__ __forceinline__ u32 rank(u64 row, u32 i) const {
        return (u32)ranks[own ? place(row, i) : i];
    }
    __device__ __forceinline__ void answer(u64 row, u32 i, RAW code) const {
        ((RAW*)answers)[place(row, i)] = decode(code);
    }
};
