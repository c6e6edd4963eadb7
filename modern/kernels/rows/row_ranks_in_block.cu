// Keys of some ranks of each row, or the median of each row: one block for each row, all keys of which it holds in shared
// memory (modern/rows/cuda_ranks.py).
//
// 1. One read: holds the codes of all keys, counts NaNs, and finds the ends of the numbers.
// 2. For each two ranks: histograms between these ends, until few keys are left that are compared with each other.
//
// The arguments and ASK are those of row_ranks_by_block.cu. THREADS is a power of two, 128 to 1,024. Shared memory: 16
// bytes for each thread, and `length` keys.

#include "keys.cuh"
#include "code_ranges.cuh"
#include "row_asks.cuh"

#define HELD ((RAW*)(memory + BINS / 2))

// The codes of a row in shared memory, and the ends of those of its numbers.
struct Held {
    u32 count, numbers;
    RAW least, most;
    template <class Body>
    __device__ __forceinline__ void operator()(Body body) const {
#pragma unroll 4
        for (u32 i = threadIdx.x; i < count; i += THREADS) body(HELD[i]);
    }
};

__device__ __forceinline__ Held hold(const RAW* keys, u32 length) {
    __shared__ u32 nans;
    __shared__ u64 low, high;
    __syncthreads();  // nobody needs the row before this one
    if (!threadIdx.x) nans = 0, low = ~0ull, high = 0;
    __syncthreads();
    u32 here = 0;
    RAW least = (RAW)~(RAW)0, most = 0;
    const auto code_of = [&](RAW bits) {
        const RAW code = encode(bits);
        const bool nan = FLOATING && is_nan(bits);
        here += nan, least = code < least ? code : least, most = !nan && code > most ? code : most;
        return code;
    };
    const u32 whole = (u64)keys % sizeof(uint4) ? 0 : length / PER_LOAD;
#pragma unroll 4
    for (u32 i = threadIdx.x; i < whole; i += THREADS) {
        Load loaded;
        loaded.words = ((const uint4*)keys)[i];
#pragma unroll
        for (u32 k = 0; k < PER_LOAD; ++k) loaded.keys[k] = code_of(loaded.keys[k]);
        ((uint4*)HELD)[i] = loaded.words;
    }
#pragma unroll 4
    for (u32 i = whole * PER_LOAD + threadIdx.x; i < length; i += THREADS) HELD[i] = code_of(keys[i]);
    if (FLOATING) add_to(&nans, here);
    const u64 least_of_warp = warp_least((u64)least), most_of_warp = ~warp_least(~(u64)most);
    if (!(threadIdx.x % LANES)) atomicMin(&low, least_of_warp), atomicMax(&high, most_of_warp);
    __syncthreads();
    return {length, length - nans, (RAW)low, (RAW)high};
}

// Finds the codes of two ranks, in any order; not of those behind all numbers.
__device__ __forceinline__ void find(const u64* rank, const Held& held, RAW* found) {
    __shared__ u64 inside[2];
    __shared__ Range range[2];
    const bool first = rank[0] < held.numbers, second = rank[1] < held.numbers;
    if (!first && !second) return;
    __syncthreads();
    if (threadIdx.x < 2) {
        inside[threadIdx.x] = rank[threadIdx.x ? second : !first];
        range[threadIdx.x] = {held.least, held.most, 0, held.numbers};
    }
    __syncthreads();
    narrow_to_few(range, inside, held);
    compare(range, inside, held);
    if (first) found[0] = range[0].first;
    if (second) found[1] = range[1].first;
}

extern "C" __global__ void __launch_bounds__(THREADS)
    row_ranks_in_block(const RAW* keys, u64 rows, u32 length, u64 outer_step, u64 step, const long long* ranks, u32 wanted,
                       u32 own, u32 inner, void* answers) {
    const Asked asked{ranks, wanted, own, inner, answers};
    const u32 count = ASK == SELECT ? asked.count : 1;
#pragma unroll 1
    for (u64 at = blockIdx.x; at < rows; at += gridDim.x) {
        const Held held = hold(keys + at * outer_step, length);
#pragma unroll 1
        for (u32 i = 0; i < count; i += 2) {
            const bool both = i + 1 < count;
            u64 rank[2];
            RAW found[2] = {(RAW)~(RAW)0, (RAW)~(RAW)0};
            if (ASK == SELECT) rank[0] = asked.rank((u32)at, i), rank[1] = both ? asked.rank((u32)at, i + 1) : rank[0];
            else set_middle(rank, ASK == MEDIAN ? length : held.numbers);
            if (ASK != MEDIAN || held.numbers == length) find(rank, held, found);
            if (threadIdx.x) continue;
            put_answer(asked, (u32)at, i, found, rank, held.numbers, length);
            if (both) asked.answer((u32)at, i + 1, found[1]);
        }
    }
}
