// Keys with their places: the first ones that equal a pivot, and entries of an order, each a code and a place, that are
// sorted in shared memory. They need blocks that meet.

#define RUN 16            // neighbouring keys that a thread looks at
#define MOST_BLOCKS 1024  // of a launch

typedef u64 BlockCounts[2][MOST_BLOCKS];

// Calls body(number, place) for the first `wanted` keys with a code. All blocks look at a run of keys for each thread,
// count, meet, and go on until there are enough. Returns whether there are.
template <class Body>
__device__ bool first_equals(RAW pivot, u64 wanted, const RAW* keys, u64 n, BlockCounts& of_blocks, u32* arrived,
                             u32& meetings, Body body) {
    __shared__ u64 passed, all;
    u64 taken = 0;
    u32 round = 0;
    for (u64 start = 0; start < n && taken < wanted; start += (u64)gridDim.x * THREADS * RUN, ++round) {
        const u64 first = start + ((u64)blockIdx.x * THREADS + threadIdx.x) * RUN;
        u32 mine = 0;
        UNROLLED for (u32 i = 0; i < RUN; ++i) mine |= (u32)(first + i < n && order_of(keys[first + i]) == pivot) << i;
        u64* counts = of_blocks[round % 2];
        u64 before = before_in_block((u64)__popc(mine));
        if (threadIdx.x == THREADS - 1) counts[blockIdx.x] = before + __popc(mine);
        if (!threadIdx.x) passed = all = 0;
        meet(arrived, meetings);
        u64 lower = 0, every = 0;
        for (u32 i = threadIdx.x; i < gridDim.x; i += THREADS) {
            const u64 here = fresh(&counts[i]);
            every += here, lower += i < blockIdx.x ? here : 0;
        }
        lower = warp_sum(lower), every = warp_sum(every);
        if (!(threadIdx.x % LANES)) atomicAdd(&passed, lower), atomicAdd(&all, every);
        __syncthreads();
        before += taken + passed;
        for (; mine && before < wanted; mine &= mine - 1) body(before++, first + __ffs(mine) - 1);
        taken += all;
        __syncthreads();
    }
    return taken >= wanted;
}

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
            mine += fresh(&orders[i]) == pivot && fresh(&places[i]) <= middle;
        mine = warp_sum(mine);
        if (!(threadIdx.x % LANES)) atomicAdd(&upto, mine);
        __syncthreads();
        if (upto >= wanted) high = middle;
        else low = middle + 1;
        __syncthreads();
    }
    return low;
}
