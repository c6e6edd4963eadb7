// Copies the keys from one to another, both of them too; their order is not kept. NANS: 1 copies all
// that is not below the first, 2 copies NaNs alone. result[0]: how many.
//
// Reads every key once and writes the chosen ones once. Any grid of blocks of THREADS.

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
    // comparing twice is cheaper than remembering
    __device__ __forceinline__ bool again(RAW bits, bool) const { return wants(bits); }
};

extern "C" __global__ void __launch_bounds__(THREADS)
    between(const RAW* keys, u64 n, RAW first, RAW last, RAW* chosen, u64 room, u64* totals,
            u32* ticket, u64* result) {
    Between filter{value_of(first), value_of(last)};
    compact(keys, n, filter, Together{chosen, room, totals});
    hand_over(totals, 1, ticket, result);
}
