// Step 4 of many ranks of pieces, by one block of the first device: adds up what all devices have counted, narrows every
// rank to its cell or bin, and says where each device is to stage its keys.

#include "many.cuh"

extern "C" __global__ void __launch_bounds__(THREADS, 1)
    rank_in_pieces(u64 devices, u64 sampled, u32 round, u64 n, u64 asked, u64 room, Told* told, Common* common) {
    if (round && common->stages) return;
    Table table;
    load_table(table, common, sampled);
    const u32 i = threadIdx.x, ranges = common->ranges, bits = round ? bits_for(ranges) : 0;
    const u32 count = round ? ranges << bits : table.of_nan + 1;
    u64* totals = common->zero.totals[0];
    for (u32 j = i; j < count; j += THREADS) {
        u64 sum = 0;
        for (u64 d = 0; d < devices; ++d) sum += told[d].totals[j];
        totals[j] = sum;
    }
    __syncthreads();
    sum_up(totals, count);
    if (!round && FLOATING && !i) common->nans = n - fresh(&totals[table.of_nan - 1]);
    u32 at = 0;
    if (i < asked && (!round || common->first[i] != common->last[i]))
        at = narrow_rank(i, totals, count, table, bits, !round, common);
    __syncthreads();
    list_ranges(common, (u32)asked, n, room);
    __syncthreads();
    if (i >= asked || common->first[i] == common->last[i]) return;
    const u32 range = common->range[i];
    u64 start = common->starts[range];
    for (u64 d = 0; d < devices; ++d) told[d].starts[range] = start, start += told[d].totals[at];
}
