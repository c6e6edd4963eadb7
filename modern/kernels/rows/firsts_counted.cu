// Counts the keys of each tile that are before the last wanted one of its row, and those that equal it.
//
// Reads every key once. `counts` are two for each tile. See firsts.cuh.

#include "keys.cuh"
#include "firsts.cuh"

extern "C" __global__ void __launch_bounds__(THREADS)
    firsts_counted(const RAW* keys, u64 row_step, u32 length, u32 tiles, u32 most, const RAW* pivots, u32* counts) {
    __shared__ u32 sums[2];
    if (threadIdx.x < 2) sums[threadIdx.x] = 0;
    __syncthreads();
    const RowTile tile(keys, row_step, length, tiles, most);
    const Sides sides(tile, pivots[tile.row]);
    const u32 before = sum_in_warp(__popc(sides.before)), equal = sum_in_warp(__popc(sides.equal));
    if (!lane_of()) atomicAdd(&sums[0], before), atomicAdd(&sums[1], equal);
    __syncthreads();
    if (threadIdx.x < 2) counts[2ull * blockIdx.x + threadIdx.x] = sums[threadIdx.x];
}
