// Thresholding of several arrays: one read of all of them, which counts the magnitudes below a bracket, at its
// ends and up to its upper end, and stages the keys strictly inside (bracket_pass.cuh). Blocks go from one
// array to the next without a wait.
//
// `low` and `high` are the bits of magnitudes of numbers. Compiled with MAGNITUDE. starts[i] is the place of
// the first key of array i, and starts[count] the number of all keys. `spilled` gets the bits of keys with
// their signs; totals->spilled may exceed the room. Any grid of blocks of THREADS.

#include "keys.cuh"
#include "code_ranges.cuh"
#include "bracket_pass.cuh"

struct Totals {
    u64 below, upto_low, upto_high, numbers, spilled;
};

extern "C" __global__ void __launch_bounds__(THREADS, 1)
    magnitudes_between(const RAW* const* arrays, const u64* starts, u32 count, RAW low, RAW high, RAW* spilled,
                       u64 room, Totals* totals) {
    const Spill spill{spilled, room, &totals->spilled};
    Counted<true> counted(value_of(low), value_of(high), spill);
#pragma unroll 1
    for (u32 i = 0; i < count; ++i) look_at_all(arrays[i], starts[i + 1] - starts[i], counted);
    __syncwarp();
    if (__any_sync(FULL, counted.held()))
        spill_lists(LISTS + threadIdx.x, counted.held(), room, spill.count,
                    [&](u64 at, RAW bits) { spilled[at] = bits; });
    add_of_block(counted.below, &totals->below);
    add_of_block(counted.upto_low, &totals->upto_low);
    add_of_block(counted.upto, &totals->upto_high);
    add_of_block(FLOATING ? counted.numbers : 0, &totals->numbers);
}
