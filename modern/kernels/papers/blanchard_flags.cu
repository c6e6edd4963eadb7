// bucketMultiSelect as printed (Blanchard et al. 2015, Subroutine 4, ReduceByFlags): sets a flag for each
// key of an active bucket. The copy by flags is a library's.
//
// Reads the bucket of each key. Shared memory: `count` numbers of 32 bits.

#include "keys.cuh"
#include "assigned.cuh"

extern "C" __global__ void __launch_bounds__(1024)
    blanchard_flags(const u32* bucket, u64 n, const u32* active, u32 count, bool* flags) {
    extern __shared__ u32 tree[];
    for (u32 j = threadIdx.x; j < count; j += blockDim.x) tree[j] = active[j];
    __syncthreads();
    for_each_place(n, [&](u64 i) { flags[i] = place_in(tree, count, bucket[i]) < count; });
}
