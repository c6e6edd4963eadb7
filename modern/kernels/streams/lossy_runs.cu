// Finds the runs of equal numbers, given numbers in order: the place where each begins, and its number.
//
// EACH numbers for each thread. Without WRITE, a thread counts in `ends` the runs that begin among its
// numbers. With WRITE, `ends` holds the sums of these counts up to each thread, and so the places to
// write to. Reads every number once.

#include "keys.cuh"

extern "C" __global__ void lossy_runs(const u64* ordered, u64 n, u64* ends, u64* starts,
                                      u64* entries) {
    const u64 part = (u64)blockIdx.x * blockDim.x + threadIdx.x, first = part * EACH;
    if (first >= n) return;
    u64 last = first ? ordered[first - 1] : ~ordered[0];  // different from the first
    u64 place = WRITE && part ? ends[part - 1] : 0;
#pragma unroll
    for (int j = 0; j < EACH; ++j) {
        if (first + j >= n) break;
        const u64 here = ordered[first + j];
        if (here != last) {
#if WRITE
            starts[place] = first + j, entries[place] = here;
#endif
            ++place;
        }
        last = here;
    }
    if (!WRITE) ends[part] = place;
}
