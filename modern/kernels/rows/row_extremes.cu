// The first key of each row in an order, where the keys of a row are neighbours (modern/rows/cuda_extremes.py).
//
// Reads every key once, by loads of 16 bytes. GROUP threads have a row, or one of its `pieces` of `each` keys: up to
// 32 neighbouring lanes, or a block. Each has AHEAD loads in flight. Keys before and behind whole loads are taken in
// loads of their own, where the nearest key of the row stands for those that are missing. Rows begin `row_step` keys
// apart, and the answers of pieces `count`; keys of `known` places are the answers of earlier launches. PLACES and
// `flip`: see extremes.cuh.

#include "keys.cuh"
#include "extremes.cuh"

struct Piece {
    const RAW* keys;  // aligned down to 16 bytes
    u32 n, shift;     // keys of the piece, and how many are before it at the first address

    __device__ __forceinline__ Piece(const RAW* begin, u32 n)
        : keys((const RAW*)((u64)begin / 16 * 16)), n(n), shift((u32)((u64)begin % 16) / KEY_BYTES) {}

    __device__ __forceinline__ u32 place(u32 group, u32 i) const {
        const u32 at = group * PER_LOAD + i;
        return at < shift ? 0 : lesser(at - shift, n - 1);
    }
    __device__ __forceinline__ Load partly(u32 group) const {
        Load loaded;
#pragma unroll
        for (u32 i = 0; i < PER_LOAD; ++i) loaded.keys[i] = keys[shift + place(group, i)];
        return loaded;
    }
    // Whole loads of the piece: from this one on, before that one.
    __device__ __forceinline__ u32 first_whole() const { return shift ? 1 : 0; }
    __device__ __forceinline__ u32 end_of_whole() const { return (shift + n) / PER_LOAD; }

    __device__ __forceinline__ Load group(u32 number) const {
        return first_whole() <= number && number < end_of_whole() ? load(keys, number) : partly(number);
    }
};

// A load that the caches keep as any other. `load` lets its keys leave them first, and takes longer here where earlier
// kernels have left the L2 cache full of what they wrote.
__device__ __forceinline__ Load usual_load(const RAW* keys, u32 i) {
    Load loaded;
    loaded.words = __ldg((const uint4*)keys + i);
    return loaded;
}

// The group of the first key is kept. A block reads it again: to keep it costs as much as to compare keys.
#if GROUP <= LANES
struct Found : KeptExtreme<Load, PER_LOAD> {
    __device__ __forceinline__ Load group_in(const Piece& piece) const { return kept; }
};
#else
struct Found : Extreme<Load, PER_LOAD> {
    __device__ __forceinline__ void keep(const Load& given, u32 number) { take(given, number); }
    __device__ __forceinline__ Load group_in(const Piece& piece) const { return piece.group(group); }
};
#endif

__device__ __forceinline__ Found found_in(const Piece& piece, u32 thread, u32 flip) {
    Found found;
    found.flip = flip;
    const u32 whole = piece.first_whole(), end = piece.end_of_whole();
    if (whole && !thread) found.keep(piece.partly(0), 0);
    for (u32 i = whole + thread; i < end; i += AHEAD * GROUP) {
        Load loaded[AHEAD];
#pragma unroll
        for (int j = 0; j < AHEAD; ++j) loaded[j] = usual_load(piece.keys, lesser(i + j * GROUP, end - 1));
#pragma unroll
        for (int j = 0; j < AHEAD; ++j) found.keep(loaded[j], lesser(i + j * GROUP, end - 1));
    }
    const bool rest = (piece.shift + piece.n) % PER_LOAD && whole <= end;
    if (rest && thread == GROUP - 1) found.keep(piece.partly(end), end);
    return found;
}

// Shares what comes first in all threads of a group.
__device__ __forceinline__ First first_of_group(First mine) {
#if GROUP <= LANES
    return first_in_lanes<GROUP>(mine);
#else
    __shared__ RAW orders[GROUP / LANES];
    __shared__ u32 marks[GROUP / LANES];
    mine = first_in_lanes<LANES>(mine);
    if (!lane_of()) orders[threadIdx.x / LANES] = mine.order, marks[threadIdx.x / LANES] = mine.mark;
    __syncthreads();
    const u32 warp = lane_of() % (GROUP / LANES);
    return first_in_lanes<GROUP / LANES>({orders[warp], marks[warp]});
#endif
}

extern "C" __global__ void __launch_bounds__(THREADS)
    row_extremes(const RAW* keys, u64 rows, u32 length, u64 row_step, u32 pieces, u32 each, u32 count, u32 flip,
                 const long long* known, RAW* values, long long* places) {
    const u64 number = ((u64)blockIdx.x * THREADS + threadIdx.x) / GROUP;
    const u32 thread = threadIdx.x % GROUP;
    const bool here = number < rows * pieces;  // all lanes take part in shuffles
    const u64 row = !here ? 0 : pieces == 1 ? number : (u32)number / pieces;
    const u32 first = pieces == 1 ? 0 : (u32)number % pieces * each;
    const Piece piece(keys + row * row_step + first, length - first < each ? length - first : each);
    const Found found = found_in(piece, thread, flip);
    // Each thread has groups of its own, so their order is that of the places.
    const First mine = {found.order, found.group == NOWHERE ? NOWHERE : found.group ^ flip};
    const First best = first_of_group(mine);
    const Answers answers{known, values, places};
#if PLACES
    if (here && found.group != NOWHERE && mine.is(best)) {
        RAW key = 0;
        const u32 at = found.place_in(found.group_in(piece), key);
        answers.put(key, first + piece.place(found.group, at), number * count, row * row_step, 1);
    }
#else
    if (here && !thread) answers.put(best.order, number * count);
#endif
}
