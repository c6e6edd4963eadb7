// Sums over the threads of a block, of which there are THREADS.

#define WARPS (THREADS / LANES)

// The sum over all threads before this one.
__device__ u64 before_mine(u64 mine) {
    __shared__ u64 of_warp[WARPS];
    const u32 lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
    u64 sum = scanned(mine);
    if (lane == LANES - 1) of_warp[warp] = sum + mine;
    __syncthreads();
    for (u32 i = 0; i < warp; ++i) sum += of_warp[i];
    return sum;
}
