// Step 4 of selection from pieces, on each device, only if the bracket missed: a round that counts the next bits of all
// keys. `writes` is for the first device.

#include "pieces.cuh"

extern "C" __global__ void __launch_bounds__(THREADS, 1)
    narrow_pieces(u64 n, u64 rank, u64 pair, u64 ask, u64 room, u32 round, u32 writes, Across* across,
                  const __grid_constant__ Pieces pieces) {
    __shared__ Search search;
    const Wanted wanted{n, rank, pair, 0, ask};
    u64 numbers;
    if (load_counts(search, across, wanted, room, numbers)) return;
    load_round(search, across, round, wanted.n);
    const Range* range = search.range;
    auto& own = across->rounds[round];
    if (writes && !blockIdx.x && threadIdx.x < 2) own.range[threadIdx.x] = range[threadIdx.x];
    if (range[0].is_one() && range[1].is_one()) return;
    u32 *bins = (u32*)memory, shift[2];
    count_bins(bins, range, shift, pieces);
    for (u32 i = threadIdx.x; i < BINS; i += THREADS)
        if (bins[i]) add_for_all(&own.totals[i], bins[i]);
}
