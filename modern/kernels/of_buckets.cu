// Copies the keys of some buckets, in any order; with SINGLE, of one. `which` has a bit for each of
// `count` buckets otherwise. result[0]: how many.
//
// Reads every key once and writes the chosen ones once. Any grid of blocks of THREADS. COUNT bits of
// shared memory beside that of compaction.

#include "keys.cuh"
#include "buckets.cuh"
#include "compaction.cuh"

#if SINGLE
typedef u32 Which;
#else
typedef const u32* Which;
__shared__ u32 flags[COUNT / 32];
#endif

struct OfBuckets {
    const Division& division;
    Which which;
    __device__ __forceinline__ bool wants(RAW bits) const {
        if (!is_inside(division, bits)) return false;
        const u32 bucket = bucket_of(division, bits);
#if SINGLE
        return bucket == which;
#else
        return flags[bucket / 32] >> bucket % 32 & 1;
#endif
    }
    // projecting twice would be dearer than remembering
    __device__ __forceinline__ bool again(RAW, bool wanted) const { return wanted; }
};

extern "C" __global__ void __launch_bounds__(THREADS)
    of_buckets(const RAW* keys, u64 n, GIVEN given, Which which, RAW* chosen, u64 room, u64* totals,
               u32* ticket, u64* result) {
#if !SINGLE
    for (u32 i = threadIdx.x; i < COUNT / 32; i += THREADS) flags[i] = which[i];
#endif
    load_division(DIVISION(given));
    OfBuckets choice{DIVISION(given), which};
    compact(keys, n, choice, chosen, room, totals);
    hand_over(totals, 1, ticket, result);
}
