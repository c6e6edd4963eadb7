// Step 3 of many ranks of pieces, on each device: counts its keys in all cells; in later rounds, as long as many keys are
// left, in bins of the ranges that hold ranks. Then it knows where its keys are to be staged.

#include "many.cuh"

extern "C" __global__ void __launch_bounds__(THREADS, 1)
    count_in_pieces(u64 sampled, u32 round, Own* own, Told* told, const Common* common,
                    const __grid_constant__ Pieces pieces) {
    const u32 i = threadIdx.x, ranges = round ? common->ranges : 0;
    if (round == 1 && !blockIdx.x && !i) own->whole = common->stages;
    if (round && common->stages) {
        if (!blockIdx.x && i < ranges) own->ends[APART * i] = told->starts[i];
        return;
    }
    Table table;
    load_table(table, common, sampled);
    const LookedAt all{pieces};
    u32 count = table.of_nan + 1;
    if (!round) {
        u32 hot[2] = {NONE, NONE};
        const u64 threads = (u64)gridDim.x * THREADS;
        if (pieces.count && pieces.list[0].n >= threads * PER_LOAD)
            find_hot(hot, table, sampled_load(pieces.list[0].keys, pieces.list[0].n, (u64)blockIdx.x * THREADS + i, threads));
        count_cells(all, table, hot, BEHIND, count);
        add_up(BEHIND, count, own->totals);
    } else {
        load_ranges(common, ranges);
        const u32 bits = bits_for(ranges);
        count = ranges << bits;
        count_ranges(all, table, bits, false, (u32*)OPEN, count);
        add_up((u32*)OPEN, count, own->totals);
    }
    hand_over(own->totals, count, &own->ticket, told->totals);
}
