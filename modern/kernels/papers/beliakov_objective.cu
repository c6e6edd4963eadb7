// Kelley's cutting plane as printed (Beliakov 2011, figure 1): sums the distances of the finite keys to a place t, in
// double precision, and counts the keys at or below t. Reads every key once. Any grid of whole warps.

#include "keys.cuh"
#include "totals.cuh"

extern "C" __global__ void beliakov_objective(const RAW* keys, u64 n, double t, u64* parts, u32* ticket, u64* result) {
    double below = 0, above = 0;
    u64 upto = 0;
    for_each_key(keys, n, [&](RAW bits) {
        const double key = (double)value_of(bits);
        const bool lower = key <= t;
        upto += lower;
        if (!is_finite(bits)) return;
        if (lower) below += t - key;
        else above += key - t;
    });
    Part<0, 1, 2> part;
    part.word[0] = upto, part.set_sum(0, below), part.set_sum(1, above);
    if (part.join(parts, ticket)) part.write(result);
}
