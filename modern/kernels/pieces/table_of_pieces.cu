// Step 2 of many ranks of pieces, on the first device: a table of cells, by the samples of all devices.

#include "many.cuh"

extern "C" __global__ void __launch_bounds__(THREADS, 1)
    table_of_pieces(const RAW* samples, u64 sampled, const u64* ranks, u64 asked, Common* common, const __grid_constant__ Ranks given) {
    const u32 i = threadIdx.x;
    if (!blockIdx.x && i < asked) common->rank[i] = ranks ? ranks[i] : given.rank[i];
    Table table;
    u32 meetings = 0;
    build(table, All<encode>{samples, sampled}, common, meetings);
}
