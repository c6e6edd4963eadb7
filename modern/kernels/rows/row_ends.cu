// The first key of each row in an order, and its place if there are `places`: without a sample or a list.
//
// Reads every key once, AHEAD of them in flight of each thread. GROUP threads have a row, or one of `pieces` of each row:
// neighbours along the row, or with COLUMNS each a GROUP-th of the keys, so that neighbouring threads have neighbouring
// columns. The first keys of several pieces go to `codes` and `at` (pieces, rows), among which a second launch, FOUND,
// finds the answers. BY, HIGHEST: see rows.cuh. Blocks of 256 threads.

#include "keys.cuh"
#include "rows.cuh"

#define GROUPS (256 / GROUP)

extern "C" __global__ void __launch_bounds__(256)
    row_ends(ROWS_ARGUMENTS, FIRSTS_ARGUMENTS, u64 pieces, Code* codes, u64* at) {
    __shared__ Code best_codes[256];
    __shared__ u64 best_places[256];
    const Rows rows ROWS;
    const u32 group = COLUMNS ? threadIdx.x % GROUPS : threadIdx.x / GROUP;
    const u32 thread = COLUMNS ? threadIdx.x / GROUPS : threadIdx.x % GROUP;
    const u64 item = (u64)blockIdx.x * GROUPS + group, all = FOUND ? count : count * pieces;
    const bool here = item < all;
    const u64 piece = !here || FOUND || pieces == 1 ? 0 : item / count, row = here ? item - piece * count : 0;
    const u64 each = (length + pieces - 1) / pieces, first = FOUND ? 0 : piece * each;
    const u32 size = (u32)(FOUND ? pieces : first >= length ? 0 : length - first < each ? length - first : each);
    const RAW* begin = rows.begin_of(row) + (long long)first * step;
    Code best = (Code)~(Code)0;
    u32 place = thread < size ? thread : ~0u;
    for (u32 start = thread; start < size; start += AHEAD * GROUP) {
        Code loaded[AHEAD];
#pragma unroll
        for (u32 j = 0; j < AHEAD; ++j) {
            const u32 i = start + j * GROUP < size ? start + j * GROUP : size - 1;
            loaded[j] = FOUND ? codes[i * count + row] : (Code)begin[(long long)i * step];
        }
#pragma unroll
        for (u32 j = 0; j < AHEAD; ++j) {
            const u32 i = start + j * GROUP < size ? start + j * GROUP : size - 1;
            const Code code = FOUND ? loaded[j] : code_of((RAW)loaded[j]);
            if (HIGHEST ? code <= best : code < best) best = code, place = i;
        }
    }
    // Places as they are compared: the lowest is the best.
    u64 own = place == ~0u ? ~0ull : HIGHEST ? length - 1 - first - place : first + place;
    if (FOUND && place != ~0u) own = at[place * count + row];
    best_codes[threadIdx.x] = best, best_places[threadIdx.x] = own;
    const u32 apart = COLUMNS ? GROUPS : 1;
#pragma unroll
    for (u32 half = GROUP / 2; half; half /= 2) {
        __syncthreads();
        if (thread >= half) continue;
        const Code other = best_codes[threadIdx.x + half * apart];
        const u64 there = best_places[threadIdx.x + half * apart];
        if (other < best || other == best && there < own) best = other, own = there;
        best_codes[threadIdx.x] = best, best_places[threadIdx.x] = own;
    }
    if (thread || !here) return;
    const Firsts firsts FIRSTS_OF;
    if (!FOUND && pieces > 1) codes[item] = best, at[item] = own;
    else if (places) firsts.write(rows, row, 0, best, own);
    else values[rows.place(row, 0)] = key_of(best);
}
