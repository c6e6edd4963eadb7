// Writes keys and their places, of 64 bits, as answers, given sorted codes and places of 32 bits: `count` of each row.
//
// Reads and writes each of them once. Blocks of THREADS, `blocks` for each row, whose keys begin `row_step` keys apart.

#include "keys.cuh"
#include "told.cuh"

extern "C" __global__ void __launch_bounds__(THREADS)
    firsts_told(const RAW* keys, u64 row_step, const RAW* codes, const u32* places, u32 count, u32 blocks, RAW* values,
                long long* indices) {
    const u64 row = blockIdx.x / blocks;
    const u32 i = blockIdx.x % blocks * THREADS + threadIdx.x;
    if (i >= count) return;
    const u64 at = row * count + i;
    const u32 place = places[at];
    values[at] = key_at(keys + row * row_step, codes[at], place), indices[at] = place;
}
