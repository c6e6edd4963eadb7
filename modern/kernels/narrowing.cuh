// Ranking: the codes among which a key of some rank must be, narrowed division by division. THREADS
// threads a block.

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
};

// Codes divided by their highest digit that is not the same in all.
struct Digits {
    RAW first, span;
    int shift;

    __device__ explicit Digits(const Narrowed& to) : first(to.first), span(to.span()) {
        const int bits = 64 - __clzll((u64)span);
        shift = bits > DIGIT ? bits - DIGIT : 0;
    }
    // Whether a key is among those that are divided, and in which bin.
    __device__ __forceinline__ bool has(RAW bits, u32& bin) const {
        const RAW offset = (RAW)(encode(bits) - first);
        bin = (u32)(offset >> shift);
        return offset <= span;
    }
    __device__ void narrow(Narrowed& to, u32 bin) const {
        const RAW most = (RAW)(((RAW)1 << shift) - 1);
        to.first += (RAW)((RAW)bin << shift);
        if (to.span() > most) to.last = to.first + most;
    }
};

// Narrows to the bin of a rank, given how many keys are in each; by all threads of a block.
template <class Counts>
__device__ void narrow(Narrowed& to, u64 rank, const Digits& digits, Counts count_of) {
    __shared__ u64 found, passed, equal;
    u64 counts[BINS_EACH], mine = 0;
    for (int i = 0; i < BINS_EACH; ++i)
        mine += counts[i] = count_of(threadIdx.x * BINS_EACH + i);
    u64 start = to.before + before_in_block(mine);
    for (int i = 0; i < BINS_EACH; ++i) {
        if (start <= rank && rank < start + counts[i])
            found = threadIdx.x * BINS_EACH + i, passed = start, equal = counts[i];
        start += counts[i];
    }
    __syncthreads();
    to.before = passed, to.here = equal;
    digits.narrow(to, (u32)found);
    __syncthreads();
}
