// counting, second kernel: adds up the counters of all blocks (counting.cu), by symbols, and adds the sums to
// `counts`, by the codes of keys. `full` is 0 before the first kernel and after this one.
//
// WORDS / ACROSS blocks of ACROSS × ROWS threads.

#include "keys.cuh"
#include "symbols.cuh"

__device__ __forceinline__ void add_key(u64* counts, u32 bits, u64 count) {
    if (count) atomicAdd(&counts[encode((RAW)bits)], count);
}

extern "C" __global__ void __launch_bounds__(ACROSS * ROWS)
    counting_summed(const RAW* keys, u64 n, const u32* rows, u32 count, u64* full, u64* counts) {
    __shared__ u32 low[ACROSS], high[ACROSS];
    const u32 across = threadIdx.x % ACROSS, word = blockIdx.x * ACROSS + across;
    if (threadIdx.x < ACROSS) low[across] = high[across] = 0;
    __syncthreads();
    u32 mine[2] = {0, 0};
#pragma unroll 8
    for (u32 row = threadIdx.x / ACROSS; row < count; row += ROWS) {
        const u32 both = rows[(u64)row * WORDS + word_of(2 * word)];
        mine[0] += both & 0xffff, mine[1] += both >> 16;
    }
    atomicAdd(&low[across], mine[0]), atomicAdd(&high[across], mine[1]);
    __syncthreads();
    if (threadIdx.x < 2 * ACROSS) {
        const u32 which = threadIdx.x / ACROSS, symbol = 2 * word + which;
        const u64 found = (which ? high : low)[across] + full[symbol];
        full[symbol] = 0;
#if KEY_BYTES == 2
        add_key(counts, symbol, found);
#else
        add_key(counts, symbol & 0xff, found);
        add_key(counts, symbol >> 8, found);
#endif
    }
#if KEY_BYTES == 1
    if (blockIdx.x) return;
    const u64 head = head_of(keys, n), tail = head + (n - head) / PER_LOAD * PER_LOAD;
    if (threadIdx.x < head) add_key(counts, keys[threadIdx.x], 1);
    if (tail + threadIdx.x < n) add_key(counts, keys[tail + threadIdx.x], 1);
#endif
}
