// counting, third kernel: finds ranks among the counts of all values (counting_summed.cu).
//
// `found` has three rows of `asked` numbers: the bits of the key of a rank, how many keys are below it, and
// how many equal it. `counts` is 0 after that; `starts` has room for VALUES + 1 numbers. One block of 1,024
// threads.

#include "keys.cuh"
#include "scan.cuh"
#include "starts.cuh"

#define VALUES (1u << KEY_BITS)

extern "C" __global__ void __launch_bounds__(1024)
    counting_found(u64* counts, u64* starts, const u64* ranks, u64 asked, u64* found) {
    scan(VALUES, starts, [&](u32 i) { return counts[i]; });
    for (u64 i = threadIdx.x; i < asked; i += blockDim.x) {
        const u32 code = bucket_at(starts, VALUES, ranks[i]);
        found[i] = decode((RAW)code);
        found[asked + i] = starts[code], found[2 * asked + i] = starts[code + 1] - starts[code];
    }
    __syncthreads();
    for (u32 i = threadIdx.x; i < VALUES; i += blockDim.x) counts[i] = 0;
}
