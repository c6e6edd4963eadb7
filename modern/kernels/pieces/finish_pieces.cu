// Step 5 of selection from pieces, on the first device: the keys of the ranks, among the candidates of all devices.

#include "pieces.cuh"

extern "C" __global__ void __launch_bounds__(THREADS, 1)
    finish_pieces(const RAW* candidates, u64 room, Common* common, const Across* across, void* answer,
                  const __grid_constant__ Wanted wanted) {
    __shared__ Search search;
    Half work(common);
    u64 numbers;
    const bool hit = load_counts(search, across, wanted, room, numbers);
    if (!hit) load_round(search, across, ROUNDS, wanted.n);
    Found found;
    u32 readings = 0;
    const Staged staged{candidates, hit ? search.totals.spilled : 0, 0};
    if (!find_keys(found, search, work, hit, hit, numbers, wanted.n, across->bracket, staged, All<encode>{nullptr, 0}, readings))
        return;
    if (threadIdx.x) return;
    write_answer(answer, found, search.rank, numbers, wanted.n, wanted.pair, wanted.unless_nan, wanted.ask);
    work.leave();
}
