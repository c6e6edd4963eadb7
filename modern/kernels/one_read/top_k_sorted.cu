// Top-k: the keys at the top in order, and their places, among the staged ones (top_k_staged.cu). Of equal
// keys, the lowest place comes first.
//
// One block of 1,024 threads narrows the staged codes by histograms until at most MOST are left, and sorts
// these with their places by a bitonic network in shared memory. found[0] says how many keys were staged;
// found[1] whether there is a result: not if they were too few or too many, or too many are equal.

#include "keys.cuh"
#include "top_keys.cuh"
#include "code_ranges.cuh"

#define AT_ONCE 8  // loads of each thread

struct Staged {
    const RAW* orders;
    u64 count;
    template <class Body>
    __device__ __forceinline__ void operator()(Body body) const {
        for (u64 i = threadIdx.x; i < count; i += AT_ONCE * THREADS) {
            RAW some[AT_ONCE];
#pragma unroll
            for (u32 j = 0; j < AT_ONCE; ++j)
                if (i + j * THREADS < count) some[j] = orders[i + j * THREADS];
#pragma unroll
            for (u32 j = 0; j < AT_ONCE; ++j)
                if (i + j * THREADS < count) body(some[j]);
        }
    }
};

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

extern "C" __global__ void __launch_bounds__(THREADS)
    top_k_sorted(const RAW* keys, u64 k, const RAW* orders, const u64* places, u64 room, const u64* staged,
                 RAW* values, u64* indices, u64* found) {
    __shared__ u64 rank[2];
    __shared__ Range range[2];
    __shared__ u32 held;
    u64* places_here = memory + BINS / 2;
    RAW* orders_here = (RAW*)(places_here + MOST);
    const u64 count = *staged;
    if (!threadIdx.x) {
        rank[0] = rank[1] = k - 1, held = 0;
        range[0] = range[1] = {0, (RAW)~(RAW)0, 0, count};
        found[0] = count;
    }
    bool fits = count >= k && count <= room;
    __syncthreads();
    if (fits) find_ends(range, Staged{orders, count});
    for (bool ends = false; fits && !range[0].is_one() && range[0].before + range[0].here > MOST; ends = !ends) {
        if (ends) find_ends(range, Staged{orders, count});
        else narrow_alone(range, rank, Staged{orders, count});
    }
    fits = fits && range[0].before + range[0].here <= MOST;
    if (!threadIdx.x) found[1] = fits;
    if (!fits) return;
    const RAW last = range[0].last;
    u64 next = threadIdx.x;  // the source yields in this order
    Staged{orders, count}([&](RAW order) {
        if (order <= last) {
            const u32 at = atomicAdd(&held, 1);
            orders_here[at] = order, places_here[at] = places[next];
        }
        next += THREADS;
    });
    __syncthreads();
    u32 size = 2;
    while (size < held) size *= 2;
    for (u32 i = held + threadIdx.x; i < size; i += THREADS)
        orders_here[i] = (RAW)~(RAW)0, places_here[i] = ~0ull;
    __syncthreads();
    sort_entries(orders_here, places_here, size);
    for (u64 i = threadIdx.x; i < k; i += THREADS)
        indices[i] = places_here[i], values[i] = keys[places_here[i]];
}
