// Fused radix selection: finds the key of one rank in one launch
// (shadersort/selection/primitives/fused_radix.py). result: the bits of the key, how many keys are below
// it, how many equal it; how often all keys were read, how often the copy was read, the copy's size.
//
// Reads the keys once for the smallest and the largest code. Then each read divides the codes by a digit,
// until the remaining keys are one key or are all equal; one more read finds that key. As soon as few
// keys remain and `room` can hold them, they are copied, and only the copy is read from then on.
//
// With HANDED_ON the keys are a copy that parted.cu has just made, if there was room. `given` has the
// numbers that parted.cu counted, which are passed on from result[6] on, and `rank` is a rank among all
// keys. If the rank is not in the copy, there is no other result.
//
// All blocks of THREADS run at the same time, at most one on each multiprocessor, and wait for each
// other after each read. With room, a block needs shared memory for two tiles of keys.

#include "keys.cuh"
#include "narrowing.cuh"
#include "compaction.cuh"
#include "meeting.cuh"

#define WORTH_A_COPY 4  // candidates are copied if they are at most 1 in this many keys

// What all blocks share; 0 before and after a launch. Each division has its own bins.
struct Common {
    u32 arrived, unused;
    u64 copied;
    u64 inverse_of_first, last, only;  // the largest ~code, the largest code, the last code
    u64 bins[1];
};

struct Among {
    RAW first, last;
    __device__ __forceinline__ bool wants(RAW bits) const {
        const RAW code = encode(bits);
        return code >= first && code <= last;
    }
    __device__ __forceinline__ bool again(RAW bits, bool) const { return wants(bits); }
};

// Counts the digits of all keys, by all blocks, and narrows to the digit of a rank.
__device__ void divide(const RAW* keys, u64 n, u64 rank, Narrowed& to, const Digits& digits,
                       Common* common, u64* totals, u32& meetings) {
    __shared__ u32 bins[BINS];
    for (u32 i = threadIdx.x; i < BINS; i += THREADS) bins[i] = 0;
    __syncthreads();
    for_each_key(keys, n, [&](RAW bits) {
        u32 bin;
        if (digits.has(bits, bin)) atomicAdd(&bins[bin], 1);
    });
    add_up(bins, BINS, totals);
    meet(&common->arrived, meetings);
    narrow(to, rank, digits, [&](u32 bin) { return fresh(&totals[bin]); });
}

extern "C" __global__ void __launch_bounds__(THREADS)
    fused_radix(const RAW* keys, u64 n, u64 rank, RAW* chosen, u64 room,
#if HANDED_ON
               const u64* given,
#endif
               Common* common, u32* ticket, u64* result) {
#if HANDED_ON
    const u64 inside = given[0];
    rank -= given[1] + given[2];
    if (!blockIdx.x && threadIdx.x < 4) result[6 + threadIdx.x] = given[threadIdx.x];
    if (inside > n || rank >= inside) return;  // a rank before the copy has become a very large number
    n = inside;
#endif
    u64 readings = 1, of_all = 0;
    u32 meetings = 0;
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
    meet(&common->arrived, meetings);
    Narrowed to{(RAW)~fresh(&common->inverse_of_first), (RAW)fresh(&common->last), 0, n};

    u64* totals = common->bins;
    while (!to.is_told()) {
        if (!of_all && to.here <= room && WORTH_A_COPY * to.here <= n) {
            Among filter{to.first, to.last};
            compact(keys, n, filter, Together{chosen, room, &common->copied});
            meet(&common->arrived, meetings);
            asm volatile("" : "+l"(chosen));  // no load of what other blocks wrote moves before this line
            of_all = ++readings, keys = chosen, n = to.here;
        }
        divide(keys, n, rank, to, Digits(to), common, totals, meetings);
        totals += BINS, ++readings;
    }
    if (to.first < to.last) {
        for_each_key(keys, n, [&](RAW bits) {
            const RAW code = encode(bits);
            if (code >= to.first && code <= to.last) atomicMax(&common->only, (u64)code);
        });
        meet(&common->arrived, meetings);
        to.first = (RAW)fresh(&common->only);
        ++readings;
    }

    if (!comes_last(ticket)) return;
    if (!threadIdx.x) {
        result[0] = decode(to.first), result[1] = to.before, result[2] = to.here;
        result[3] = of_all ? of_all : readings;       // reads of all keys
        result[4] = of_all ? readings - of_all : 0;   // reads of the copy
        result[5] = of_all ? common->copied : 0;      // keys in the copy
        common->arrived = 0, common->copied = 0;
        common->inverse_of_first = common->last = common->only = 0;
    }
    for (u64* total = common->bins + threadIdx.x; total < totals; total += THREADS) *total = 0;
}
