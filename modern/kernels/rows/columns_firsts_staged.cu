// Stages the keys of each column before a bound of its own, with their places (modern/rows/cuda_column_firsts.py).
//
// Reads every key once. A thread has a part of a column, and a list of CAPACITY entries in shared memory, which goes to
// the column's room when it is full. BY is an order, 0 or 1; `bounds` are keys, (outer, inner). `counts` are
// (outer, inner), 0 before; `staged` is (outer, inner, room) of codes in the order and places, in 32 bits each. No
// entry is written behind the room. Keys of up to 32 bits. Blocks of THREADS, with 8 * CAPACITY bytes of shared memory
// for each thread.

#include "keys.cuh"
#include "top_keys.cuh"
#include "compared.cuh"
#include "column_span.cuh"
#include "shared_lists.cuh"

#define ROW (4 * THREADS)        // bytes from an entry of a list to the next one
#define PLACES (CAPACITY * ROW)  // and from a key to its place
#define RESIDENT 1280  // threads of a multiprocessor: with more, there are too few registers for the keys ahead
extern __shared__ u64 memory[];

extern "C" __global__ void __launch_bounds__(THREADS, RESIDENT / THREADS)
    columns_firsts_staged(const RAW* keys, u64 outer_step, u64 step, u32 length, u32 outers, u32 inner,
                          const RAW* bounds, u32 each, u32* counts, u64* staged, u32 room) {
    const Span span(keys, outer_step, step, length, outers, inner, each);
    if (!span.here) return;
    const Last last(order_of(bounds[span.number]));
    u64* const of_column = staged + span.number * room;
    const u32 start = address_of((u32*)memory + threadIdx.x);
    u32 end = start;
    const auto empty = [&] {
        const u32 held = (end - start) / ROW, at = atomicAdd(counts + span.number, held);
        const u32* entry = (const u32*)memory + threadIdx.x;
        for (u32 i = 0; i < held && at + i < room; ++i, entry += THREADS)
            of_column[at + i] = (u64)order_of((RAW)*entry) << 32 | entry[PLACES / 4];
        end = start;
    };
    span.each_key(
        [&](RAW bits, u32 place) {
            if (last.has_before(compared(bits)))
                store_word(end, bits), store_word(end + PLACES, place), end += ROW;
        },
        [&](const Group&, u32, bool) {
            if (end > start + (CAPACITY - AHEAD) * ROW) empty();
        });
    if (end != start) empty();
}
