// Step 5 of many ranks of pieces, on each device: stages its keys of all ranges in its own memory, and copies them to the
// first device's memory then, where they have the same places: the first device's own memory is that memory.

#include "many.cuh"

extern "C" __global__ void __launch_bounds__(THREADS, 1)
    stage_in_pieces(u64 sampled, RAW* here, RAW* staged, u64 room, Own* own, const Told* told, const Common* common,
                    const __grid_constant__ Pieces pieces) {
    const u32 ranges = common->ranges;
    if (!ranges) return;
    Table table;
    load_table(table, common, sampled);
    load_ranges(common, ranges);
    Stager stager{table, here, room, own->ends, own->whole, 0};
    for (u64 i = 0; i < pieces.count; ++i) {
        look_at_all(pieces.list[i].keys, pieces.list[i].n, stager);
        stager.empty();
    }
    if (here == staged) return;
    u32 meetings = 0;
    meet(&own->arrived, meetings);
    const u64 thread = (u64)blockIdx.x * THREADS + threadIdx.x, threads = (u64)gridDim.x * THREADS;
    for (u32 range = 0; range < ranges; ++range) {
        const u64 end = fresh(&own->ends[APART * range]);
        for (u64 at = told->starts[range] + thread; at < end; at += threads) staged[at] = fresh_key(&here[at]);
    }
    if (comes_last(&own->ticket) && !threadIdx.x) own->arrived = 0;
}
