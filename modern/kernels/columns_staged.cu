// Counts the keys of each column below a bracket of its own, and stages those inside (modern/rows/cuda_columns.py).
//
// Reads every key once. A thread has `each` keys of one column, its neighbour those of the next column, and a list
// of CAPACITY keys in shared memory, which goes to the column's room when it is full. `ends` are (outer, inner, 2):
// the first and the last key of each bracket. `counts` are (outer, inner, 3), 0 before: keys below, keys inside, and
// numbers. `staged` is (outer, inner, room), and no key is written behind the room. Blocks of THREADS, with
// CAPACITY keys of shared memory for each thread.

#include "keys.cuh"

#define AHEAD 8  // loads in flight
extern __shared__ u64 memory[];

extern "C" __global__ void __launch_bounds__(THREADS)
    columns_staged(const RAW* keys, u64 outer_step, u64 step, u32 length, u32 outers, u32 inner,
                   const RAW* ends, u32 each, u32* counts, RAW* staged, u32 room) {
    const u32 slices = (length + each - 1) / each, across = (inner + LANES - 1) / LANES;
    const u64 warp = (u64)blockIdx.x * (THREADS / LANES) + threadIdx.x / LANES;
    const u64 outer = warp / ((u64)slices * across);
    const u32 column = (u32)(warp % across) * LANES + threadIdx.x % LANES;
    const u32 slice = (u32)(warp / across % slices);
    if (column >= inner || outer >= outers) return;
    const u64 at = outer * inner + column;
    const VALUE low = value_of(ends[2 * at]);
    const VALUE high = value_of(ends[2 * at + 1]);
    RAW* list = (RAW*)memory + threadIdx.x;  // entry i is list[i * THREADS]
    u32 below = 0, numbers = 0, held = 0;
    const auto empty = [&] {
        const u32 first = atomicAdd(&counts[at * 3 + 1], held);
        for (u32 i = 0; i < held; ++i)
            if (first + i < room) staged[at * room + first + i] = list[i * THREADS];
        held = 0;
    };
    const u32 end = length - slice * each < each ? length : (slice + 1) * each;
    const RAW* own = keys + outer * outer_step + column;
    for (u32 start = slice * each; start < end; start += AHEAD) {
        RAW bits[AHEAD];
#pragma unroll
        for (u32 j = 0; j < AHEAD; ++j)
            if (start + j < end) bits[j] = own[(start + j) * step];
#pragma unroll
        for (u32 j = 0; j < AHEAD; ++j) {
            if (start + j >= end) continue;
            const VALUE value = value_of(bits[j]);
            below += value < low, numbers += value == value;
            if (value >= low && value <= high) list[held * THREADS] = bits[j], ++held;
        }
        if (held > CAPACITY - AHEAD) empty();
    }
    if (held) empty();
    if (below) atomicAdd(&counts[at * 3], below);
    if (numbers) atomicAdd(&counts[at * 3 + 2], numbers);
}
