// Long rows: one read of all rows, which stages the keys up to each bound with their places (long_firsts.cuh).
//
// The blocks are a column. `orders` and `places` have `room` entries for each row. Block b has list b + row of the
// lists of equals, each of `count` places, for its part of a row. Blocks of 1,024 threads. Shared memory: 16 bytes
// for each thread, and HELD entries.

#include "long_firsts.cuh"

extern "C" __global__ void __launch_bounds__(THREADS, 1)
    long_firsts_read(const RAW* keys, u32 rows, u32 length, u64 row_step, u32 count, u32 pieces, Job* jobs, RAW* orders,
                     u32* places, u32 room, u32* equals, u32* equal_counts) {
    __shared__ Shared s;
    RAW* own = (RAW*)(memory + BINS / 2);
    const Entries held{(u32*)(own + HELD), own};
    each_part(rows, pieces, blockIdx.y, gridDim.y, [&](u32 row, u32 first, u32 last) {
        Job& job = jobs[row];
        const RAW* all = keys + row * row_step;
        const u32 start = start_of(all, length, first, pieces), end = start_of(all, length, last, pieces);
        const Room out{{places + (u64)row * room, orders + (u64)row * room}, room, &job.staged};
        const u64 list = blockIdx.y + row;
        const Row part{all + start, end - start};
        const Bound bound{(RAW)job.order, job.tied != 0};
        const u32 found = bound.tied ? put_equals(part, Last(bound.order), count, start, equals + list * count) : 0;
        stage_bounded(s, held, out, part, start, bound);
        if (!threadIdx.x) equal_counts[list] = found;
    });
}
