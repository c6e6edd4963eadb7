// Long rows: finds the keys of the ranks among those that were staged, or in the whole row where the counts show that
// the bracket has missed (long_ranks.cuh).
//
// A column of blocks has one row after the other. Blocks of 1,024 threads, which all run at the same time. Shared
// memory: 16 bytes for each thread.

#include "long_ranks.cuh"

extern "C" __global__ void __launch_bounds__(THREADS, 1)
    long_ranks_found(const RAW* keys, u32 rows, u32 length, u64 row_step, const long long* ranks, u32 count, u32 own,
                     u32 inner, void* answers, u32 from, u32 some, const Job* jobs, const RAW* staged, u64 room,
                     Column* columns) {
    const Asked asked{ranks, count, own, inner, answers};
    __shared__ Wanted s;
    __shared__ Totals totals;
    Together together{columns + blockIdx.y};
    const auto narrow = [&](const u64* rank, const RAW* some_keys, u64 n) {
        const Shares source{some_keys, n};
        if (gridDim.x == 1) narrow_fully(s.range, rank, source);
        else together.narrow(s.range, rank, source);
    };
#pragma unroll 1
    for (u32 number = blockIdx.y; number < rows * some; number += gridDim.y) {
        const Job& job = jobs[number];
        const u32 row = number / some, i = from + number % some;
        __syncthreads();
        if (threadIdx.x < sizeof(Totals) / sizeof(u64))
            ((u64*)&totals)[threadIdx.x] = ((const u64*)&job.totals)[threadIdx.x];
        __syncthreads();
        const u64 numbers = FLOATING ? totals.numbers : length;
        if (!threadIdx.x) {
            if (ASK == SELECT) s.rank[0] = s.rank[1] = asked.rank(row, i);
            else set_middle(s.rank, ASK == MEDIAN ? length : numbers);
        }
        __syncthreads();
        RAW found[2] = {(RAW)~(RAW)0, (RAW)~(RAW)0};
        if (numbers && (ASK != MEDIAN || numbers == length)) {
            if (totals.spilled <= room && is_hit(totals, s.rank, numbers)) {
                const Bracket bracket{(RAW)job.first, (RAW)job.last, job.tied != 0};
                find_inside(s, totals, bracket, numbers, found,
                            [&] { narrow(s.rank_inside, staged + number * room, totals.inside); });
            } else {
                if (!threadIdx.x) s.range[0] = s.range[1] = {0, (RAW)~(RAW)0, 0, length};
                __syncthreads();
                narrow(s.rank, keys + row * row_step, length);
                found[0] = s.range[0].first, found[1] = s.range[1].first;
            }
        }
        if (!blockIdx.x && !threadIdx.x) put_answer(asked, row, i, found, s.rank, numbers, length);
    }
}
