// Writes up to 64 numbers of 64 bits from the host to memory: a copy that waits for nothing, and that a graph captures.

#include "keys.cuh"

#define EIGHT(a) u64 a##0, u64 a##1, u64 a##2, u64 a##3, u64 a##4, u64 a##5, u64 a##6, u64 a##7
#define OF(a) a##0, a##1, a##2, a##3, a##4, a##5, a##6, a##7

extern "C" __global__ void host_values(EIGHT(a), EIGHT(b), EIGHT(c), EIGHT(d), EIGHT(e), EIGHT(f), EIGHT(g), EIGHT(h),
                                       u64 count, u64* to) {
    const u64 values[64] = {OF(a), OF(b), OF(c), OF(d), OF(e), OF(f), OF(g), OF(h)};
#pragma unroll
    for (u32 i = 0; i < 64; ++i)
        if (i == threadIdx.x && i < count) to[i] = values[i];
}
