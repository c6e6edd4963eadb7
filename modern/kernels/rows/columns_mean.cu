// Means of the two middle keys of columns: one thread for each column (columns_staged.cu). `ranks` and `keys` are
// (columns, 2). A column with a NaN has the mean NaN; with ASK 2, the mean is that of the numbers.

#include "keys.cuh"
#include "column_counts.cuh"
#include "middle.cuh"
#include "row_asks.cuh"

extern "C" __global__ void columns_mean(const RAW* keys, const long long* ranks, const ColumnCounts* counts,
                                        u64 columns, u32 length, void* means) {
    const u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= columns) return;
    const u32 numbers = counts[i].numbers;
    const bool bad = FLOATING && (ASK == NANMEDIAN ? !numbers : numbers < length);
    const RAW none = decode((RAW)~(RAW)0);
    const RAW low = bad ? none : keys[2 * i], high = bad ? none : keys[2 * i + 1];
    write_mean((Mean*)means + i, low, high, bad || ranks[2 * i] == ranks[2 * i + 1]);
}
