// Kelley's cutting plane as printed (Beliakov 2011, figure 1): sums the distances of the finite keys to a
// place t, in double precision, and counts the keys at or below t.
//
// Reads every key once. Any grid of whole warps.

#include "keys.cuh"
#include "totals.cuh"

struct Tangent {
    double below = 0, above = 0;
    u64 upto = 0;

    __device__ void merge(const Tangent& other) {
        below += other.below, above += other.above, upto += other.upto;
    }
    __device__ void join_lanes() {
        below = warp_sum(below), above = warp_sum(above), upto = warp_sum(upto);
    }
};

extern "C" __global__ void beliakov_objective(const RAW* keys, u64 n, double t, Tangent* parts, u32* ticket,
                                              Tangent* result) {
    Tangent part;
    for_each_key(keys, n, [&](RAW bits) {
        const double key = (double)value_of(bits);
        const bool lower = key <= t;
        part.upto += lower;
        if (!is_finite(bits)) return;
        if (lower) part.below += t - key;
        else part.above += key - t;
    });
    if (joined(part, parts, ticket)) *result = part;
}
