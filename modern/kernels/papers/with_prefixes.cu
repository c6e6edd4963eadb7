// Compaction: copies the keys whose shifted code is among some ascending prefixes, in any order.
// result[0]: the number of copies.
//
// Reads every key once and writes every copy once. Blocks of THREADS, one for each multiprocessor.

#include "keys.cuh"
#include "compaction.cuh"
#include "tables.cuh"

struct WithPrefixes {
    const RAW* prefixes;
    u32 count, shift;
    __device__ __forceinline__ bool wants(RAW bits) const {
        return place_among(prefixes, count, shifted(encode(bits), shift)) < count;
    }
};

extern "C" __global__ void __launch_bounds__(THREADS)
    with_prefixes(const RAW* keys, u64 n, const RAW* prefixes, u64 count, u64 shift, RAW* chosen, u64 room, u64* totals,
                  u32* ticket, u64* result) {
    WithPrefixes filter{prefixes, (u32)count, (u32)shift};
    compact(keys, n, filter, chosen, room, totals);
    hand_over(totals, 1, ticket, result);
}
