// The first key of each row in an order, and its place if there are `places`: without a sample or a list.
//
// Reads every key once, AHEAD loads of WIDE keys in flight of each thread: neighbours in a row; or with COLUMNS one key
// of each of WIDE neighbouring columns. GROUP threads have a row, or WIDE columns, or one of `pieces` of them:
// neighbours along the row, or in steps along columns, so that neighbouring threads have neighbouring columns. Answers
// of several pieces are (pieces, rows), and the keys of a second launch, whose places are `known`. BY, HIGHEST: see
// rows.cuh; with 3, keys that equal the row's `sought` key come first. Blocks of 256 threads.

#include "keys.cuh"
#include "rows.cuh"

#define GROUPS (256 / GROUP)
#define EACH (COLUMNS ? WIDE : 1)  // rows of a thread

// What is compared: the code of a key, or whether it is another than the one that is sought.
__device__ __forceinline__ Code rank_code(RAW bits, Code sought) {
    return BY == 3 ? (Code)(wide_code_of(bits) != sought) : wide_code_of(bits);
}

struct Best {
    Code code;
    u32 at;
    __device__ __forceinline__ void take(Code other, u32 there) {
        if (HIGHEST ? other <= code : other < code) code = other, at = there;
    }
    __device__ __forceinline__ void take(const Best& other) {
        if (other.code == code) at = HIGHEST ? greater(at, other.at) : lesser(at, other.at);
        else take(other.code, other.at);
    }
};

// Some keys of a row, or of columns. In loads of rows, the nearest key stands for those before and behind the piece.
struct Piece {
    const RAW* keys;  // of rows aligned to 16 bytes, `shift` keys before the piece
    long long step;
    u32 size, shift;

    __device__ __forceinline__ u32 loads() const { return COLUMNS ? size : (shift + size + WIDE - 1) / WIDE; }
    __device__ __forceinline__ u32 place(u32 at) const {
        return COLUMNS ? at : at < shift ? 0 : lesser(at - shift, size - 1);
    }
    __device__ __forceinline__ Load read(u32 i) const {
        Load loaded;
        if (WIDE == 1) {
            loaded.keys[0] = __ldg(keys + (long long)i * step);
        } else if (COLUMNS || i * WIDE >= shift && (i + 1) * WIDE <= shift + size) {
            loaded.words = __ldg((const uint4*)(keys + (long long)i * (COLUMNS ? step : WIDE)));
        } else {
            UNROLLED for (u32 k = 0; k < WIDE; ++k) loaded.keys[k] = keys[shift + place(i * WIDE + k)];
        }
        return loaded;
    }
};

struct Arguments : FirstRows {
    u64 pieces;
    const long long* known;
    const RAW* sought;
};

extern "C" __global__ void __launch_bounds__(256) row_ends(const __grid_constant__ Arguments rows) {
    __shared__ Best found[EACH][256];
    const u32 group = COLUMNS ? threadIdx.x % GROUPS : threadIdx.x / GROUP;
    const u32 thread = COLUMNS ? threadIdx.x / GROUPS : threadIdx.x % GROUP;
    const u64 length = rows.length, pieces = rows.pieces;
    const u64 items = rows.count / EACH, each = (length + pieces - 1) / pieces;  // no piece is empty
    const auto piece_of = [&](u64 item, u64& row) {
        const u64 piece = pieces == 1 ? 0 : item / items, first = piece * each;
        row = (item - piece * items) * EACH;
        const RAW* begin = rows.begin_of(row) + (long long)first * rows.step;
        const u32 shift = COLUMNS ? 0 : (u32)((u64)begin % 16) / KEY_BYTES;
        return Piece{begin - shift, rows.step, (u32)lesser(length - first, each), shift};
    };
    u64 row;
    const Piece part = piece_of(lesser((u64)blockIdx.x * GROUPS + group, items * pieces - 1), row);
    const u32 loads = part.loads();
    Best best[EACH];
    Code own[EACH];
    UNROLLED for (u32 k = 0; k < EACH; ++k) own[k] = BY == 3 ? wide_code_of(rows.sought[row + k]) : 0;
    UNROLLED for (u32 k = 0; k < EACH; ++k) best[k] = {(Code)~(Code)0, lesser(thread, loads - 1) * (COLUMNS ? 1 : WIDE)};
    for (u32 i = thread; i < loads; i += AHEAD * GROUP) {
        Load loaded[AHEAD];
        UNROLLED for (u32 j = 0; j < AHEAD; ++j) loaded[j] = part.read(lesser(i + j * GROUP, loads - 1));
        UNROLLED for (u32 j = 0; j < AHEAD; ++j) {
            const u32 at = lesser(i + j * GROUP, loads - 1);
#if COLUMNS
            UNROLLED for (u32 k = 0; k < WIDE; ++k) best[k].take(rank_code(loaded[j].keys[k], own[k]), at);
#else
            Best least = {rank_code(loaded[j].keys[0], own[0]), 0};
            UNROLLED for (u32 k = 1; k < WIDE; ++k) least.take(rank_code(loaded[j].keys[k], own[0]), k);
            best[0].take(least.code, at * WIDE + least.at);
#endif
        }
    }
    UNROLLED for (u32 k = 0; k < EACH; ++k) found[k][threadIdx.x] = best[k];
    UNROLLED for (u32 half = GROUP / 2; half; half /= 2) {
        __syncthreads();
        if (thread >= half) continue;
        UNROLLED for (u32 k = 0; k < EACH; ++k)
            found[k][threadIdx.x].take(found[k][threadIdx.x + half * (COLUMNS ? GROUPS : 1)]);
    }
    __syncthreads();
    for (u32 i = threadIdx.x; i < GROUPS * EACH; i += 256) {  // neighbouring threads write neighbouring answers
        const u64 item = (u64)blockIdx.x * GROUPS + i / EACH;
        if (item >= items * pieces) return;
        const Piece there = piece_of(item, row);
        const u64 first = pieces == 1 ? 0 : item / items * each;
        const Best& first_key = found[i % EACH][i / EACH * (COLUMNS ? 1 : GROUP)];
        const u64 at = first + there.place(first_key.at);
        row += i % EACH;
        const u64 to = pieces == 1 ? rows.place(row, 0) : item / items * rows.count + row;
        const Code code = first_key.code >> MORE_BITS;
        const bool is_known = !rows.places || is_of_one_key(code);
        rows.values[to] = is_known ? key_of(code) : rows.begin_of(row)[(long long)at * rows.step];
        if (rows.places) rows.places[to] = rows.known ? rows.known[at * rows.count + row] : (long long)at;
    }
}
