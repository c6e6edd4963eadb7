// Entries of an order, each a code and a place: sorted in shared memory, or looked through by a block.

// Whether an entry stands behind another.
__device__ __forceinline__ bool is_behind(RAW order, u64 place, RAW other, u64 at) {
    return order > other || order == other && place > at;
}

// Sorts entries of a power of two, by one thread for each pair. The pairs of a warp, up to a step of 32, are
// 64 neighbours, so other warps need not be waited for.
__device__ __forceinline__ void sort_entries(RAW* orders, u64* places, u32 count) {
    for (u32 block = 2; block <= count; block *= 2)
        for (u32 step = block / 2; step; step /= 2) {
            for (u32 i = threadIdx.x; i < count / 2; i += THREADS) {
                const u32 low = 2 * i - (i & (step - 1)), high = low + step;
                const RAW order = orders[low], other = orders[high];
                const u64 place = places[low], at = places[high];
                if (is_behind(order, place, other, at) == !(low & block)) {
                    orders[low] = other, orders[high] = order;
                    places[low] = at, places[high] = place;
                }
            }
            const u32 next = step > 1 ? step / 2 : block;
            if (step > LANES || next > LANES) __syncthreads();
            else __syncwarp();
        }
    __syncthreads();
}

// The place of the last of the `wanted` first keys with a code, among staged entries; by all threads of a block.
__device__ u64 last_place(RAW pivot, u64 wanted, const RAW* orders, const u64* places, u64 count, u64 n) {
    __shared__ u64 upto;
    u64 low = 0, high = n - 1;
    while (low < high) {
        const u64 middle = (low + high) / 2;
        if (!threadIdx.x) upto = 0;
        __syncthreads();
        u64 mine = 0;
        for (u64 i = threadIdx.x; i < count; i += THREADS)
            mine += fresh_key(&orders[i]) == pivot && fresh(&places[i]) <= middle;
        mine = warp_sum(mine);
        if (!(threadIdx.x % LANES)) atomicAdd(&upto, mine);
        __syncthreads();
        if (upto >= wanted) high = middle;
        else low = middle + 1;
        __syncthreads();
    }
    return low;
}
