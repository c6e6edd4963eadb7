// Many ranks, ours: finds the keys of some ranks in one launch, by two reads of all keys as a rule
// (modern/primitives/cells.py).
//
// 1. Sample: each thread takes a load of 16 bytes at a hashed place. All blocks divide its codes into cells (cells.cuh).
// 2. A read counts the keys in all cells. Prefix sums give the cell of each rank: a range of codes.
// 3. A read puts the keys of these ranges into memory, the keys of each range together; a block selects in it.
//
// If a range has very many keys, as those of rounded data, or all ranges together have, they are narrowed first: by a
// read that finds the smallest and the largest code in every range, and by one that divides every range into bins, in
// turns. So no answer is a guess, and the host decides nothing.
//
// Ranks are ascending, at most MOST: `given`, or at an address. `answers` gets their keys, or NaN for all `unless_nan`
// if there is one; `found`, if it is there, how many keys are below each, and how many equal it. Blocks of 1,024
// threads, which all run at the same time. In shared memory behind the ranges are AIM bins, a power of two, or lists of
// CAPACITY keys a thread. Common is 0 before and after, as far as `Zero` goes. 11, 101 and 1,001 ranks of 2²⁸ float32
// on an H200 take 2.8, 3.1 and 5.9 times as long as their maximum.

#include "keys.cuh"
#include "sampled_load.cuh"
#include "cell_steps.cuh"

// All keys, for a looker; and their sample, a source of codes: it has none if the keys are few.
struct Array {
    const RAW* keys;
    u64 n;
    template <class Looker>
    __device__ __forceinline__ void operator()(Looker& looker) const { look_at_all(keys, n, looker); }
};

struct Sample : Sampled<encode> {
    bool any;
    template <class Body>
    __device__ __forceinline__ void operator()(Body body) const { if (any) Sampled<encode>::operator()(body); }
};

extern "C" __global__ void __launch_bounds__(THREADS, 1)
    cells(const RAW* keys, u64 n, const u64* ranks, u64 count_asked, u64 unless_nan, RAW* staged, u64 room, Common* common,
          RAW* answers, u64* found, const __grid_constant__ Ranks given) {
    const u64 thread = (u64)blockIdx.x * THREADS + threadIdx.x, threads = (u64)gridDim.x * THREADS;
    auto& zero = common->zero;
    u32 meetings = 0, reads = 0, ranges = 0, bits = 0;
    const u32 asked = (u32)count_asked, i = threadIdx.x;  // of the first block, each thread has a rank
    if (!blockIdx.x && i < asked) common->rank[i] = ranks ? ranks[i] : given.rank[i];
    Table table;
    u32 hot[2] = {NONE, NONE};
    Sample sample;
    sample.any = n >= LEAST_SAMPLED / KEY_BYTES;
    if (sample.any) sample.loaded = sampled_load(keys, n, thread, threads);
    build(table, sample, common, meetings);
    meet(&zero.arrived, meetings);
    divide(table, common, threads * PER_LOAD);
    if (sample.any) find_hot(hot, table, sample.loaded);
    for (bool stages = false; !stages; ++reads) {
        u64* totals = zero.totals[reads % 2];
        const bool whole = !reads, ends = reads % 2;  // cells; then ends of ranges, and bins, in turns
        const u32 count = whole ? table.of_nan + 1 : ends ? 2 * ranges : ranges << bits;
        u32* open = whole ? BEHIND : (u32*)OPEN;
        const Array all{keys, n};
        if (whole) count_cells(all, table, hot, open, count);
        else count_ranges(all, table, bits, ends, (u32*)OPEN, count);
        if (!ends) add_up(open, count, totals);
        else
            for (u32 j = i; j < count; j += THREADS) atomicMax(&totals[j], ((u64*)open)[j]);
        meet(&zero.arrived, meetings);
        if (!blockIdx.x) {
            if (!ends) sum_up(totals, count);
            if (whole && FLOATING && !i) common->nans = n - fresh(&totals[table.of_nan - 1]);
            if (i < asked && (whole || common->first[i] != common->last[i])) {
                if (ends) {
                    const u64* own = &totals[2 * common->range[i]];
                    common->first[i] = (RAW)~fresh(own), common->last[i] = fresh(own + 1);
                } else narrow_rank(i, totals, count, table, bits, whole, common);
            }
            __syncthreads();
            list_ranges(common, asked, n, room);
        }
        meet(&zero.arrived, meetings);
        for (u64 j = thread; j < count; j += threads) totals[j] = 0;
        for (u64 j = thread; whole && j < ROOT; j += threads) zero.root[j] = 0;
        ranges = fresh(&common->ranges), stages = fresh(&common->stages);
        bits = bits_for(ranges);
        if (ranges) load_ranges(common, ranges);
    }
    if (ranges) {
        Stager stager{table, staged, room, common->ends, reads == 1, 0};
        look_at_all(keys, n, stager);
        stager.empty();
        meet(&zero.arrived, meetings);
        select_staged(staged, asked, common);
    }
    if (!comes_last(&zero.ticket)) return;
    write_keys(common, asked, unless_nan, answers, found);
    if (!i) zero.arrived = 0, zero.inverse_of_least = zero.most = 0;
}
