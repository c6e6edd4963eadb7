// Counts the keys of each column below a bracket of its own, and stages those inside (modern/rows/cuda_columns.py).
//
// Reads every key once. A thread has a part of a column, and a list of CAPACITY keys in shared memory, which goes to the
// column's room when it is full. `ends` are (outer, inner, 2): the first and the last key of each bracket, of which
// there may be many: they are counted. `counts` are (outer, inner), 0 before; NUMBERS: whether numbers are counted.
// `staged` is (outer, inner, room), and no key is written behind the room. Blocks of THREADS, with CAPACITY keys of
// shared memory for each thread.

#include "keys.cuh"
#include "shared_lists.cuh"
#include "column_counts.cuh"
#include "column_span.cuh"

extern __shared__ u64 memory[];

extern "C" __global__ void __launch_bounds__(THREADS)
    columns_staged(const RAW* keys, u64 outer_step, u64 step, u32 length, u32 outers, u32 inner,
                   const RAW* ends, u32 each, ColumnCounts* counts, RAW* staged, u32 room) {
    const Span span(keys, outer_step, step, length, outers, inner, each);
    if (!span.count) return;
    const RAW* of_bracket = ends + 2 * span.number;
    const VALUE low = value_of(end_of(of_bracket[0])), high = value_of(end_of(of_bracket[1]));
    ColumnCounts& total = counts[span.number];
    RAW* of_column = staged + span.number * room;
    const u32 apart = THREADS * KEY_BYTES, start = address_of((RAW*)memory + threadIdx.x);
    const u32 full = start + (CAPACITY - AHEAD) * apart;
    u32 below = 0, upto_low = 0, upto = 0, numbers = 0, inside = 0, end = start;
    const auto empty = [&] {
        const u32 held = (end - start) / apart, at = atomicAdd(&total.inside, held);
        for (u32 i = 0; i < held && at + i < room; ++i) of_column[at + i] = loaded(start + i * apart);
        inside += held, end = start;
    };
    span.each_key(
        [&](RAW bits, u32) {
            const VALUE value = value_of(bits);
            const bool under = value <= low;
            add_if(below, value < low), add_if(upto_low, under), add_if(upto, value <= high);
            if (!under && value < high) store(end, bits), end += apart;
            if (NUMBERS) add_if(numbers, value == value);
        },
        [&] {
            if (end > full) empty();
        });
    if (end != start) empty();
    if (below) atomicAdd(&total.below, below);
    if (NUMBERS) atomicAdd(&total.numbers, numbers);
    if (upto_low > below) atomicAdd(&total.low_equal, upto_low - below);
    if (upto > upto_low + inside) atomicAdd(&total.high_equal, upto - upto_low - inside);
}
