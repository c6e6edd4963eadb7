// Step 5 of many ranks of pieces, on each device: its keys of all ranges go to the first device's memory.

#include "many.cuh"

extern "C" __global__ void __launch_bounds__(THREADS, 1)
    stage_in_pieces(u64 sampled, RAW* staged, u64 room, Own* own, const Common* common, const __grid_constant__ Pieces pieces) {
    const u32 ranges = common->ranges;
    if (!ranges) return;
    Table table;
    load_table(table, common, sampled);
    load_ranges(common, ranges);
    Stager stager{table, staged, room, own->ends, own->whole, 0};
    for (u64 i = 0; i < pieces.count; ++i) {
        look_at_all(pieces.list[i].keys, pieces.list[i].n, stager);
        stager.empty();
    }
}
