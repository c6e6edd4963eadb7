// Compaction: copies the keys from `first` to `last`, both included, in any order. With NANS 1 it
// copies all keys that are not below `first`, with NANS 2 NaNs only. result[0]: the number of copies.
//
// Reads every key once and writes every copy once. Any grid of blocks of THREADS.

#include "keys.cuh"
#include "compaction.cuh"

struct Between {
    VALUE first, last;
    __device__ __forceinline__ bool wants(RAW bits) const {
        const VALUE key = value_of(bits);
#if NANS == 2
        return key != key;
#elif NANS
        return !(key < first);
#else
        return key >= first && key <= last;
#endif
    }
    // comparing a second time is cheaper than storing the result
    __device__ __forceinline__ bool again(RAW bits, bool) const { return wants(bits); }
};

extern "C" __global__ void __launch_bounds__(THREADS)
    between(const RAW* keys, u64 n, RAW first, RAW last, RAW* chosen, u64 room, u64* totals,
            u32* ticket, u64* result) {
    Between filter{value_of(first), value_of(last)};
    compact(keys, n, filter, Together{chosen, room, totals});
    hand_over(totals, 1, ticket, result);
}
