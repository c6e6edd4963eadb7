// Top-k: writes the places of the keys at the top, in any order. result[0]: how many keys there are.
//
// Reads every key once, and writes 8 bytes for each key at the top. Any grid of whole warps.

#include "keys.cuh"
#include "totals.cuh"
#include "scan.cuh"
#include "top_keys.cuh"

// Reserves the room that each lane wants, by one atomic for each warp.
__device__ __forceinline__ u64 reserved(u32 wanted, u64* count) {
    const u32 before = before_in_warp(wanted);
    u64 first = 0;
    if (threadIdx.x % LANES == LANES - 1) first = atomicAdd(count, (u64)(before + wanted));
    return __shfl_sync(FULL, first, LANES - 1) + before;
}

extern "C" __global__ void __launch_bounds__(256, 5)
    top_k_places(const RAW* keys, u64 n, RAW pivot, u64 end, u64* places, u64 room, u64* totals,
           u32* ticket, u64* result) {
    const TopKeys top{pivot, end};
    const auto put = [=](u64 at, u64 place) {
        if (at < room) places[at] = place;
    };
    const u64 head = head_of(keys, n), loads = (n - head) / PER_LOAD;
    const u64 tail = head + loads * PER_LOAD;
    if (!blockIdx.x && threadIdx.x < 2 * PER_LOAD) {  // keys before and after the whole loads
        const bool first = threadIdx.x < PER_LOAD;
        const u64 i = first ? threadIdx.x : tail + threadIdx.x - PER_LOAD;
        if (i < (first ? head : n) && top.has(keys[i], i)) put(atomicAdd(totals, 1ull), i);
    }
    __syncwarp();

    const u64 stride = (u64)gridDim.x * blockDim.x, lane = threadIdx.x % LANES;
    u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    for (; i - lane < loads; i += UNROLL * stride) {  // all lanes of a warp stay in the loop together
        Load loaded[UNROLL];
#pragma unroll
        for (int j = 0; j < UNROLL; ++j)
            if (i + j * stride < loads) loaded[j] = load(keys + head, i + j * stride);
        Bits wanted = 0;
#pragma unroll
        for (int j = 0; j < UNROLL; ++j)
            if (i + j * stride < loads)
#pragma unroll
                for (int k = 0; k < PER_LOAD; ++k) {
                    const u64 place = head + (i + j * stride) * PER_LOAD + k;
                    if (top.has(loaded[j].keys[k], place)) wanted |= (Bits)1 << (j * PER_LOAD + k);
                }
        if (!__any_sync(FULL, wanted != 0)) continue;
        u64 at = reserved(__popcll(wanted), totals);
        for (; wanted; wanted &= wanted - 1) {
            const u32 bit = __ffsll(wanted) - 1;
            put(at++, head + (i + bit / PER_LOAD * stride) * PER_LOAD + bit % PER_LOAD);
        }
        __syncwarp();
    }
    hand_over(totals, 1, ticket, result);
}
