// Writes numbers of 64 bits from the host to memory: a copy that waits for nothing, and that a graph captures. One thread
// for each.

#include "keys.cuh"

struct Values {
    u64 value[COUNT];
};

extern "C" __global__ void host_values(u64 count, u64* to, const __grid_constant__ Values values) {
    if (threadIdx.x < count) to[threadIdx.x] = values.value[threadIdx.x];
}
