// The one read of a whole array, or of a part of it that a block has alone: what it adds to the totals of the array,
// and what it leaves in the lists (bracket_pass.cuh).

#include "bracket_pass.cuh"

// The keys of all parts. `spilled` are those moved out of the lists, which may be more than there is room for.
struct Totals {
    u64 below, low_equal, inside, high_equal, numbers, spilled, nans, few;
};

// Returns the end of the own list: the entries of this thread times THREADS.
template <bool TIED>
__device__ __forceinline__ u32 read_all(const RAW* keys, u64 n, const Bracket& bracket, const Spill& spill,
                                        Totals* totals) {
    Counted<TIED> counted(value_of(decode(bracket.first)), value_of(decode(bracket.last)), spill);
    look_at_all(keys, n, counted);
    const u32 inside = counted.held() + counted.moved;
    if (!TIED) counted.below = counted.upto_low = counted.upto - inside;
    add_of_block(counted.below, &totals->below);
    add_of_block(inside, &totals->inside);
#if FLOATING
    add_of_block(counted.numbers, &totals->numbers);
#endif
    if (TIED) {
        add_of_block(counted.upto_low - counted.below, &totals->low_equal);
        add_of_block(counted.upto - counted.upto_low - inside, &totals->high_equal);
    }
    return counted.held() * THREADS;
}
