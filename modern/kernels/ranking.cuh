// Ranking: the codes among which a key of some rank must be, narrowed digit by digit. THREADS threads
// a block.

#define BINS 2048
#define DIGIT 11
#define WARPS (THREADS / LANES)
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

// How many keys are in the bins of all threads before this one.
__device__ u64 before_mine(u64 mine) {
    __shared__ u64 of_warp[WARPS];
    const u32 lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
    u64 sum = mine;
    for (int step = 1; step < LANES; step <<= 1) {
        const u64 other = __shfl_up_sync(FULL, sum, step);
        if (lane >= step) sum += other;
    }
    if (lane == LANES - 1) of_warp[warp] = sum;
    __syncthreads();
    for (u32 i = 0; i < warp; ++i) sum += of_warp[i];
    return sum - mine;
}

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
