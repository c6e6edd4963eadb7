// Step 2 of selection from pieces, on the first device: the bracket of the ranks, by the samples of all devices.

#include "pieces.cuh"

extern "C" __global__ void __launch_bounds__(THREADS, 1)
    bracket_pieces(const RAW* samples, u64 all, float wide, Common* common, Across* across, const __grid_constant__ Wanted wanted) {
    __shared__ Search search;
    if (!threadIdx.x) search.want(wanted.rank, wanted.pair, wanted.ask, wanted.n);
    Half work(common);
    u64 sampled = all;
    const Staged sample{samples, all, 0};
    const Bracket bracket = bracket_by(sample, all, sampled, true, wide, wanted.n, wanted.ask, search, work);
    if (!comes_last(&common->ticket) || threadIdx.x) return;
    across->bracket = bracket;
    work.leave();
}
