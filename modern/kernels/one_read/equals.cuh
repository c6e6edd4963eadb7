// The first keys, by their places, that equal a pivot. It needs an order (top_keys.cuh), and blocks that meet.

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
#pragma unroll
        for (u32 i = 0; i < RUN; ++i) mine |= (u32)(first + i < n && order_of(keys[first + i]) == pivot) << i;
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
