// Copies the keys of some buckets, in any order; with SINGLE, of one. `flags` has a bit for each
// bucket. result[0]: how many.
//
// Reads every key once and writes the chosen ones once. Any grid of blocks of THREADS.

#include "keys.cuh"
#include "buckets.cuh"
#include "compaction.cuh"

#if SINGLE
typedef u32 Which;
#else
typedef const u32* Which;
#endif

struct OfBuckets {
    const Division& division;
    Which which;
    __device__ __forceinline__ bool wants(RAW bits) const {
        const VALUE key = value_of(bits);
        if (!is_inside(division, key)) return false;
        const u32 bucket = bucket_of(division, key);
#if SINGLE
        return bucket == which;
#else
        return which[bucket / 32] >> bucket % 32 & 1;
#endif
    }
    // projecting twice would be dearer than remembering
    __device__ __forceinline__ bool again(RAW, bool wanted) const { return wanted; }
};

extern "C" __global__ void __launch_bounds__(THREADS)
    of_buckets(const RAW* keys, u64 n, GIVEN given, Which which, RAW* chosen, u64 room,
               u64* totals, u32* ticket, u64* result) {
    load_division(DIVISION(given));
    __syncthreads();
    OfBuckets choice{DIVISION(given), which};
    compact(keys, n, choice, chosen, room, totals);
    hand_over(totals, 1, ticket, result);
}
