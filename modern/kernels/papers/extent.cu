// Finds the smallest finite key, the largest, and the sum of all; counts −∞, ∞ and NaN.
//
// Reads every key once. Any grid of whole warps. The sum is added up in double precision: a guess, which may round.

#include "keys.cuh"
#include "totals.cuh"

struct Extent {
    u64 low = ~0ull, high = 0;  // codes
    double total = 0;
    u64 minus = 0, plus = 0, nans = 0;

    __device__ void merge(const Extent& other) {
        low = other.low < low ? other.low : low;
        high = other.high > high ? other.high : high;
        total += other.total;
        minus += other.minus, plus += other.plus, nans += other.nans;
    }
    __device__ void join_lanes() {
        low = warp_least(low);
        high = ~warp_least(~high);
        total = warp_sum(total);
        minus = warp_sum(minus), plus = warp_sum(plus), nans = warp_sum(nans);
    }
};

extern "C" __global__ void __launch_bounds__(256, 5) extent(const RAW* keys, u64 n, Extent* parts, u32* ticket,
                                  Extent* result) {
    RAW low = (RAW)~(RAW)0, high = 0;
    double total = 0;
    u32 minus = 0, plus = 0, nans = 0;
    for_each_key(keys, n, [&](RAW bits) {
#if FLOATING
        if (!is_finite(bits)) {
            const RAW magnitude = bits & (RAW)(SIGN - 1);
            if (magnitude > INFINITE) ++nans;
            else if (bits & SIGN) ++minus;
            else ++plus;
            return;
        }
#endif
        const RAW code = encode(bits);
        low = code < low ? code : low;
        high = code > high ? code : high;
        total += (double)value_of(bits);
    });
    Extent part;
    part.low = low, part.high = high, part.total = total;
    part.minus = minus, part.plus = plus, part.nans = nans;
    if (joined(part, parts, ticket)) *result = part;
}
