// The place of a wanted key in each row: the lowest, or with HIGHEST the highest, of those where a key equals it.
//
// Reads every key once. Blocks take turns at the rows, a part of each; `places` are all bits set before, and with HIGHEST
// places from the end, which `turned` turns round in a second launch.

#include "keys.cuh"
#include "row_calls.cuh"

extern "C" __global__ void __launch_bounds__(256)
    row_places(const RAW* keys, u64 count, u64 length, u64 inner, long long outer_step, long long step, long long inner_step, u64 answer_outer_step, u64 answer_step, const RAW* wanted, u64* places, u64 turned) {
    const Rows rows{keys, count, length, inner, outer_step, step, inner_step,
                    answer_outer_step, answer_step};
    const u64 thread = (u64)blockIdx.x * blockDim.x + threadIdx.x, threads = (u64)gridDim.x * blockDim.x;
    if (turned) {
        for (u64 row = thread; row < count; row += threads) places[row] = length - 1 - places[row];
        return;
    }
    // Neighbouring threads take neighbouring keys: of a row, or of neighbouring rows.
    for (u64 i = thread; i < count * length; i += threads) {
        const u64 row = inner == 1 ? i / length : i / (length * inner) * inner + i % inner;
        const u64 at = inner == 1 ? i % length : i / inner % length;
        if (code_of(rows.begin_of(row)[(long long)at * step]) != code_of(wanted[row])) continue;
        const u64 place = HIGHEST ? length - 1 - at : at;
        if (place < *(volatile u64*)&places[row]) atomicMin(&places[row], place);
    }
}
