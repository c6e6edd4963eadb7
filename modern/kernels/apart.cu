// Copies the keys of some buckets, those of each bucket to a part of its own. `which` has a bit for
// each bucket; `ends` tells where its part begins, and in the end where it ends.
//
// Reads every key once and writes the chosen ones once. Any grid of blocks of THREADS.

#include "keys.cuh"
#include "buckets.cuh"
#include "compaction.cuh"
#include "flagged.cuh"

struct Apart {
    const Division& division;
    RAW* chosen;
    u64 room;
    u64* ends;
    __device__ __forceinline__ void operator()(const RAW* held, u32 count) const {
        for (u32 i = threadIdx.x; i < count; i += THREADS) {
            const u64 place = atomicAdd(&ends[bucket_of(division, held[i])], 1ull);
            if (place < room) chosen[place] = held[i];
        }
    }
};

extern "C" __global__ void __launch_bounds__(THREADS)
    apart(const RAW* keys, u64 n, GIVEN given, const u32* which, RAW* chosen, u64 room, u64* ends) {
    load_flags(which);
    load_division(DIVISION(given));
    Flagged choice{DIVISION(given)};
    compact(keys, n, choice, Apart{DIVISION(given), chosen, room, ends});
}
