// Compaction: copies the keys of the buckets with a bit in `which`, in any order. result[0]: the number
// of copies.
//
// Reads every key once and writes every copy once. Any grid of blocks of THREADS.

#include "keys.cuh"
#include "buckets.cuh"
#include "compaction.cuh"
#include "flagged_buckets.cuh"

extern "C" __global__ void __launch_bounds__(THREADS)
    of_buckets(const RAW* keys, u64 n, GIVEN given, const u32* which, RAW* chosen, u64 room,
               u64* totals, u32* ticket, u64* result) {
    load_flags(which);
    load_division(DIVISION(given));
    Flagged filter{DIVISION(given)};
    compact(keys, n, filter, Together{chosen, room, totals});
    hand_over(totals, 1, ticket, result);
}
