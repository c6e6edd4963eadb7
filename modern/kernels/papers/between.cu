// Compaction: copies the keys with codes from `first` to `last`, both included, in any order. With RANGES, copies those
// of several such ranges: each is as wide, and they begin at the ascending codes `firsts`. result[0]: the number of
// copies. With PARTED, 1: keys with codes below `first`; 2 and 3: keys with the code before `first`, and with the one
// behind `last`, which are those of two pivots; 4: NaNs.
//
// Reads every key once and writes every copy once. Blocks of THREADS, one for each multiprocessor.

#include "keys.cuh"
#include "compaction.cuh"

struct Between {
    RAW first, last;
    const RAW* firsts;
    u32 ranges, counts[4] = {0, 0, 0, 0};
    __device__ __forceinline__ bool wants(RAW bits) {
        const RAW code = encode(bits);
        if (PARTED) {
            counts[0] += code < first, counts[1] += code == (RAW)(first - 1), counts[2] += code == (RAW)(last + 1);
            counts[3] += FLOATING && code == (RAW)~(RAW)0;
        }
        if (!RANGES) return code >= first && code <= last;
        const u32 behind = partition_point(0u, ranges, [&](u32 i) { return firsts[i] <= code; });
        return behind && (RAW)(code - firsts[behind - 1]) <= (RAW)(last - first);
    }
};

extern "C" __global__ void __launch_bounds__(THREADS)
    between(const RAW* keys, u64 n, u64 first, u64 last, const RAW* firsts, u64 ranges, RAW* chosen, u64 room,
            u64* totals, u32* ticket, u64* result) {
    Between filter{(RAW)first, (RAW)last, firsts, (u32)ranges};
    compact(keys, n, filter, chosen, room, totals);
    if (PARTED)
        for (u32 i = 0; i < 4; ++i) {
            const u32 sum = warp_sum(filter.counts[i]);
            if (!(threadIdx.x % LANES) && sum) atomicAdd(&totals[1 + i], (u64)sum);
        }
    hand_over(totals, PARTED ? 5 : 1, ticket, result);
}
