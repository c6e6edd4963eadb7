// Copies the keys of one of some buckets that are not open, in any order. result[0]: how many.
//
// Two threads of each block search for the codes where the bucket begins and ends, so no other key
// is projected. Reads every key once and writes the chosen ones once. Any grid of blocks of THREADS.

#include "keys.cuh"
#include "buckets.cuh"
#include "compaction.cuh"

// The smallest code in a bucket or a later one, of those that have one.
__device__ RAW first_of(const Division& division, u32 bucket) {
    RAW first = division.first_code, last = division.last_code + 1;
    while (first < last) {
        const RAW middle = first + (RAW)(last - first) / 2;
        if (bucket_of(division, decode(middle)) < bucket) first = middle + 1;
        else last = middle;
    }
    return first;
}

struct OfBucket {
    VALUE first, last;
    __device__ __forceinline__ bool wants(RAW bits) const {
        const VALUE key = value_of(bits);
        return key >= first && key <= last;
    }
    __device__ __forceinline__ bool again(RAW bits, bool) const { return wants(bits); }
};

extern "C" __global__ void __launch_bounds__(THREADS)
    of_bucket(const RAW* keys, u64 n, GIVEN given, u32 bucket, RAW* chosen, u64 room, u64* totals,
              u32* ticket, u64* result) {
    __shared__ RAW starts[2];
    load_division(DIVISION(given));
    if (threadIdx.x % LANES == 0 && threadIdx.x < 2 * LANES)
        starts[threadIdx.x / LANES] = first_of(DIVISION(given), bucket + threadIdx.x / LANES);
    __syncthreads();
    if (starts[0] < starts[1]) {
        OfBucket choice{value_of(decode(starts[0])), value_of(decode(starts[1] - 1))};
        compact(keys, n, choice, Together{chosen, room, totals});
    }
    hand_over(totals, 1, ticket, result);
}
