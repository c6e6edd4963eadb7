// Prefix sums of many counters, by all threads of a block, and the counter that a rank belongs to.

#define ROWS_AT_ONCE 4u

// Fills `starts` with the prefix sums of `counts`. Each warp has some rows of counters, so that lanes
// read and write neighbours.
template <class Counts>
__device__ void scan(u32 count, u64* starts, Counts counts) {
    __shared__ u64 of_warp[32];
    const u32 lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
    const u32 rows = (count + blockDim.x - 1) / blockDim.x;
    const u32 first = warp * rows * LANES + lane;
    const auto at = [&](u32 row) {
        const u32 i = first + row * LANES;
        return row < rows && i < count ? counts(i) : 0;
    };
    u64 sum = 0;
#pragma unroll 8
    for (u32 row = 0; row < rows; ++row) sum += at(row);
    sum = warp_sum(sum);
    if (!lane) of_warp[warp] = sum;
    __syncthreads();
    u64 start = 0;
    for (u32 i = 0; i < warp; ++i) start += of_warp[i];
    for (u32 row = 0; row < rows; row += ROWS_AT_ONCE) {
        u64 here[ROWS_AT_ONCE];  // all are on their way before the first is waited for
#pragma unroll
        for (u32 j = 0; j < ROWS_AT_ONCE; ++j) here[j] = at(row + j);
#pragma unroll
        for (u32 j = 0; j < ROWS_AT_ONCE; ++j) {
            const u32 i = first + (row + j) * LANES;
            const u64 before = before_in_warp(here[j]);
            if (row + j < rows && i <= count) starts[i] = start + before;
            start += __shfl_sync(FULL, before + here[j], LANES - 1);
        }
    }
    if (!(count % (rows * blockDim.x)) && threadIdx.x == blockDim.x - 1) starts[count] = start;
    __syncthreads();
}

// The last counter that starts at or before a rank.
__device__ u32 counter_at(const u64* starts, u32 count, u64 rank) {
    u32 first = 0, last = count;
    while (first < last) {
        const u32 middle = (first + last) / 2;
        if (starts[middle + 1] <= rank) first = middle + 1;
        else last = middle;
    }
    return first;
}
