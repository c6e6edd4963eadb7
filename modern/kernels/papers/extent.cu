// Finds the smallest finite key, the largest, and the sum of all; counts −∞, ∞ and NaN.
//
// result: the codes of both, the latter inverted, the counts, and the sum. Reads every key once. Any grid of whole warps. The sum is added up in double precision: a guess, which may round.

#include "keys.cuh"
#include "totals.cuh"

extern "C" __global__ void __launch_bounds__(256, 5)
    extent(const RAW* keys, u64 n, u64* parts, u32* ticket, u64* result) {
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
    Part<2, 3, 1> part;
    part.word[0] = low, part.word[1] = ~(u64)high;
    part.word[2] = minus, part.word[3] = plus, part.word[4] = nans, part.set_sum(0, total);
    if (part.join(parts, ticket)) part.write(result);
}
