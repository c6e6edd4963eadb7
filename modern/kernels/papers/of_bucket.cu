// Compaction: copies the keys of one bucket, if buckets are not open, in any order. result[0]: the number
// of copies.
//
// Two threads of each block search for the codes where the bucket begins and ends, so that keys need not
// be projected. Reads every key once and writes every copy once. Any grid of blocks of THREADS.

#include "keys.cuh"
#include "buckets.cuh"
#include "compaction.cuh"

// The start of a bucket: the smallest code in it or in a later bucket, if there is one.
struct Start {
    RAW code;
    bool any;
};

__device__ Start start_of(const Division& division, u32 bucket) {
    RAW first = division.first_code, last = division.last_code;
    if (bucket_of(division, decode(last)) < bucket) return {0, false};
    while (first < last) {
        const RAW middle = first + (RAW)(last - first) / 2;
        if (bucket_of(division, decode(middle)) < bucket) first = middle + 1;
        else last = middle;
    }
    return {first, true};
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
    __shared__ Start starts[2];
    load_division(DIVISION(given));
    if (threadIdx.x % LANES == 0 && threadIdx.x < 2 * LANES)
        starts[threadIdx.x / LANES] = start_of(DIVISION(given), bucket + threadIdx.x / LANES);
    __syncthreads();
    const Start here = starts[0], next = starts[1];
    if (here.any && (!next.any || here.code < next.code)) {
        const RAW last = next.any ? (RAW)(next.code - 1) : DIVISION(given).last_code;
        OfBucket filter{value_of(decode(here.code)), value_of(decode(last))};
        compact(keys, n, filter, Together{chosen, room, totals});
    }
    hand_over(totals, 1, ticket, result);
}
