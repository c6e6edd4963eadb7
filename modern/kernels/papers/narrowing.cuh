// The range of codes that holds the key of a rank, narrowed digit by digit. A block has THREADS
// threads.

#include "scan.cuh"

#define BINS 2048
#define DIGIT 11
#define BINS_EACH (BINS / THREADS)

// The codes from first to last; `before` keys are below them, and `here` keys have one of them.
struct Narrowed {
    RAW first, last;
    u64 before, here;

    __device__ bool is_told() const { return first == last || here == 1; }
    __device__ RAW span() const { return (RAW)(last - first); }
};

// Codes divided by the highest digit in which they differ.
struct Digits {
    RAW first, span;
    int shift;

    __device__ explicit Digits(const Narrowed& to) : first(to.first), span(to.span()) {
        const int bits = 64 - __clzll((u64)span);
        shift = bits > DIGIT ? bits - DIGIT : 0;
    }
    // Whether the code of a key is among the divided codes, and its bin.
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

// Narrows to the bin of a rank, given the number of keys in each bin; by all threads of a block.
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
