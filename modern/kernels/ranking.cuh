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
    __device__ bool is_finite() const { return ::is_finite(decode(first)) && ::is_finite(decode(last)); }
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

// Codes of finite keys, divided into intervals of equal width. Any rounding will do: it keeps the
// order.
struct Widths {
#if KEY_BYTES <= 4
    typedef float Real;
#else
    typedef double Real;
#endif
    RAW first, last;
    Real slope;

    __device__ explicit Widths(const Narrowed& to) : first(to.first), last(to.last) {
        slope = BINS / offset(decode(last));
    }
    __device__ __forceinline__ Real offset(RAW bits) const {
#if FLOATING
        return (Real)value_of(bits) - (Real)value_of(decode(first));
#else
        return (Real)(RAW)(encode(bits) - first);
#endif
    }
    __device__ __forceinline__ bool has(RAW bits, u32& bin) const {
        bin = (u32)(offset(bits) * slope);  // 0 for what is no number
        if (bin >= BINS) bin = BINS - 1;
        return true;
    }
    __device__ bool is_before(RAW code, u32 bin) const {
        u32 here;
        has(decode(code), here);
        return here < bin;
    }
    // The smallest code in a bin or after it; the one after the last if there is none.
    __device__ RAW start(u32 bin) const {
        RAW low = first, high = last;
        if (is_before(last, bin)) return last + 1;
        while (low < high) {
            const RAW middle = low + (RAW)(high - low) / 2;
            if (is_before(middle, bin)) low = middle + 1;
            else high = middle;
        }
        return low;
    }
    __device__ void narrow(Narrowed& to, u32 bin) const {
        to.first = start(bin), to.last = start(bin + 1) - 1;
    }
};

// Narrows to the bin of a rank, given how many keys are in each; by all threads of a block.
template <class Divided, class Counts>
__device__ void narrow(Narrowed& to, u64 rank, const Divided& divided, Counts count_of) {
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
    divided.narrow(to, (u32)found);
    __syncthreads();
}
