// The steps of one-read, which one launch takes together (one_read.cu), or several cards in launches of their own
// (sample_pieces.cu to finish_pieces.cu).

#include "middle.cuh"
#include "one_read.cuh"

#define ATTEMPTS 2  // brackets

// What launches on one stream share. It has two halves: a launch uses one and clears what the last one used.
struct Common {
    u32 half, levels[2], unused;  // the half of the next launch, and the histograms in each half
    u32 arrived, ticket, unused_too[2];
    Totals totals[2][ATTEMPTS];
    u64 few[FEW];  // keys
    u64 bins[2][LEVELS][BINS];
};

// The half that a launch uses: its histograms, how many of them are used, and how often all blocks have met.
struct Half {
    Common* common;
    Totals* totals;
    u64 (*bins)[BINS];
    u32 half, levels = 0, meetings = 0;

    // By all threads; they need a barrier after it.
    __device__ __forceinline__ explicit Half(Common* common) : common(common) {
        __shared__ u32 header[4];
        if (threadIdx.x < 4) header[threadIdx.x] = ((volatile u32*)common)[threadIdx.x];
        __syncthreads();
        half = header[0], totals = common->totals[half], bins = common->bins[half];
        const u64 thread = (u64)blockIdx.x * THREADS + threadIdx.x, threads = (u64)gridDim.x * THREADS;
        u64* last = &common->bins[!half][0][0];
        for (u64 i = thread; i < (u64)header[1 + !half] * BINS; i += threads) last[i] = 0;
        if (thread < sizeof(common->totals[0]) / sizeof(u64)) ((u64*)common->totals[!half])[thread] = 0;
    }

    __device__ __forceinline__ void meet_all() { meet(&common->arrived, meetings); }

    template <bool PACKED, class Source>
    __device__ __forceinline__ void narrow(Range* range, const u64* rank, const Source& source) {
        meetings = narrow_together<PACKED>(range, rank, source, bins[levels++], &common->arrived, meetings);
    }

    // By one thread of the last block.
    __device__ __forceinline__ void leave() const {
        common->levels[half] = levels;
        common->arrived = 0;
        common->half = !half;
    }
};

// What all threads of a block know of a search.
struct Search {
    u64 rank[2], target[2], rank_inside[2];
    Range range[2];
    Totals totals;

    __device__ __forceinline__ void want(u64 given_rank, u32 pair, u32 ask, u64 n) {
        rank[0] = given_rank, rank[1] = given_rank + pair;
        if (ask) set_middle(rank, n);
    }

    // Whether the totals of a read prove where the ranks are.
    __device__ __forceinline__ bool is_hit(u64 numbers, u64 room) const {
        const u64 upto = totals.below + totals.low_equal + totals.inside + totals.high_equal;
        bool hit = totals.spilled <= room;
        for (int r = 0; r < 2; ++r) hit = hit && (rank[r] >= numbers || rank[r] >= totals.below && rank[r] < upto);
        return hit;
    }
};

// The bracket around the ranks among n keys, by a sample of `all` keys. `sampled` of them count: for NANMEDIAN the
// numbers among them, which are counted `first`.
template <class Source>
__device__ __forceinline__ Bracket bracket_by(const Source& sample, u64 all, u64& sampled, bool first, double wide, u64 n,
                                              u32 ask, Search& search, Half& work) {
    if (ask == NANMEDIAN && first) {
        u32 nans = 0;
        sample([&](RAW code) { nans += code == (RAW)~(RAW)0 && FLOATING; });
        add_of_block(nans, &work.totals[0].nans);
        work.meet_all();
        sampled -= fresh(&work.totals[0].nans);
    }
    u64 *rank = search.rank, *target = search.target;
    Range* range = search.range;
    if (!threadIdx.x) {
        if (ask == NANMEDIAN) set_middle(rank, sampled);
        aim(target, rank, ask == NANMEDIAN ? sampled : n, sampled, wide);
        search.rank_inside[0] = target[0] < sampled ? target[0] : 0;
        search.rank_inside[1] = target[1] < sampled ? target[1] : sampled - 1;
        range[0] = range[1] = {0, (RAW)~(RAW)0, 0, all};
    }
    __syncthreads();
    while (sampled && (is_heavy(range[0], sampled) && !range[0].is_one() ||
                       is_heavy(range[1], sampled) && !range[1].is_one()))
        work.narrow<true>(range, search.rank_inside, sample);
    return bracket_of(range, target, sampled);
}

// What is found of both ranks: the key's code, the keys below it, and those that equal it.
struct Found {
    RAW code[2];
    u64 below[2], equal[2];
};

// Finds the keys of the ranks, and returns true in the last block: from the totals of a `hit` or, if they do not tell,
// among the staged keys; without a hit among `all` keys, from the ranges on. `readings` counts reads of all keys.
template <class Staging, class Source>
__device__ __forceinline__ bool find_keys(Found& found, Search& search, Half& work, bool hit, bool counted, u64 numbers,
                                          u64 n, const Bracket& bracket, const Staging& staged, const Source& all,
                                          u32& readings) {
    const u64 *rank = search.rank, *rank_inside = search.rank_inside;
    const Totals& totals = search.totals;
    Range* range = search.range;
    const u64 before_inside = hit ? totals.below + totals.low_equal : 0;
    bool known[2] = {false, false};
    UNROLLED for (int r = 0; r < 2; ++r) {
        if (!counted) continue;
        known[r] = true;
        if (rank[r] >= numbers)
            found.code[r] = (RAW)~(RAW)0, found.below[r] = numbers, found.equal[r] = n - numbers;
        else if (rank[r] < before_inside)
            found.code[r] = bracket.first, found.below[r] = totals.below, found.equal[r] = totals.low_equal;
        else if (rank[r] >= before_inside + totals.inside)
            found.code[r] = bracket.last, found.below[r] = before_inside + totals.inside, found.equal[r] = totals.high_equal;
        else
            known[r] = false;
    }
    const bool open = !known[0] || !known[1];
    if (open) {
        if (!threadIdx.x) {
            search.rank_inside[0] = rank[known[0]] - before_inside;
            search.rank_inside[1] = rank[!known[1]] - before_inside;
            if (hit) range[0] = range[1] = {bracket.first, bracket.last, 0, totals.inside};
        }
        __syncthreads();
        while (same(range) ? !range[0].is_one() && range[0].here > FEW
                           : !range[0].is_one() && range[0].here > FEW / 2 ||
                                 !range[1].is_one() && range[1].here > FEW / 2) {
            if (hit) work.narrow<true>(range, rank_inside, staged);
            else work.narrow<false>(range, rank_inside, all), ++readings;
        }
        if (!range[0].is_one() || !range[1].is_one()) {
            u64* count = &work.totals[0].few;
            if (hit) gather(range, staged, (RAW*)work.common->few, count);
            else gather(range, all, (RAW*)work.common->few, count), readings += 2;
        }
    }
    if (!comes_last(&work.common->ticket)) return false;
    if (open) {
        const u64 count = fresh(&work.totals[0].few);
        u32 end = 0;
        ROLLED for (u64 i = threadIdx.x; i < count; i += THREADS, end += THREADS)
            LISTS[threadIdx.x + end] = fresh((RAW*)work.common->few + i);
        const Staged few{nullptr, 0, end};
        narrow_to_few(range, rank_inside, few);
        compare(range, rank_inside, few);
        UNROLLED for (int r = 0; r < 2; ++r)
            if (!known[r]) {
                found.code[r] = range[r].first;
                found.below[r] = before_inside + range[r].before, found.equal[r] = range[r].here;
            }
    }
    return true;
}

// Writes the answer: one or two keys, or their mean.
__device__ __forceinline__ void write_answer(void* answer, Found& found, const u64* rank, u64 numbers, u64 n, u32 pair,
                                             u32 unless_nan, u32 ask) {
    if ((ask == MEDIAN || unless_nan) && numbers < n) found.code[0] = found.code[1] = (RAW)~(RAW)0;
    RAW* keys_found = (RAW*)answer;
    if (ask) write_mean((Mean*)answer, decode(found.code[0]), decode(found.code[1]), rank[0] == rank[1]);
    else keys_found[0] = decode(found.code[0]), keys_found[pair] = decode(found.code[1]);
}
