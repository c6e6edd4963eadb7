// Prefix sums: over the lanes before this one, and over the threads before this one.

template <class Number>
__device__ __forceinline__ Number before_in_warp(Number mine) {
    Number sum = mine;
#pragma unroll
    for (int step = 1; step < LANES; step <<= 1) {
        const Number other = __shfl_up_sync(FULL, sum, step);
        if (threadIdx.x % LANES >= step) sum += other;
    }
    return sum - mine;
}

// By all threads of a block. They need a barrier after it before they call it again.
template <class Number>
__device__ Number before_in_block(Number mine) {
    __shared__ Number of_warp[LANES];
    const u32 lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
    const Number before = before_in_warp(mine);
    if (lane == LANES - 1) of_warp[warp] = before + mine;
    __syncthreads();
    const Number before_warp = before_in_warp(lane < blockDim.x / LANES ? of_warp[lane] : (Number)0);
    return before + __shfl_sync(FULL, before_warp, warp);
}
