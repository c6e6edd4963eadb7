// The key of one rank: its code, how many keys come before it, how many equal it; and how often the
// keys were read for that.
//
// Reads the keys once to see which codes there are, once for each digit by which those differ, until
// one key is left or keys that are equal, and once more to see which. All blocks of THREADS run at
// the same time, at most one for each multiprocessor, and wait for each other after each reading.

#include "keys.cuh"
#include "ranking.cuh"

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

extern "C" __global__ void __launch_bounds__(THREADS)
    ranked_one(const RAW* keys, u64 n, u64 rank, Common* common, u32* ticket, u64* result) {
    __shared__ u32 bins[BINS];
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
    Narrowed to{(RAW)~fresh(&common->inverse_of_first), (RAW)fresh(&common->last), 0, n};

    u64* totals = common->bins;
    for (; !to.is_told(); totals += BINS, ++readings) {
        const RAW first = to.first, span = to.span();
        const int shift = to.shift();
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
        narrow(to, rank, [&](u32 bin) { return fresh(&totals[bin]); });
    }
    if (to.first < to.last) {
        for_each_key(keys, n, [&](RAW key) {
            const RAW code = encode(key);
            if (code >= to.first && code <= to.last) atomicMax(&common->only, (u64)code);
        });
        meet(common);
        to.first = (RAW)fresh(&common->only);
        ++readings;
    }

    if (!comes_last(ticket)) return;
    if (!threadIdx.x) {
        result[0] = to.first, result[1] = to.before, result[2] = to.here, result[3] = readings;
        common->arrived = common->inverse_of_first = common->last = common->only = 0;
    }
    for (u64* total = common->bins + threadIdx.x; total < totals; total += THREADS) *total = 0;
}
