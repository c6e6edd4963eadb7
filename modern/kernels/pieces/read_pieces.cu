// Step 3 of selection from pieces, on each device: the one read, which counts keys below and above the bracket and writes
// those inside to the first device's memory.

#include "pieces.cuh"

extern "C" __global__ void __launch_bounds__(THREADS, 1)
    read_pieces(RAW* candidates, u64 room, Across* across, const __grid_constant__ Pieces pieces) {
    __shared__ Bracket bracket;
    if (!threadIdx.x) bracket = across->bracket;
    __syncthreads();
    const Spill spill{candidates, room, &across->totals.spilled};
    for (u64 i = 0; i < pieces.count; ++i) {
        const Piece piece = pieces.list[i];
        const u32 end = bracket.tied ? read_all<true>(piece.keys, piece.n, bracket, spill, &across->totals)
                                     : read_all<false>(piece.keys, piece.n, bracket, spill, &across->totals);
        spill_lists(LISTS + threadIdx.x, end / THREADS, room, spill.count,
                    [&](u64 at, RAW bits) { candidates[at] = bits; });
    }
}
