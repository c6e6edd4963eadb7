// Top-k: puts the keys at some places, and these places, into the order of the keys; of equal keys, the
// lowest place comes first.
//
// Compares each key with each, so it is for few keys. One thread for each key, in blocks of THREADS;
// every block reads all keys.

#include "keys.cuh"
#include "top_keys.cuh"

extern "C" __global__ void __launch_bounds__(THREADS)
    top_k_in_order(const RAW* keys, const u64* places, u32 count, RAW* values, u64* ordered) {
    __shared__ RAW orders[THREADS];
    __shared__ u64 at[THREADS];
    const u32 mine = blockIdx.x * THREADS + threadIdx.x;
    const u64 place = places[mine < count ? mine : 0];
    const RAW bits = keys[place], order = order_of(bits);
    u32 before = 0;
    for (u32 start = 0; start < count; start += THREADS) {
        const u32 here = count - start < THREADS ? count - start : THREADS;
        __syncthreads();
        if (threadIdx.x < here) {
            at[threadIdx.x] = places[start + threadIdx.x];
            orders[threadIdx.x] = order_of(keys[at[threadIdx.x]]);
        }
        __syncthreads();
        for (u32 i = 0; i < here; ++i)
            before += orders[i] < order || (orders[i] == order && at[i] < place);
    }
    if (mine < count) values[before] = bits, ordered[before] = place;
}
