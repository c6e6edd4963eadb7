// Long rows that several blocks share: how they are divided, and what launches hand on (modern/rows/cuda_long.py).
//
// A row has `pieces` of PIECE keys, of which the last one also has the rest. The pieces of all rows, one row after the
// other, are divided evenly among blocks: a block has a part of one row or more. It is the only block of its column in
// the grid, so staging.cuh reads a part as an array that the block has alone. Later a column of blocks has whole rows.

#define PIECE (TILE * PER_LOAD)

// The first block that has a piece.
__device__ __forceinline__ u32 block_of(u32 piece, u32 all, u32 blocks) { return ((piece + 1) * blocks - 1) / all; }

// Calls body(row, first, end) for the pieces of a block, row by row. `rows` * `pieces` * `blocks` is below 2³².
template <class Body>
__device__ __forceinline__ void each_part(u32 rows, u32 pieces, u32 block, u32 blocks, Body body) {
    const u32 all = rows * pieces, end = all * (block + 1) / blocks;
#pragma unroll 1
    for (u32 at = all * block / blocks; at < end;) {
        const u32 row = at / pieces, first = at % pieces;
        const u32 last = end - at < pieces - first ? first + (end - at) : pieces;
        body(row, first, last);
        at += last - first;
    }
}

// The place in a row where a piece begins, or where the row ends.
__device__ __forceinline__ u32 start_of(const RAW* keys, u32 n, u32 piece, u32 pieces) {
    return !piece ? 0 : piece == pieces ? n : (u32)head_of(keys, n) + piece * PIECE;
}

// A row, or keys staged from it, of which each block of a column has a share.
struct Shares {
    const RAW* keys;
    u64 n;
    template <class Body>
    __device__ __forceinline__ void operator()(Body body) const {
        for_each_key(keys, n, [&](RAW bits) { body(CODE_OF(bits)); });
    }
};

// What a column of blocks shares; it is 0 at first.
struct Column {
    u32 arrived, unused[3];
    u64 bins[3][BINS / 2];
};

// This block's view of its column.
struct Together {
    Column* column;
    u32 levels = 0, meetings = 0;

    __device__ __forceinline__ void wait() { meet(&column->arrived, meetings); }

    // Narrows ranges to one code each. A level has a third of the bins. The third before it is cleared when all blocks
    // have come to this level: they have read it.
    template <class Source>
    __device__ __forceinline__ void narrow(Range* range, const u64* rank, Source source) {
        while (!range[0].is_one() || !range[1].is_one()) {
            meetings = narrow_together<true>(range, rank, source, column->bins[levels % 3], &column->arrived, meetings);
            u64* read = column->bins[(levels + 2) % 3];
            for (u32 i = blockIdx.x * THREADS + threadIdx.x; i < BINS / 2; i += gridDim.x * THREADS) read[i] = 0;
            ++levels;
        }
    }
};

// Clears what columns share, by all threads of a launch before.
__device__ __forceinline__ void clear(Column* columns, u32 count) {
    for (u64 i = (u64)blockIdx.x * THREADS + threadIdx.x; i < count * sizeof(Column) / sizeof(u64);
         i += (u64)gridDim.x * THREADS)
        ((u64*)columns)[i] = 0;
}
