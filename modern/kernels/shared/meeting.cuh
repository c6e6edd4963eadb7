// Blocks that wait for each other: all of them run at the same time, at most one on each multiprocessor.

// Waits until all blocks are here, for the `meetings`-th time in this launch. After that, everything that
// they wrote before is visible. `arrived` is 0 before and after the launch; its last block resets it.
__device__ __forceinline__ void meet(u32* arrived, u32& meetings) {
    ++meetings;
    __syncthreads();
    if (gridDim.x == 1) return;
    if (!threadIdx.x) {
        __threadfence();
        atomicAdd(arrived, 1u);
        while (*(volatile u32*)arrived < meetings * gridDim.x)
            ;
        __threadfence();
    }
    __syncthreads();
}
