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
// time.

#include "keys.cuh"
#include "sampled_load.cuh"
#include "steps.cuh"

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
    UNROLLED for (int j = 0; j < SAMPLED; ++j) loaded[j] = sampled_load(keys, n, thread + j * threads, SAMPLED * threads);
    UNROLLED for (int j = 0; j < SAMPLED; ++j)
        UNROLLED for (int k = 0; k < PER_LOAD; ++k) LISTS[threadIdx.x + (j * PER_LOAD + k) * THREADS] = loaded[j].keys[k];
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
    __shared__ Search search;
    if (!threadIdx.x) search.want(given_rank, pair, ask, n);
    Half work(common);
    const u64 threads = (u64)gridDim.x * THREADS;
    u32 attempts = 0, readings = 0, end = 0;
    bool hit = false;
    u64 numbers = n;
    Bracket bracket{0, (RAW)~(RAW)0, false};
    __syncthreads();

    if (samples) {
        u64 sampled = SAMPLED * threads * PER_LOAD;
        double wide = given_wide;
        for (; attempts < ATTEMPTS && !hit; ++attempts, wide *= 4) {
            const Staged sample{spilled, 0, stage_sample(keys, n)};
            bracket = bracket_by(sample, SAMPLED * threads * PER_LOAD, sampled, !attempts, wide, n, ask, search, work);
            Totals* of = &work.totals[attempts];
            const Spill spill{spilled, room, &of->spilled};
            end = bracket.tied ? read_all<true>(keys, n, bracket, spill, of)
                               : read_all<false>(keys, n, bracket, spill, of);
            ++readings;
            work.meet_all();
            if (threadIdx.x < sizeof(Totals) / sizeof(u64))
                ((u64*)&search.totals)[threadIdx.x] = fresh((const u64*)of + threadIdx.x);
            __syncthreads();
            numbers = FLOATING ? search.totals.numbers : n;
            if (ask == NANMEDIAN) {
                if (!threadIdx.x) set_middle(search.rank, numbers);
                __syncthreads();
            }
            hit = search.is_hit(numbers, room);
        }
    } else {
        end = stage_all(keys, n, &work.totals[0]);
        readings = 1, hit = true;
        if (ask == NANMEDIAN) {
            work.meet_all();
            numbers = n - fresh(&work.totals[0].nans);
            if (!threadIdx.x) set_middle(search.rank, numbers);
        }
        if (!threadIdx.x) search.totals = {}, search.totals.inside = n;
        __syncthreads();
    }
    if (!hit && !threadIdx.x) search.range[0] = search.range[1] = {0, (RAW)~(RAW)0, 0, n};
    Found found;
    const Staged staged{spilled, hit ? search.totals.spilled : 0, end};
    if (!find_keys(found, search, work, hit, hit && samples, numbers, n, bracket, staged, All<encode>{keys, n}, readings))
        return;
    if (threadIdx.x) return;
    if (!samples) numbers = n - fresh(&work.totals[0].nans);
    write_answer(answer, found, search.rank, numbers, n, pair, unless_nan, ask);
    if (told) {
        for (int r = 0; r < 2; ++r)
            told->bits[r] = decode(found.code[r]), told->below[r] = found.below[r], told->equal[r] = found.equal[r];
        told->readings = readings, told->attempts = attempts;
        told->sampled = samples ? SAMPLED * threads * PER_LOAD : 0;
        told->first = bracket.first, told->last = bracket.last, told->tied = bracket.tied;
        told->totals = search.totals, told->totals.nans = n - numbers;
    }
    work.leave();
}
