// bucketMultiSelect as printed (Blanchard et al. 2015, Subroutine 4, ReduceToSegmented): copies the keys of the active
// buckets, each bucket to a segment of its own. A counter of the block and the bucket gives each key its place, by one
// atomicDec: in shared memory if IN_SHARED, else in CounterArray.
//
// Reads the bucket of each key, and the keys of active buckets. The grid is that of blanchard_assign_buckets.cu. Shared
// memory: `count` numbers of 32 bits, and as many more if IN_SHARED.

#include "keys.cuh"
#include "assigned.cuh"

extern "C" __global__ void __launch_bounds__(1024)
    blanchard_reduce_to_segments(const RAW* keys, u64 n, const u32* bucket, u32* counter_array,
                                 const u32* active, const u64* starts, u64 active_count, RAW* reduced) {
    extern __shared__ u32 tree[];
    const u32 count = (u32)active_count;
    for (u32 j = threadIdx.x; j < count; j += blockDim.x) {
        tree[j] = active[j];
        if (IN_SHARED) tree[count + j] = counter_array[(u64)active[j] * gridDim.x + blockIdx.x];
    }
    __syncthreads();
    for_each_place(n, [&](u64 i) {
        const u32 b = bucket[i], j = place_among(tree, count, b);
        if (j == count) return;
        u32* const counter = IN_SHARED ? &tree[count + j] : &counter_array[(u64)b * gridDim.x + blockIdx.x];
        reduced[starts[j] + atomicDec(counter, ~0u) - 1] = keys[i];
    });
}
