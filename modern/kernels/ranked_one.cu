// The key of one rank: its code, how many keys come before it, how many equal it; and how often the
// keys were read for that.
//
// Reads the keys once to see which codes there are, once for each digit by which those differ, until
// one key is left or keys that are equal, and once more to see which. All blocks of THREADS run at
// the same time, at most one for each multiprocessor, and wait for each other after each reading.

#include "keys.cuh"

#define BINS 2048
#define DIGIT 11
#define WARPS (THREADS / LANES)
#define BINS_EACH (BINS / THREADS)

// What blocks have in common, 0 before and after: readings, each with counters for its bins.
struct Common {
    u64 arrived;
    u64 inverse_of_first, last, only;  // largest of all keys: of ~code, of code; and of the only key
    u64 bins[1];
};

// Waits until all blocks have come here. What they wrote before is visible then.
__device__ void meet(Common* common) {
    __threadfence();
    __syncthreads();
    if (!threadIdx.x) {
        const u64 before = atomicAdd(&common->arrived, 1ull);
        const u64 wanted = (before / gridDim.x + 1) * gridDim.x;
        while (fresh(&common->arrived) < wanted)
            ;
        __threadfence();
    }
    __syncthreads();
}

// How many keys are in the bins of all threads before this one.
__device__ u64 before_mine(u64 mine) {
    __shared__ u64 of_warp[WARPS];
    const u32 lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
    u64 sum = mine;
    for (int step = 1; step < LANES; step <<= 1) {
        const u64 other = __shfl_up_sync(FULL, sum, step);
        if (lane >= step) sum += other;
    }
    if (lane == LANES - 1) of_warp[warp] = sum;
    __syncthreads();
    for (u32 i = 0; i < warp; ++i) sum += of_warp[i];
    return sum - mine;
}

extern "C" __global__ void __launch_bounds__(THREADS)
    ranked_one(const RAW* keys, u64 n, u64 rank, Common* common, u32* ticket, u64* result) {
    __shared__ u32 bins[BINS], found;
    __shared__ u64 passed, equal;
    u32 readings = 1;
    RAW low = (RAW)~(RAW)0, high = 0;
    for_each_key(keys, n, [&](RAW bits) {
        const RAW code = encode(bits);
        low = code < low ? code : low, high = code > high ? code : high;
    });
    const u64 inverse = ~warp_least((u64)low), most = ~warp_least(~(u64)high);
    if (!(threadIdx.x % LANES)) {
        atomicMax(&common->inverse_of_first, inverse);
        atomicMax(&common->last, most);
    }
    meet(common);
    RAW first = (RAW)~fresh(&common->inverse_of_first), last = (RAW)fresh(&common->last);

    u64 before = 0, here = n;
    u64* totals = common->bins;
    for (; first < last && here > 1; totals += BINS, ++readings) {
        const RAW span = (RAW)(last - first);
        const int bits = 64 - __clzll((u64)span), shift = bits > DIGIT ? bits - DIGIT : 0;
        for (u32 i = threadIdx.x; i < BINS; i += THREADS) bins[i] = 0;
        __syncthreads();
        for_each_key(keys, n, [&](RAW key) {
            const RAW offset = (RAW)(encode(key) - first);
            if (offset <= span) atomicAdd(&bins[(u32)(offset >> shift)], 1);
        });
        __syncthreads();
        for (u32 i = threadIdx.x; i < BINS; i += THREADS)
            if (bins[i]) atomicAdd(&totals[i], (u64)bins[i]);
        meet(common);

        u64 counts[BINS_EACH], mine = 0;
        for (int i = 0; i < BINS_EACH; ++i)
            mine += counts[i] = fresh(&totals[threadIdx.x * BINS_EACH + i]);
        u64 start = before + before_mine(mine);
        for (int i = 0; i < BINS_EACH; ++i) {
            if (start <= rank && rank < start + counts[i])
                found = threadIdx.x * BINS_EACH + i, passed = start, equal = counts[i];
            start += counts[i];
        }
        __syncthreads();
        before = passed, here = equal;
        first += (RAW)((RAW)found << shift);
        const RAW mask = (RAW)(((RAW)1 << shift) - 1);
        if ((RAW)(last - first) > mask) last = first + mask;
        __syncthreads();
    }
    if (first < last) {
        for_each_key(keys, n, [&](RAW key) {
            const RAW code = encode(key);
            if (code >= first && code <= last) atomicMax(&common->only, (u64)code);
        });
        meet(common);
        first = (RAW)fresh(&common->only);
        ++readings;
    }

    if (!comes_last(ticket)) return;
    if (!threadIdx.x) result[0] = first, result[1] = before, result[2] = here, result[3] = readings;
    if (!threadIdx.x) common->arrived = common->inverse_of_first = common->last = common->only = 0;
    for (u64* total = common->bins + threadIdx.x; total < totals; total += THREADS) *total = 0;
}
