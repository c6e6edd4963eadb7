// Thresholding: all keys of the last magnitude were kept (threshold.cu); writes zero for those that are too many,
// the last ones by place. With SOFT none was kept, unless they are NaNs.
//
// `told` has what one_read.cu told: number 2 is how many keys are below this magnitude. `ties` has the places of
// the keys of this magnitude, in no order, and *noted counts them. With more than MOST nothing is written; the
// host does it. One block.

#include "keys.cuh"

extern "C" __global__ void __launch_bounds__(MOST)
    threshold_ties(const u64* told, const RAW* selected, u64 n, u64 count, const u64* ties, const u64* noted,
                   RAW* written) {
    __shared__ u64 places[MOST];
    const u64 equal = *noted, too_many = n - told[2] - count;
    if (equal > MOST || !too_many || SOFT && !is_nan(*selected)) return;
    if (threadIdx.x < equal) places[threadIdx.x] = ties[threadIdx.x];
    __syncthreads();
    if (threadIdx.x >= equal) return;
    u64 before = 0;
    for (u64 i = 0; i < equal; ++i) before += places[i] < places[threadIdx.x];
    if (before + too_many >= equal) written[places[threadIdx.x]] = 0;
}
