// Ranking: the codes among which a key of some rank must be, narrowed digit by digit. THREADS threads
// a block.

#include "scan.cuh"

#define BINS 2048
#define DIGIT 11
#define BINS_EACH (BINS / THREADS)

// Codes from first to last; `before` keys come before all of them, `here` keys have one of them.
struct Narrowed {
    RAW first, last;
    u64 before, here;

    __device__ bool is_told() const { return first == last || here == 1; }
    __device__ RAW span() const { return (RAW)(last - first); }
    // How far offsets from the first code are shifted, to be numbers of bins.
    __device__ int shift() const {
        const int bits = 64 - __clzll((u64)span());
        return bits > DIGIT ? bits - DIGIT : 0;
    }
};

// Narrows to the bin of a rank, given the counters of all; by all threads of a block.
template <class Counts>
__device__ void narrow(Narrowed& to, u64 rank, Counts count_of) {
    __shared__ u64 found, passed, equal;
    const int shift = to.shift();
    u64 counts[BINS_EACH], mine = 0;
    for (int i = 0; i < BINS_EACH; ++i)
        mine += counts[i] = count_of(threadIdx.x * BINS_EACH + i);
    u64 start = to.before + before_mine(mine);
    for (int i = 0; i < BINS_EACH; ++i) {
        if (start <= rank && rank < start + counts[i])
            found = threadIdx.x * BINS_EACH + i, passed = start, equal = counts[i];
        start += counts[i];
    }
    __syncthreads();
    to.before = passed, to.here = equal;
    to.first += (RAW)((RAW)found << shift);
    const RAW mask = (RAW)(((RAW)1 << shift) - 1);
    if (to.span() > mask) to.last = to.first + mask;
    __syncthreads();
}
