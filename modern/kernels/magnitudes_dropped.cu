// Thresholding of several arrays: writes zero at some places in all of them. Any grid with at least `dropped`
// threads. starts[i] is the place of the first key of array i, and starts[count] the number of all keys.

#include "keys.cuh"
#include "scan.cuh"
#include "starts.cuh"

extern "C" __global__ void magnitudes_dropped(const u64* places, u64 dropped, RAW* const* results,
                                              const u64* starts, u32 count) {
    const u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= dropped) return;
    const u32 array = counter_at(starts, count, places[i]);
    results[array][places[i] - starts[array]] = 0;
}
