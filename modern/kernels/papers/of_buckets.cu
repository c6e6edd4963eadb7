// Compaction: copies the keys of the buckets with a bit in `which`, in any order. result[0]: the number of copies.
//
// Reads every key once and writes every copy once. Blocks of THREADS, one for each multiprocessor. COUNT bits are in shared memory.

#include "keys.cuh"
#include "buckets.cuh"
#include "compaction.cuh"

__shared__ u32 flags[COUNT / 32];

struct Flagged {
    const Division& division;
    __device__ __forceinline__ bool wants(RAW bits) const {
        if (!is_inside(division, bits)) return false;
        const u32 bucket = bucket_of(division, bits);
        return flags[bucket / 32] >> bucket % 32 & 1;
    }
};

extern "C" __global__ void __launch_bounds__(THREADS)
    of_buckets(const RAW* keys, u64 n, const Division division, const RAW* from, const Line* given, const u32* which,
               RAW* chosen, u64 room, u64* totals, u32* ticket, u64* result) {
    for (u32 i = threadIdx.x; i < COUNT / 32; i += THREADS) flags[i] = which[i];
    load_intervals(division, from, given);
    Flagged filter{division};
    compact(keys, n, filter, chosen, room, totals);
    hand_over(totals, 1, ticket, result);
}
