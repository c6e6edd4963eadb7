// Long rows: one read of all rows, which counts the keys below and above each bracket, and stages those inside
// (long_ranks.cuh).
//
// The blocks are a column, and `some` neighbours read the same keys for the jobs of a row. `staged` has `room` keys
// for each job. Blocks of 1,024 threads, each with CAPACITY keys of shared memory, and 16 bytes.

#include "long_ranks.cuh"

extern "C" __global__ void __launch_bounds__(THREADS, 1)
    long_ranks_read(const RAW* keys, u32 rows, u32 length, u64 row_step, u32 some, u32 pieces, Job* jobs, RAW* staged,
                    u64 room) {
    each_part(rows, pieces, blockIdx.y / some, gridDim.y / some, [&](u32 row, u32 first, u32 last) {
        const u32 number = row * some + blockIdx.y % some;
        Job& job = jobs[number];
        const RAW* own = keys + row * row_step;
        const u32 start = start_of(own, length, first, pieces), end = start_of(own, length, last, pieces);
        const Bracket bracket{(RAW)job.first, (RAW)job.last, job.tied != 0};
        const Spill spill{staged + number * room, room, &job.totals.spilled};
        const u32 left = bracket.tied ? read_all<true>(own + start, end - start, bracket, spill, &job.totals)
                                      : read_all<false>(own + start, end - start, bracket, spill, &job.totals);
        if (__any_sync(FULL, left))
            spill_lists(LISTS + threadIdx.x, left / THREADS, room, spill.count,
                        [&](u64 at, RAW bits) { spill.keys[at] = bits; });
    });
}
