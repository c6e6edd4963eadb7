// bucketMultiSelect, second kernel: copies the keys of the active buckets, each bucket to a part of its
// own, with at most PARTS parts. `which` has a bit for each bucket that says whether it is active;
// `passed` has the number of active buckets before each word of `which`. `ends` has the position where
// each part begins; the kernel advances it to the position where the part ends.
//
// Reads every key once and writes every copy once. Any grid of blocks of THREADS.

#include "keys.cuh"
#include "buckets.cuh"
#include "compaction.cuh"
#include "flagged_buckets.cuh"

__shared__ u32 passed_here[COUNT / 32];
__shared__ u32 counts[PARTS];

// A block counts its keys for each part, reserves room for them, and counts again to fill the room.
struct Parts {
    const Division& division;
    RAW* chosen;
    u64 room;
    u64* ends;
    __device__ __forceinline__ u32 part_of(RAW bits) const {
        const u32 bucket = bucket_of(division, bits), word = bucket / 32;
        return passed_here[word] + __popc(flags[word] & ((1u << bucket % 32) - 1));
    }
    __device__ __forceinline__ void operator()(const RAW* held, u32 here) const {
        for (u32 i = threadIdx.x; i < PARTS; i += THREADS) counts[i] = 0;
        __syncthreads();
        for (u32 i = threadIdx.x; i < here; i += THREADS) atomicAdd(&counts[part_of(held[i])], 1);
        __syncthreads();
        for (u32 i = threadIdx.x; i < PARTS; i += THREADS)
            if (counts[i]) counts[i] = (u32)atomicAdd(&ends[i], (u64)counts[i]);
        __syncthreads();
        for (u32 i = threadIdx.x; i < here; i += THREADS) {
            const u32 place = atomicAdd(&counts[part_of(held[i])], 1);
            if (place < room) chosen[place] = held[i];
        }
    }
};

extern "C" __global__ void __launch_bounds__(THREADS)
    bucket_multi_select_copy(const RAW* keys, u64 n, GIVEN given, const u32* which, const u32* passed, RAW* chosen,
          u64 room, u64* ends) {
    if (!load_flags(which)) return;
    for (u32 i = threadIdx.x; i < COUNT / 32; i += THREADS) passed_here[i] = passed[i];
    load_division(DIVISION(given));
    Flagged filter{DIVISION(given)};
    compact(keys, n, filter, Parts{DIVISION(given), chosen, room, ends});
}
