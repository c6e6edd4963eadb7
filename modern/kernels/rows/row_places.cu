// The place of a wanted key in each row: the lowest, or with HIGHEST the highest, of those where a key equals it.
//
// Reads every key once. `places` have all bits set before; with HIGHEST, none.

#include "keys.cuh"
#include "rows.cuh"

extern "C" __global__ void __launch_bounds__(256) row_places(ROWS_ARGUMENTS, const RAW* wanted, u64* places) {
    const Rows rows ROWS;
    const u64 threads = (u64)gridDim.x * blockDim.x;
    // Neighbouring threads take neighbouring keys: of a row, or of neighbouring rows.
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < count * length; i += threads) {
        const u64 row = inner == 1 ? i / length : i / (length * inner) * inner + i % inner;
        const u64 at = inner == 1 ? i % length : i / inner % length, known = *(volatile u64*)&places[row];
        if (HIGHEST ? at <= known : at >= known) continue;
        if (code_of(rows.begin_of(row)[(long long)at * step]) != code_of(wanted[row])) continue;
        if (HIGHEST) atomicMax(&places[row], at);
        else atomicMin(&places[row], at);
    }
}
