// cells, fourth kernel: copies the staged keys (cells_staged.cu) so that the keys of each cell are together,
// in parts. `ends` has the place where each part begins; the kernel advances it to where the part ends.
//
// A block puts the keys of a tile in order of their parts in shared memory, reserves room in every part, and
// writes its keys of one part to neighbouring places. If there was too little room to stage all keys, all
// parts end beyond it. Any grid of blocks of THREADS; the tile and four numbers for each part are in shared memory.
//
// Keys are read by whole loads, so there must be memory for one behind the last key.

#include "keys.cuh"
#include "scan.cuh"
#include "cells.cuh"

#define TILE (THREADS * EACH)
#define OWN (PARTS / THREADS)  // parts of each thread
#define LOADS (EACH / PER_LOAD)
#define ROW (PER_LOAD * THREADS)  // keys that a block loads at once

extern "C" __global__ void __launch_bounds__(THREADS)
    cells_parted(const RAW* staged, u64 room, const u64* count, const Tree* tree, const u32* which,
                 const u32* passed_by, RAW* parts, u64* ends) {
    const u64 all = *count;
    if (all > room && !blockIdx.x)
        for (u32 i = threadIdx.x; i < PARTS; i += THREADS) ends[i] = ~0ull;
    if (all > room || !all) return;
    const u32 rounds = (u32)((all - 1) / ((u64)gridDim.x * TILE)) + 1;
    const u32 step = ((u32)(all - 1) / (gridDim.x * rounds) / ROW + 1) * ROW;  // all blocks have about as many keys
    if ((u64)blockIdx.x * step >= all) return;
    RAW* held = (RAW*)BEHIND;  // in order of their parts
    u32 *flags = (u32*)(held + TILE), *passed = flags + CELLS / 32;
    u32 *start = passed + CELLS / 32, *place = start + PARTS, *counts = place + PARTS;
    unsigned short* part_of = (unsigned short*)(counts + PARTS);
    for (u32 i = threadIdx.x; i < CELLS / 32; i += THREADS)
        flags[i] = which[i], passed[i] = passed_by[i];
    const Lookup cell_of(tree);
    for (u64 tile = (u64)blockIdx.x * step; tile < all; tile += (u64)gridDim.x * step) {
        const u32 here = all - tile < step ? (u32)(all - tile) : step;
        Load loaded[LOADS];
        u32 part[LOADS][PER_LOAD];
        for (u32 i = threadIdx.x; i < PARTS; i += THREADS) counts[i] = 0;
        const u32 first = PER_LOAD * threadIdx.x;
        const auto is_there = [&](u32 j, u32 k) { return first + j * ROW + k < here; };
#pragma unroll
        for (u32 j = 0; j < LOADS; ++j)
            if (is_there(j, 0)) loaded[j].words = ((const uint4*)(staged + tile + first))[j * THREADS];
        __syncthreads();
#pragma unroll
        for (u32 j = 0; j < LOADS; ++j) {
            if (!is_there(j, 0)) continue;
            u32 cells[PER_LOAD], next = 0;
            cell_of.of_load(loaded[j], [&](RAW, u32 cell) { cells[next++] = cell; });
#pragma unroll
            for (u32 k = 0; k < PER_LOAD; ++k) {
                const u32 cell = cells[k];
                part[j][k] = passed[cell / 32] + __popc(flags[cell / 32] & ((1u << cell % 32) - 1));
                if (is_there(j, k)) atomicAdd(&counts[part[j][k]], 1);
            }
        }
        __syncthreads();
        u32 sum = 0;
#pragma unroll
        for (u32 i = 0; i < OWN; ++i) sum += counts[OWN * threadIdx.x + i];
        u32 before = before_in_block(sum);
#pragma unroll
        for (u32 i = 0; i < OWN; ++i) {
            const u32 own = OWN * threadIdx.x + i, size = counts[own];
            start[own] = before;
            place[own] = size ? (u32)atomicAdd(&ends[own], (u64)size) : 0;
            counts[own] = before, before += size;
        }
        __syncthreads();
#pragma unroll
        for (u32 j = 0; j < LOADS; ++j)
#pragma unroll
            for (u32 k = 0; k < PER_LOAD; ++k) {
                if (!is_there(j, k)) continue;
                const u32 at = atomicAdd(&counts[part[j][k]], 1);
                held[at] = loaded[j].keys[k], part_of[at] = (unsigned short)part[j][k];
            }
        __syncthreads();
        for (u32 i = threadIdx.x; i < here; i += THREADS) {
            const u32 own = part_of[i];
            parts[(u64)place[own] + (i - start[own])] = held[i];
        }
        __syncthreads();
    }
}
