// What rows are asked for (ASK), and where the answers go. An array is seen as (outer, length, inner), and its
// rows lie along the middle axis; so do the ranks (outer, count, inner) and the keys that have them.

#include "middle.cuh"

struct Asked {
    const long long* ranks;
    u32 count, own, inner;  // `own`: each row has its own ranks
    void* answers;

    // `Row` is u32 where rows are so few: the compiler calls a function for a division of 64 bits, and a kernel that
    // calls one is slower, as it does not know any more which threads branch together.
    template <class Row>
    __device__ __forceinline__ u64 place(Row row, u32 i) const {
        return ((u64)(row / inner) * count + i) * inner + row % inner;
    }
    __device__ __forceinline__ u32 rank_at(u64 place, u32 i) const { return (u32)ranks[own ? place : i]; }
    __device__ __forceinline__ void answer_at(u64 place, RAW code) const { ((RAW*)answers)[place] = decode(code); }
    template <class Row>
    __device__ __forceinline__ u32 rank(Row row, u32 i) const { return rank_at(own ? place(row, i) : 0, i); }
    template <class Row>
    __device__ __forceinline__ void answer(Row row, u32 i, RAW code) const { answer_at(place(row, i), code); }
};

// Writes the answer of a row, given the codes of the ranks and how many of its keys are numbers.
template <class Row>
__device__ __forceinline__ void put_answer(const Asked& asked, Row row, u32 i, const RAW* found, const u64* rank,
                                           u64 numbers, u64 length) {
    const RAW none = decode((RAW)~(RAW)0);
    if (ASK == SELECT) asked.answer(row, i, found[0]);
    else if (ASK == MEDIAN && numbers < length || !numbers) write_mean((Mean*)asked.answers + row, none, none, true);
    else write_mean((Mean*)asked.answers + row, decode(found[0]), decode(found[1]), rank[0] == rank[1]);
}
