// Between which ranks of its sample a column's keys are, `wide` standard errors away from where they are expected: one
// block of THREADS for each column (modern/rows/cuda_columns.py). With ASK NANMEDIAN, the middle keys of the numbers are
// wanted, and the sample tells how many there are; otherwise `ranks` are (columns, count). `aimed` and `within` are
// (columns, 2); of these, `within` are ranks of the sample in any case.

#include "keys.cuh"
#include "middle.cuh"

extern "C" __global__ void __launch_bounds__(THREADS)
    columns_aimed(const RAW* sample, u32 samples, u32 length, const long long* ranks, u32 count, double wide,
                  long long* aimed, long long* within) {
    const u64 column = blockIdx.x;
    u64 rank[2] = {0, 0};
    if (ASK == NANMEDIAN) {
        u32 numbers = 0;
        for (u32 start = 0; start < samples; start += THREADS) {
            const u32 i = start + threadIdx.x;
            numbers += __syncthreads_count(i < samples && !is_nan(sample[column * samples + i < samples ? i : 0]));
        }
        set_middle(rank, (u64)((double)numbers * length / samples));
    } else {
        rank[0] = rank[1] = (u64)ranks[column * count];
        for (u32 i = 1; i < count; ++i) {
            const u64 other = (u64)ranks[column * count + i];
            rank[0] = other < rank[0] ? other : rank[0], rank[1] = other < rank[1] ? rank[1] : other;
        }
    }
    if (threadIdx.x > 1) return;
    const bool last = threadIdx.x;
    const double middle = (double)rank[last] * samples / length, spread = middle * (1 - middle / samples);
    const double off = wide * sqrt(spread > 0 ? spread : 0) + wide * wide;
    const long long found = (long long)(last ? ceil(middle + off) : floor(middle - off));
    aimed[2 * column + last] = found;
    within[2 * column + last] = found < 0 ? 0 : found < samples ? found : samples - 1;
}
