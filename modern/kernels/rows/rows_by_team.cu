// Long rows: a block, or a team of blocks, answers ranks or medians of a row (finder.cuh). Reads a row once for each
// rank, or pair of neighbouring ranks, beside a sample. A grid of (blocks of a team, teams); rows of neighbouring keys.
// ASK, UNLESS_NAN: see rows.cuh. Shared memory: 16 bytes for each thread, and `capacity` codes.

#define FIRSTS 0
#include "keys.cuh"
#include "finder.cuh"

extern "C" __global__ void __launch_bounds__(THREADS, RESIDENT / THREADS)
    rows_by_team(const __grid_constant__ RankedRows rows) {
    __shared__ Tally tally;
    __shared__ u32 staged, sampled_nans;
    const u64 length = rows.length;
    const u32 capacity = (u32)rows.capacity;
    Team team{rows.spaces + blockIdx.y};
    const bool tells = !threadIdx.x && !blockIdx.x;
    ROLLED for (u64 row = blockIdx.y; row < rows.count; row += gridDim.y) {
        const Part part(rows.begin_of(row), length);
        Finder finder{team, part, tally, capacity, staged};
        const u64 questions = ASK == SELECT ? rows.asked : 1;
        u64 both = 1;  // ranks that are found together: two, if they are neighbours
        ROLLED for (u64 i = 0; i < questions; i += both) {
            u64 rank[2] = {0, 0}, numbers = length;
            if (ASK == SELECT) {
                rank[0] = rank[1] = rows.rank(row, i);
                if (i + 1 < questions) rank[1] = rows.rank(row, i + 1);
                both = i + 1 < questions && rank[1] - rank[0] <= 1 ? 2 : 1;
                if (both == 1) rank[1] = rank[0];
            }
            const RowSample sample{part};
            u32 sampled = SAMPLED * THREADS;
#if ASK == NANMEDIAN && FLOATING
            if (!threadIdx.x) sampled_nans = 0;
            __syncthreads();
            u32 nans = 0;
            sample([&](Code code) { nans += code == NAN_CODE; });
            add_to(&sampled_nans, nans);
            __syncthreads();
            sampled -= sampled_nans;
            numbers = (u64)((float)length * ((float)sampled / (float)(SAMPLED * THREADS)));
            if (!numbers || !sampled) numbers = sampled = 1;
#endif
            if (ASK == MEDIAN || ASK == NANMEDIAN) set_middle(rank, numbers);
            finder.bracket = ASK == NUMBERS ? Bracket{CODE_LAST, CODE_LAST, true}
                                            : bracket_of(sample, rank, numbers, sampled);
            finder.count([&](u32 at, Code code, u32) { if (at < capacity) LIST[at] = code; }, [] {});
            numbers = length - tally.nans;
            if (ASK == NUMBERS) {
                if (tells) ((long long*)rows.answers)[rows.place(row, 0)] = (long long)numbers;
                break;
            }
            if (ASK == MEDIAN || ASK == NANMEDIAN) set_middle(rank, numbers);
            Span found[2] = {{NAN_CODE, NAN_CODE, 0, 0}, {NAN_CODE, NAN_CODE, 0, 0}};
            const u32 ranks[2] = {(u32)rank[0], (u32)rank[1]};
            if (numbers == length || numbers && ASK == NANMEDIAN) finder.find(found, ranks);
            if (tells && ASK == SELECT)
                for (u64 j = 0; j < both; ++j) ((RAW*)rows.answers)[rows.place(row, i + j)] = key_of(found[j].first);
            const Code low = found[0].first, high = found[1].first;
            const bool is_one = rank[0] == rank[1] || low == NAN_CODE;
            if (tells && ASK != SELECT) write_mean((Mean*)rows.answers + rows.place(row, 0), key_of(low), key_of(high), is_one);
            __syncthreads();
        }
        __syncthreads();
    }
    team.leave();
}
