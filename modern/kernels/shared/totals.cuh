// Counters of all blocks: `totals` are in the device's memory, and are 0 before and after a launch.

// Adds the counters of a block to the totals.
__device__ __forceinline__ void add_up(const u32* bins, u32 count, u64* totals) {
    __syncthreads();
    for (u32 i = threadIdx.x; i < count; i += blockDim.x)
        if (bins[i]) atomicAdd(&totals[i], (u64)bins[i]);
}

// The last block moves the totals to `result`, in the host's memory.
__device__ __forceinline__ void hand_over(u64* totals, u32 count, u32* ticket, u64* result) {
    if (!comes_last(ticket)) return;
    for (u32 i = threadIdx.x; i < count; i += blockDim.x) {
        result[i] = fresh(&totals[i]);
        totals[i] = 0;
    }
}
