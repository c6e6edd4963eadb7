// Sets the ends of brackets that lie outside the sample to the least and the largest number: one thread for each column
// (columns_aimed.cu). `aimed` and `ends` are (columns, 2).

#include "keys.cuh"
#include "number_codes.cuh"

extern "C" __global__ void columns_ends(const long long* aimed, u32 samples, u64 columns, RAW* ends) {
    const u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= columns) return;
    if (aimed[2 * i] < 0) ends[2 * i] = decode(first_number());
    if (aimed[2 * i + 1] >= samples) ends[2 * i + 1] = decode(last_number());
}
