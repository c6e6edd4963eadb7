// The first step of selection from pieces, on each device: samples its pieces into the first device's memory. The
// `parts` loads of all devices are shared among the pieces by their sizes.

#include "piece.cuh"

extern "C" __global__ void __launch_bounds__(THREADS, 1)
    sample_pieces(u64 n, u64 parts, RAW* samples, const __grid_constant__ Pieces pieces) {
    const u64 thread = (u64)blockIdx.x * THREADS + threadIdx.x, threads = (u64)gridDim.x * THREADS;
    for (u64 i = 0; i < pieces.count; ++i) {
        const Piece piece = pieces.list[i];
        const u64 first = piece.start * parts / n, own = (piece.start + piece.n) * parts / n - first;
        const bool is_short = piece.n < 2 * PER_LOAD;  // it may have no whole load
        for (u64 part = thread; part < own; part += threads) {
            Load loaded;
            if (is_short)
                for (int k = 0; k < PER_LOAD; ++k) loaded.keys[k] = piece.keys[(part + k) % piece.n];
            else loaded = sampled_load(piece.keys, piece.n, part, own);
            ((uint4*)samples)[first + part] = loaded.words;
        }
    }
}
