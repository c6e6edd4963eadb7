// Copies columns to rows: (outer, length, inner) with any steps to (outer, inner, length) without gaps. With OPPOSITE,
// floats change their signs.
//
// Reads and writes every key once, by loads of WIDE keys: 1, or 16 bytes if both arrays allow it. A block of 256
// threads has ACROSS columns and DOWN keys of each. A thread has all its loads in flight at once: the compiler would
// wait for a load under a condition before the next one, so those behind an end read the last keys again.

#include "keys.cuh"

#define LOADS_ACROSS (ACROSS / WIDE)
#define LOADS_DOWN (DOWN / WIDE)
#define SWEEP (256 / LOADS_ACROSS)  // rows of the tile that are read at once

__device__ __forceinline__ u64 at_most(u64 i, u64 last) { return i < last ? i : last; }

extern "C" __global__ void __launch_bounds__(256)
    turn_rows(const RAW* keys, u64 length, u64 inner, long long outer_step, long long step, long long inner_step,
                RAW* rows) {
    __shared__ RAW tile[DOWN][ACROSS + 1];
    const u64 across = (inner - 1) / ACROSS + 1, down = (length - 1) / DOWN + 1;
    const u64 column = blockIdx.x % across * ACROSS, first = blockIdx.x / across % down * DOWN;
    const u64 outer = blockIdx.x / across / down;
    const u32 x = threadIdx.x % LOADS_ACROSS * WIDE, start = threadIdx.x / LOADS_ACROSS;
    const RAW* from = keys + (long long)outer * outer_step + (long long)at_most(column + x, inner - WIDE) * inner_step;
    Load loaded[DOWN / SWEEP];
    UNROLLED for (int j = 0; j < DOWN / SWEEP; ++j) {
        const RAW* own = from + (long long)at_most(first + start + j * SWEEP, length - 1) * step;
        if (WIDE > 1) loaded[j].words = __ldcs((const uint4*)own);
        else loaded[j].keys[0] = *own;
    }
    UNROLLED for (int j = 0; j < DOWN / SWEEP; ++j)
        UNROLLED for (int k = 0; k < WIDE; ++k) tile[start + j * SWEEP][x + k] = loaded[j].keys[k];
    __syncthreads();
    UNROLLED for (u32 i = threadIdx.x; i < ACROSS * LOADS_DOWN; i += 256) {
        const u32 y = i / LOADS_DOWN, at = i % LOADS_DOWN * WIDE;
        if (column + y >= inner || first + at >= length) continue;
        RAW* to = rows + (outer * inner + column + y) * length + first + at;
        Load turned;
        UNROLLED for (int k = 0; k < WIDE; ++k) turned.keys[k] = OPPOSITE ? tile[at + k][y] ^ SIGN : tile[at + k][y];
        if (WIDE > 1) *(uint4*)to = turned.words;
        else *to = turned.keys[0];
    }
}
