// Rows of up to 32 * ITEMS keys, at most 1,024, or STREAMED: one warp holds or reads a row, and answers ranks, medians
// or first keys (warp_select.cuh).
//
// Reads every key once. COLUMNS: rows are neighbouring columns, of which a block reads some together, and hands them over
// in shared memory. WHOLE: all rows have 32 * ITEMS keys. FIRSTS is 0, or a power of two from 32 on that is at least the
// number of first keys. They come IN_ORDER, or in any. STREAMED: longer rows, which are read once or twice more. ASK,
// UNLESS_NAN, BY, HIGHEST: see rows.cuh. Blocks of THREADS;
// each warp has shared memory for ITEMS + 1 codes of each lane, one more for columns, and FIRSTS codes and places.

#define NEAR 1
#include "keys.cuh"
#include "warp_select.cuh"

extern __shared__ __align__(16) u64 memory[];

#define WARPS (THREADS / LANES)
#define ROOM ((ITEMS + 1 + COLUMNS) * LANES)
#define APART (ITEMS * LANES + LANES / WARPS)  // keys between columns in shared memory: columns hit all banks
#define TOGETHER (ITEMS < 8 ? ITEMS : 8)       // loads in flight of a thread

// Reads neighbouring columns. Loads behind the end read the last key again: the compiler would wait for each load under
// a condition.
__device__ __forceinline__ void read_columns(RAW* tile, const Rows& rows, u64 outer, u64 column) {
    const u32 mine = threadIdx.x % WARPS, length = (u32)rows.length;
    const RAW* own = rows.begin_of(outer * rows.inner + lesser(column + mine, rows.inner - 1));
#pragma unroll 1
    for (u32 start = threadIdx.x / WARPS; start < length; start += TOGETHER * LANES) {
        RAW loaded[TOGETHER];
#pragma unroll
        for (int j = 0; j < TOGETHER; ++j) loaded[j] = own[lesser(start + j * LANES, length - 1) * rows.step];
#pragma unroll
        for (int j = 0; j < TOGETHER; ++j)
            if (start + j * LANES < length) tile[mine * APART + start + j * LANES] = loaded[j];
    }
}

__device__ __forceinline__ u32 place_of_item(u32 i) { return i * LANES + lane_of(); }

#if FIRSTS
#define FEW (LANES / 2)  // first keys of which the first keys of the lanes tell enough
#define EACH (FIRSTS / LANES)

// Entries in shared memory.
struct Entries {
    Code* codes;
    u32* places;
    __device__ __forceinline__ void put(u32 at, Code code, u32 place, u32 length) const {
        codes[at] = code, places[at] = HIGHEST ? length - 1 - place : place;
    }
};

// Puts all first keys, and perhaps some more, if the first codes of the lanes tell which they are; returns how many
// these are, or 0.
__device__ __forceinline__ u32 put_few(const Held& held, u32 length, u32 count, const Entries& entries) {
    Code first = CODE_LAST;
    each_held(held, [&](Code code, u32) { first = lesser(first, code); });
    first = __shfl_sync(FULL, sorted_in_warp(first), count - 1);
    u32 mine = 0;
    each_held(held, [&](Code code, u32 i) { add_if(mine, code <= first && (WHOLE || place_of_item(i) < length)); });
    const u32 found = sum_in_warp(mine);
    if (found > LANES) return 0;
    u32 at = before_in_warp(mine);
    each_held(held, [&](Code code, u32 i) {
        if (code <= first && (WHOLE || place_of_item(i) < length)) entries.put(at++, code, place_of_item(i), length);
    });
    return found;
}

// Puts the keys before the code of the last rank, and as many of its equals as are missing.
__device__ __forceinline__ void put_many(const Held& held, u32 length, u32 count, Code* room,
                                         const Entries& entries) {
    const Code last = select_in_warp(held, room, count - 1, length).code;
    __syncwarp();
    u32 before = 0, all = 0, passed = 0, equals = 0;
    each_held(held, [&](Code code, u32 i) {
        add_if(before, code < last), add_if(all, code == last && (WHOLE || place_of_item(i) < length));
    });
    before = sum_in_warp(before), all = sum_in_warp(all);
    const u32 first = HIGHEST ? before + all - count : 0;  // the number of equals that are left out
    each_held(held, [&](Code code, u32 i) {
        const bool is_less = code < last, is_equal = code == last && (WHOLE || place_of_item(i) < length);
        const u32 less = __ballot_sync(FULL, is_less), same = __ballot_sync(FULL, is_equal);
        const u32 number = equals + __popc(same & lanes_before()) - first;
        if (is_less) entries.put(passed + __popc(less & lanes_before()), code, place_of_item(i), length);
        else if (is_equal && number < count - before) entries.put(before + number, last, place_of_item(i), length);
        passed += __popc(less), equals += __popc(same);
    });
}

__device__ __forceinline__ void answer(const Rows& rows, u64 row, const Held& held, Code* room,
                                       const Entries& entries, const Firsts& firsts) {
    const u32 length = (u32)rows.length, count = (u32)firsts.count;
    u32 total = FIRSTS == LANES && count <= FEW ? put_few(held, length, count, entries) : 0;
    if (!total) put_many(held, length, count, room, entries), total = count;
    __syncwarp();
    if (IN_ORDER || total > count) {
        Entry sorted[EACH];
#pragma unroll
        for (int j = 0; j < EACH; ++j) {
            const u32 i = j * LANES + lane_of();
            sorted[j] = i < total ? entry_of(entries.codes[i], entries.places[i]) : no_entry();
        }
        sort_in_lanes<FIRSTS>(sorted);
        __syncwarp();
#pragma unroll
        for (int j = 0; j < EACH; ++j) {
            const u32 i = lane_of() * EACH + j;
            entries.codes[i] = code_in(sorted[j]), entries.places[i] = place_of(sorted[j]);
        }
        __syncwarp();
    }
    if (COLUMNS) return;
    for (u32 i = lane_of(); i < count; i += LANES) firsts.write(rows, row, i, entries.codes[i], entries.places[i]);
}
#else
// The least code above another one.
__device__ __forceinline__ Code next_above(const Held& held, Code code) {
    Code next = CODE_LAST;
    each_held(held, [&](Code other, u32) { next = other > code ? lesser(other, next) : next; });
#pragma unroll
    for (int step = LANES / 2; step; step /= 2) next = lesser(next, __shfl_xor_sync(FULL, next, step));
    return next;
}

__device__ __forceinline__ void answer(const Rows& rows, u64 row, const Held& held, Code* room,
                                       const Ranks& ranks, void* answers) {
    const u32 length = (u32)rows.length;
    u32 numbers = 0;
#if FLOATING && (ASK != SELECT || UNLESS_NAN)
    each_held(held, [&](Code code, u32) { add_if(numbers, code != NAN_CODE); });  // missing keys are none
    numbers = sum_in_warp(numbers);
#else
    numbers = length;
#endif
    if (ASK == NUMBERS) {
        if (!lane_of()) ((long long*)answers)[rows.place(row, 0)] = numbers;
    } else if (ASK == SELECT) {
#pragma unroll 1
        for (u64 i = 0; i < ranks.count; ++i) {
            const u32 rank = (u32)ranks.rank(rows, row, i);
            const Code found = numbers < length ? NAN_CODE : select_in_warp(held, room, rank, length).code;
            if (!lane_of()) ((RAW*)answers)[rows.place(row, i)] = key_of(found);
        }
    } else {
        u64 middle[2];
        set_middle(middle, numbers);
        Code low = NAN_CODE, high = NAN_CODE;
        if (numbers == length || numbers && ASK == NANMEDIAN) {
            const Selected found = select_in_warp(held, room, (u32)middle[0], length);
            low = found.code;
            high = middle[0] == middle[1] ? low : found.next;
            if (middle[0] != middle[1] && !found.has_next) high = next_above(held, low);
        }
        if (!lane_of()) write_middle(answers, rows.place(row, 0), low, high, middle[0] == middle[1] || low == NAN_CODE);
    }
}
#endif

#ifndef RESIDENT  // threads of a multiprocessor
#define RESIDENT (KEY_BYTES == 8 || FIRSTS > 512 ? 512 : ITEMS <= 8 && !FIRSTS ? 1536 : 1024)
#endif
#if FIRSTS
#define ASKED FIRSTS_ARGUMENTS
#else
#define ASKED RANKS_ARGUMENTS
#endif

extern "C" __global__ void __launch_bounds__(THREADS, RESIDENT / THREADS) rows_by_warp(ROWS_ARGUMENTS, ASKED) {
    const Rows rows ROWS;
    const u32 warp = threadIdx.x / LANES;
    Code* room = (Code*)memory + warp * ROOM;
    u64 row = (u64)blockIdx.x * WARPS + warp;
#if COLUMNS
    const u64 blocks = (inner + WARPS - 1) / WARPS, outer = blockIdx.x / blocks;
    const u64 column = (blockIdx.x - outer * blocks) * WARPS;
    const bool here = column + warp < inner;
    row = outer * inner + column + warp;
    read_columns((RAW*)memory, rows, outer, column);
    __syncthreads();
    const RAW* begin = (const RAW*)memory + warp * APART;
#else
    const bool here = row < count;
    const RAW* begin = here ? rows.begin_of(row) : keys;
#endif
#if STREAMED
    const Held held = {begin, step, (u32)length};
#else
    Held held;
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        held[i] = WHOLE || place_of_item(i) < length ? code_of(begin[place_of_item(i) * (COLUMNS ? 1 : step)]) : CODE_LAST;
#endif
    if (COLUMNS) __syncthreads();
#if FIRSTS
    Code* behind = (Code*)memory + WARPS * ROOM;  // an entry apart of each warp: columns hit all banks
    const u32 apart = FIRSTS * (sizeof(Code) + sizeof(u32)) / sizeof(Code) + COLUMNS;
    const auto entries_of = [&](u32 i) { return Entries{behind + i * apart, (u32*)(behind + i * apart + FIRSTS)}; };
    const Firsts firsts FIRSTS_OF;
    if (here) answer(rows, row, held, room, entries_of(warp), firsts);
#if COLUMNS
    __syncthreads();
    const u32 mine = threadIdx.x % WARPS;  // neighbouring threads write neighbouring columns
    for (u32 i = threadIdx.x / WARPS; i < wanted && column + mine < inner; i += LANES)
        firsts.write(rows, row - warp + mine, i, entries_of(mine).codes[i], entries_of(mine).places[i]);
#endif
#else
    if (here) answer(rows, row, held, room, RANKS, answers);
#endif
}
