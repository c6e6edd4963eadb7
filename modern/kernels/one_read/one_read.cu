// one-read, ours: finds the key of a rank, or the two middle keys, in one launch and one read of all keys
// (shadersort/selection/primitives/one_read.py). The host learns nothing before the end, and does not have to wait for
// it. Sample, bracket, count: after Floyd and Rivest 1975; on GPUs also GVR (Cheng et al. 2026), see docs/algorithms.md.
//
// 1. Sample: each thread takes SAMPLED loads of 16 bytes, each at a hashed place in its part of the keys.
// 2. Bracket: the codes around the sample's rank, `wide` standard errors away, by histograms.
// 3. One read: counts keys below and above the bracket, and stages those inside (one_read.cuh).
// 4. Proof: the counts show whether the rank is inside. If not, a bracket four times as wide is read.
//    If that misses, too, all keys are narrowed: a read for each 12 bits of the codes.
// 5. Histograms of the staged keys, until few are left, and the last block finishes.
//
// Few keys are all staged, without a sample. Reads all keys once: 2²⁸ float32 or float64 on an H200 take 1.15 or 1.14
// times as long as their maximum. A step that is done for the first time waits for its own code: the sample and the
// staged keys are narrowed by the same function.
//
// `ask`: the key at `rank` and the key at the rank after it, if `pair`, or NaN `unless_nan`; the mean of the middle keys,
// NaN if any key is; or the same among the keys that are numbers. Blocks of 1,024 threads, which all run at the same
// time. The workspace has two halves: a launch uses one and clears what the last one used.

#include "keys.cuh"
#include "middle.cuh"
#include "sampled_load.cuh"
#include "one_read.cuh"

#define ATTEMPTS 2  // brackets

struct Common {
    u32 half, levels[2], unused;  // the half of the next launch, and the histograms in each half
    u32 arrived, ticket, unused_too[2];
    Totals totals[2][ATTEMPTS];
    u64 few[FEW];  // keys
    u64 bins[2][LEVELS][BINS];
};

// What the host may read: of each rank its key, the keys below it, and those that equal it.
struct Told {
    u64 bits[2], below[2], equal[2];
    u64 readings, attempts, sampled, first, last, tied;
    Totals totals;
};

// Stages the sample. Returns the end of the own list.
__device__ __forceinline__ u32 stage_sample(const RAW* keys, u64 n) {
    const u64 thread = (u64)blockIdx.x * THREADS + threadIdx.x, threads = (u64)gridDim.x * THREADS;
    Load loaded[SAMPLED];
#pragma unroll
    for (int j = 0; j < SAMPLED; ++j) loaded[j] = sampled_load(keys, n, thread + j * threads, SAMPLED * threads);
#pragma unroll
    for (int j = 0; j < SAMPLED; ++j)
#pragma unroll
        for (int k = 0; k < PER_LOAD; ++k) LISTS[threadIdx.x + (j * PER_LOAD + k) * THREADS] = loaded[j].keys[k];
    return SAMPLED * PER_LOAD * THREADS;
}

// Stages all keys, and counts the NaNs. Returns the end of the own list.
__device__ __forceinline__ u32 stage_all(const RAW* keys, u64 n, Totals* totals) {
    u32 end = 0, nans = 0;
    for_each_key(keys, n, [&](RAW bits) {
        LISTS[threadIdx.x + end] = bits, end += THREADS;
        nans += is_nan(bits);
    });
#if FLOATING
    add_of_block(nans, &totals->nans);
#endif
    return end;
}

extern "C" __global__ void __launch_bounds__(THREADS, 1)
    one_read(const RAW* keys, u64 n, u64 given_rank, u32 pair, u32 unless_nan, u32 ask, u32 samples, float given_wide,
             RAW* spilled, u64 room, Common* common, void* answer, Told* told) {
    __shared__ u64 rank[2], target[2], rank_inside[2];
    __shared__ Range range[2];
    __shared__ Totals totals;
    __shared__ u32 header[4];
    if (threadIdx.x < 4) header[threadIdx.x] = ((volatile u32*)common)[threadIdx.x];
    if (!threadIdx.x) {
        rank[0] = given_rank, rank[1] = given_rank + pair;
        if (ask) set_middle(rank, n);
    }
    __syncthreads();
    const u32 half = header[0];
    const u64 thread = (u64)blockIdx.x * THREADS + threadIdx.x, threads = (u64)gridDim.x * THREADS;
    {
        u64* last = &common->bins[!half][0][0];
        for (u64 i = thread; i < (u64)header[1 + !half] * BINS; i += threads) last[i] = 0;
        if (thread < sizeof(common->totals[0]) / sizeof(u64)) ((u64*)common->totals[!half])[thread] = 0;
    }
    u64(*bins)[BINS] = common->bins[half];
    u32 levels = 0, meetings = 0, attempts = 0, readings = 0, end = 0;
    bool hit = false;
    u64 numbers = n;
    Bracket bracket{0, (RAW)~(RAW)0, false};
    RAW found[2];
    u64 below[2], equal[2];

    if (samples) {
        u64 sampled = SAMPLED * threads * PER_LOAD;
        double wide = given_wide;
        for (; attempts < ATTEMPTS && !hit; ++attempts, wide *= 4) {
            const Staged sample{spilled, 0, stage_sample(keys, n)};
            if (ask == NANMEDIAN && !attempts) {
                u32 nans = 0;
                sample([&](RAW code) { nans += code == (RAW)~(RAW)0 && FLOATING; });
                add_of_block(nans, &common->totals[half][0].nans);
                meet(&common->arrived, meetings);
                sampled -= fresh(&common->totals[half][0].nans);
            }
            if (!threadIdx.x) {
                if (ask == NANMEDIAN) set_middle(rank, sampled);
                aim(target, rank, ask == NANMEDIAN ? sampled : n, sampled, wide);
                rank_inside[0] = target[0] < sampled ? target[0] : 0;
                rank_inside[1] = target[1] < sampled ? target[1] : sampled - 1;
                range[0] = range[1] = {0, (RAW)~(RAW)0, 0, SAMPLED * threads * PER_LOAD};
            }
            __syncthreads();
            while (sampled && (is_heavy(range[0], sampled) && !range[0].is_one() ||
                               is_heavy(range[1], sampled) && !range[1].is_one()))
                meetings = narrow_together<true>(range, rank_inside, sample, bins[levels++], &common->arrived,
                                                 meetings);
            bracket = bracket_of(range, target, sampled);
            Totals* of = &common->totals[half][attempts];
            const Spill spill{spilled, room, &of->spilled};
            end = bracket.tied ? read_all<true>(keys, n, bracket, spill, of)
                               : read_all<false>(keys, n, bracket, spill, of);
            ++readings;
            meet(&common->arrived, meetings);
            if (threadIdx.x < sizeof(Totals) / sizeof(u64))
                ((u64*)&totals)[threadIdx.x] = fresh((const u64*)of + threadIdx.x);
            __syncthreads();
            numbers = FLOATING ? totals.numbers : n;
            const u64 upto = totals.below + totals.low_equal + totals.inside + totals.high_equal;
            if (ask == NANMEDIAN) {
                if (!threadIdx.x) set_middle(rank, numbers);
                __syncthreads();
            }
            hit = totals.spilled <= room;
            for (int r = 0; r < 2; ++r)
                hit = hit && (rank[r] >= numbers || rank[r] >= totals.below && rank[r] < upto);
        }
    } else {
        end = stage_all(keys, n, &common->totals[half][0]);
        readings = 1, hit = true;
        if (ask == NANMEDIAN) {
            meet(&common->arrived, meetings);
            numbers = n - fresh(&common->totals[half][0].nans);
            if (!threadIdx.x) set_middle(rank, numbers);
        }
        if (!threadIdx.x) totals = {}, totals.inside = n;
        __syncthreads();
    }

    // what the counts answer
    const u64 before_inside = hit ? totals.below + totals.low_equal : 0;
    bool known[2] = {false, false};
#pragma unroll
    for (int r = 0; r < 2; ++r) {
        if (!hit || !samples) continue;
        known[r] = true;
        if (rank[r] >= numbers)
            found[r] = (RAW)~(RAW)0, below[r] = numbers, equal[r] = n - numbers;
        else if (rank[r] < before_inside)
            found[r] = bracket.first, below[r] = totals.below, equal[r] = totals.low_equal;
        else if (rank[r] >= before_inside + totals.inside)
            found[r] = bracket.last, below[r] = before_inside + totals.inside, equal[r] = totals.high_equal;
        else
            known[r] = false;
    }
    const bool open = !known[0] || !known[1];

    if (open) {
        if (!threadIdx.x) {
            rank_inside[0] = rank[known[0]] - before_inside;
            rank_inside[1] = rank[!known[1]] - before_inside;
            range[0] = range[1] = {bracket.first, bracket.last, 0, totals.inside};
            if (!hit) range[0] = range[1] = {0, (RAW)~(RAW)0, 0, n};
        }
        __syncthreads();
    }
    const Staged staged{spilled, hit ? totals.spilled : 0, end};
    const All<encode> all{keys, n};
    if (open) {
        while (same(range) ? !range[0].is_one() && range[0].here > FEW
                           : !range[0].is_one() && range[0].here > FEW / 2 ||
                                 !range[1].is_one() && range[1].here > FEW / 2) {
            if (hit)
                meetings = narrow_together<true>(range, rank_inside, staged, bins[levels++], &common->arrived,
                                                 meetings);
            else
                meetings = narrow_together<false>(range, rank_inside, all, bins[levels++], &common->arrived,
                                                  meetings),
                ++readings;
        }
        if (!range[0].is_one() || !range[1].is_one()) {
            u64* count = &common->totals[half][0].few;
            if (hit) gather(range, staged, (RAW*)common->few, count);
            else gather(range, all, (RAW*)common->few, count), readings += 2;
        }
    }
    if (!comes_last(&common->ticket)) return;
    if (open) {
        const u64 count = fresh(&common->totals[half][0].few);
        end = 0;
#pragma unroll 1
        for (u64 i = threadIdx.x; i < count; i += THREADS, end += THREADS)
            LISTS[threadIdx.x + end] = fresh((RAW*)common->few + i);
        const Staged few{spilled, 0, end};
        narrow_to_few(range, rank_inside, few);
        compare(range, rank_inside, few);
#pragma unroll
        for (int r = 0; r < 2; ++r)
            if (!known[r]) {
                found[r] = range[r].first;
                below[r] = before_inside + range[r].before, equal[r] = range[r].here;
            }
    }
    if (threadIdx.x) return;
    if (!samples) numbers = n - fresh(&common->totals[half][0].nans);
    if ((ask == MEDIAN || unless_nan) && numbers < n) found[0] = found[1] = (RAW)~(RAW)0;
    RAW* keys_found = (RAW*)answer;
    if (ask) write_mean((Mean*)answer, decode(found[0]), decode(found[1]), rank[0] == rank[1]);
    else keys_found[0] = decode(found[0]), keys_found[pair] = decode(found[1]);
    if (told) {
        for (int r = 0; r < 2; ++r)
            told->bits[r] = decode(found[r]), told->below[r] = below[r], told->equal[r] = equal[r];
        told->readings = readings, told->attempts = attempts;
        told->sampled = samples ? SAMPLED * threads * PER_LOAD : 0;
        told->first = bracket.first, told->last = bracket.last, told->tied = bracket.tied;
        told->totals = totals, told->totals.nans = n - numbers;
    }
    common->levels[half] = levels;
    common->arrived = 0;
    common->half = !half;
}
