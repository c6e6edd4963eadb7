// The first key of each row in an order, and its place if there are `places`: without a sample or a list.
//
// Reads every key once, AHEAD loads in flight of each thread: with VECTORS of 16 bytes from rows of neighbouring keys;
// otherwise a key each. GROUP threads have a row, or one of `pieces` of each row: neighbours along the row, or with COLUMNS
// in steps, so that neighbouring threads have neighbouring columns. The first keys of several pieces go to `codes` and
// `at` (pieces, rows), among which a second launch, FOUND, finds the answers. Only the first key of a load is compared by
// its code. BY, HIGHEST: see rows.cuh. Blocks of 256 threads.

#include "keys.cuh"
#include "rows.cuh"

#define GROUPS (256 / GROUP)
#define EACH (VECTORS ? PER_LOAD : 1)

// Short floats are compared as values, which takes fewer instructions.
#if FLOATING && KEY_BYTES < 8
typedef float Ranked;
__device__ __forceinline__ Ranked ranked(RAW bits) { return value_of(bits); }
__device__ __forceinline__ Code code_of_ranked(Ranked value) { return code_of(bits_of(value)); }
__device__ __forceinline__ Ranked first_of(Ranked a, Ranked b) {
    return BY == 1 ? fminf(a, b) : a != a || a > b ? a : b;
}
#else
typedef Code Ranked;
__device__ __forceinline__ Ranked ranked(RAW bits) { return code_of(bits); }
__device__ __forceinline__ Code code_of_ranked(Ranked code) { return code; }
__device__ __forceinline__ Ranked first_of(Ranked a, Ranked b) { return lesser(a, b); }
#endif

// Keys of a row in loads: before and behind whole ones, the nearest key stands for those that are missing.
struct Piece {
    const RAW* keys;  // with VECTORS aligned to 16 bytes, `shift` keys before the piece
    long long step;
    u32 size, shift;

    __device__ __forceinline__ u32 loads() const { return size ? (shift + size + EACH - 1) / EACH : 0; }
    __device__ __forceinline__ u32 place(u32 i, u32 k) const {
        const u32 at = i * EACH + k;
        return at < shift ? 0 : lesser(at - shift, size - 1);
    }
    __device__ __forceinline__ Load read(u32 i) const {
        Load loaded;
        if (VECTORS && i * EACH >= shift && (i + 1) * EACH <= shift + size) {
            loaded.words = __ldg((const uint4*)keys + i);
        } else {
#pragma unroll
            for (u32 k = 0; k < EACH; ++k) loaded.keys[k] = keys[(long long)(shift + place(i, k)) * step];
        }
        return loaded;
    }
};

extern "C" __global__ void __launch_bounds__(256)
    row_ends(ROWS_ARGUMENTS, FIRSTS_ARGUMENTS, u64 pieces, Code* codes, u64* at) {
    __shared__ Code best_codes[256];
    __shared__ u64 best_places[256];
    const Rows rows ROWS;
    const u32 group = COLUMNS ? threadIdx.x % GROUPS : threadIdx.x / GROUP;
    const u32 thread = COLUMNS ? threadIdx.x / GROUPS : threadIdx.x % GROUP;
    const u64 item = (u64)blockIdx.x * GROUPS + group;
    const bool here = item < (FOUND ? count : count * pieces);
    const u64 piece = !here || FOUND || pieces == 1 ? 0 : item / count, row = here ? item - piece * count : 0;
    Code best = (Code)~(Code)0;
    u64 own = ~0ull;  // its place, from the end if HIGHEST: the lowest is the best
#if FOUND
    for (u64 i = thread; i < pieces; i += GROUP) {
        const Code code = codes[i * count + row];
        const u64 place = at[i * count + row];
        if (code < best || code == best && place < own) best = code, own = place;
    }
#else
    const u64 each = (length + pieces - 1) / pieces, first = piece * each;
    const RAW* begin = rows.begin_of(row) + (long long)first * step;
    const u32 shift = VECTORS ? (u32)((u64)begin % 16) / KEY_BYTES : 0;
    const Piece part{begin - shift, step, (u32)(first >= length ? 0 : lesser(length - first, each)), shift};
    const u32 loads = part.loads();
    u32 load = thread, i = thread;
    const auto take = [&](const Load& loaded, u32 number) {
        Ranked least = ranked(loaded.keys[0]);
#pragma unroll
        for (u32 k = 1; k < EACH; ++k) least = first_of(least, ranked(loaded.keys[k]));
        const Code code = code_of_ranked(least);
        if (HIGHEST ? code <= best : code < best) best = code, load = number;
    };
    for (; i + (AHEAD - 1) * GROUP < loads; i += AHEAD * GROUP) {
        Load loaded[AHEAD];
#pragma unroll
        for (u32 j = 0; j < AHEAD; ++j) loaded[j] = part.read(i + j * GROUP);
#pragma unroll
        for (u32 j = 0; j < AHEAD; ++j) take(loaded[j], i + j * GROUP);
    }
    for (; i < loads; i += GROUP) take(part.read(i), i);
    if (thread < loads) {
        const Load loaded = part.read(load);
#pragma unroll
        for (u32 k = 0; k < EACH; ++k) {
            const u64 place = first + part.place(load, k), counted = HIGHEST ? length - 1 - place : place;
            if (code_of(loaded.keys[k]) == best && counted < own) own = counted;
        }
    }
#endif
    best_codes[threadIdx.x] = best, best_places[threadIdx.x] = own;
    const u32 apart = COLUMNS ? GROUPS : 1;
#pragma unroll
    for (u32 half = GROUP / 2; half; half /= 2) {
        __syncthreads();
        if (thread >= half) continue;
        const Code other = best_codes[threadIdx.x + half * apart];
        const u64 there = best_places[threadIdx.x + half * apart];
        if (other < best || other == best && there < own) best = other, own = there;
        best_codes[threadIdx.x] = best, best_places[threadIdx.x] = own;
    }
    if (thread || !here) return;
    const Firsts firsts FIRSTS_OF;
    if (!FOUND && pieces > 1) codes[item] = best, at[item] = own;
    else if (places) firsts.write(rows, row, 0, best, own);
    else values[rows.place(row, 0)] = key_of(best);
}
