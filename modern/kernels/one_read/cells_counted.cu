// cells, second kernel: counts the keys in all cells by one read, and finds the cell of each rank.
//
// The ranks of a cell that is one code are answered by its count. Any other cell with a rank gets a flag, and
// a part, numbered from 1: its keys are staged (cells_staged.cu), and copied to the part (cells_parted.cu).
// `parts` has the place where each part begins, and behind these where the last one ends. `passed` has the number
// of flags before each word of `flags`.
//
// `table` has seven rows of `asked` numbers: the cell of a rank, the keys before it, those inside, the number
// of its part (0 if there is none), the rank, and the first and the last code of the cell. `result` has three:
// the bits of the key of a rank, how many keys are below it, and how many equal it; 0 if that is not known yet.
// A cell with more than `most` keys has no part.
//
// Blocks of 1,024 threads, one for each multiprocessor, with shared memory for the tables
// and 4 bytes for each cell. `totals` are 0 before and after.
// `starts` has room for 2 × CELLS + 2 numbers.

#include "keys.cuh"
#include "scan.cuh"
#include "starts.cuh"
#include "totals.cuh"
#include "cells.cuh"

#define bins ((u32*)BEHIND)

#include "staging.cuh"

struct Counter {
    const Lookup& cell_of;
    __device__ __forceinline__ void alone(RAW bits, u64) { atomicAdd(&bins[cell_of(encode(bits))], 1); }
    __device__ __forceinline__ void make_room() {}
};

__device__ __forceinline__ void look_at_load(Counter& counter, const Load& loaded, u32) {
    counter.cell_of.of_load(loaded, [](RAW, u32 cell) { atomicAdd(&bins[cell], 1); });
}

// The first and the last code of a cell, found together, bit by bit.
struct Ends {
    RAW first = 0, last = 0;

    __device__ __forceinline__ Ends(const Lookup& cell_of, u32 cell) {
#pragma unroll 1
        for (u32 bit = KEY_BITS; bit--;) {
            const RAW further = first | (RAW)((RAW)1 << bit), beyond = last | (RAW)((RAW)1 << bit);
            const u32 before = cell_of((RAW)(further - 1)), here = cell_of(beyond);
            if (before < cell) first = further;
            if (here <= cell) last = beyond;
        }
    }
};

extern "C" __global__ void __launch_bounds__(THREADS, 1)
    cells_counted(const RAW* keys, u64 n, const Tree* tree, const u64* ranks, u32 asked, u64 most, u64* totals,
                  u32* ticket, u64* starts, u64* parts, u32* flags, u32* passed, u64* table, u64* result) {
    const u32 count = tree->cells, words = (CELLS + 31) / 32;
    for (u32 i = threadIdx.x; i < count; i += blockDim.x) bins[i] = 0;
    const Lookup cell_of(tree);
    Counter counter{cell_of};
    look_at_all(keys, n, counter);
    add_up(bins, count, totals);
    if (!comes_last(ticket)) return;

    for (u32 word = threadIdx.x; word < words; word += blockDim.x) bins[word] = 0;  // now flags
    scan(count, starts, [&](u32 i) { return fresh(&totals[i]); });
    for (u32 i = threadIdx.x; i < asked; i += blockDim.x) {
        const u64 rank = ranks[i];
        const u32 cell = counter_at(starts, count, rank);
        const u64 start = starts[cell], size = starts[cell + 1] - start;
        const Ends ends(cell_of, cell);
        const bool is_one = ends.first == ends.last;
        if (!is_one && size <= most) atomicOr(&bins[cell / 32], 1u << cell % 32);
        table[i] = cell, table[asked + i] = start, table[2 * asked + i] = size, table[4 * asked + i] = rank;
        table[5 * asked + i] = ends.first, table[6 * asked + i] = ends.last;
        result[i] = decode(ends.first), result[asked + i] = start, result[2 * asked + i] = is_one ? size : 0;
    }
    __syncthreads();
    u64* flagged = starts + count + 1;
    scan(count, flagged, [&](u32 i) { return bins[i / 32] >> i % 32 & 1 ? fresh(&totals[i]) : 0; });
    scan(words, parts, [&](u32 i) { return (u64)__popc(bins[i]); });
    for (u32 word = threadIdx.x; word < words; word += blockDim.x)
        flags[word] = bins[word], passed[word] = (u32)parts[word];
    __syncthreads();
    for (u32 i = threadIdx.x; i < asked; i += blockDim.x) {
        const u32 cell = (u32)table[i], bit = 1u << cell % 32;
        const bool flag = bins[cell / 32] & bit;
        const u32 number = passed[cell / 32] + __popc(bins[cell / 32] & (bit - 1)) + 1;
        table[3 * asked + i] = flag ? number : 0;
        if (flag) parts[number - 1] = flagged[cell];
    }
    if (!threadIdx.x) parts[passed[words - 1] + __popc(bins[words - 1])] = flagged[count];
    for (u32 j = threadIdx.x; j < count; j += blockDim.x) totals[j] = 0;
}
