// The cutting plane's step: counts at a pivot, and with SUMS adds up the distances to the pivot of the keys in a
// window. Reads every key once. Any grid of whole warps. The window is closed, and its ends are keys. With LOGS,
// distances are differences of log(1 + x − origin).

#include "keys.cuh"
#include "totals.cuh"

// The type for sums of a few keys: the type of the keys, if that is precise enough for a guess.
#if FLOATING == 23 && !LOGS
#define SHORT float
#else
#define SHORT double
#endif

extern "C" __global__ void __launch_bounds__(256, 5)
    objective(const RAW* keys, u64 n, RAW pivot_bits, RAW low_bits, RAW high_bits, RAW origin_bits, u64* parts, u32* ticket,
              u64* result) {
    const VALUE pivot = value_of(pivot_bits), low = value_of(low_bits), high = value_of(high_bits);
    const VALUE origin = value_of(origin_bits);
    const double at_pivot = LOGS ? log1p(distance(pivot, origin)) : 0;
    u32 below = 0, equal = 0;
    double sum_below = 0, sum_above = 0;
    SHORT short_below = 0, short_above = 0;
    for_each_key(
        keys, n,
        [&](RAW bits) {
            const VALUE key = value_of(bits);
            below += key < pivot;
            equal += key == pivot;
            const bool lower = SUMS && key < pivot && key >= low, upper = SUMS && key > pivot && key <= high;
            if (LOGS && (lower || upper)) {
                const double length = log1p(distance(key, origin)) - at_pivot;
                if (lower) short_below -= length;
                else short_above += length;
            } else if (!LOGS && FLOATING) {
                const SHORT length = (SHORT)key - (SHORT)pivot;
                if (lower) short_below -= length;
                if (upper) short_above += length;
            } else if (!LOGS) {
                if (lower) short_below += distance(pivot, key);
                if (upper) short_above += distance(key, pivot);
            }
        },
        [&] {
            sum_below += (double)short_below, sum_above += (double)short_above;
            short_below = short_above = 0;
        });
    Part<0, 2, 2> part;
    part.word[0] = below, part.word[1] = equal;
    part.set_sum(0, sum_below), part.set_sum(1, sum_above);
    if (part.join(parts, ticket)) part.write(result);
}
