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

// Parts of all blocks: sums and extremes, which the last block joins.

template <class Part>
__device__ __forceinline__ Part fetched(const Part* part) {
    Part copy;
    for (int word = 0; word < (int)(sizeof(Part) / sizeof(u64)); ++word)
        ((u64*)&copy)[word] = fresh((const u64*)part + word);
    return copy;
}

// Joins the parts of all blocks. `Part` has merge(other), and join_lanes(), which leaves the part of a
// warp in its lane 0. The last block to finish joins all parts, and returns true in its thread 0.
// `parts` has room for one part for each block.
template <class Part>
__device__ bool joined(Part& part, Part* parts, u32* ticket) {
    __shared__ u64 storage[32 * sizeof(Part) / sizeof(u64)];  // shared objects have no constructor
    Part* of_warp = (Part*)storage;
    const int lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
    const int warps = blockDim.x / LANES;

    for (int round = 0; round < 2; ++round) {
        part.join_lanes();
        __syncthreads();
        if (!lane) of_warp[warp] = part;
        __syncthreads();
        if (!threadIdx.x)
            for (int i = 1; i < warps; ++i) part.merge(of_warp[i]);
        if (round) return !threadIdx.x;

        if (!threadIdx.x) parts[blockIdx.x] = part;
        if (!comes_last(ticket)) return false;
        part = Part();
        for (u32 i = threadIdx.x; i < gridDim.x; i += blockDim.x) {
            part.merge(fetched(&parts[i]));
        }
    }
    return false;
}
