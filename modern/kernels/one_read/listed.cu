// Writes numbers that are passed by value, which a CUDA graph keeps. One thread for each.

#include "keys.cuh"

struct Numbers {
    u64 number[COUNT];
};

extern "C" __global__ void listed(const __grid_constant__ Numbers given, u64* to) {
    to[threadIdx.x] = given.number[threadIdx.x];
}
