// Rows of up to 32 * ITEMS keys, at most 1,024: one warp holds a row in its registers, and answers ranks, medians or
// first keys (warp_select.cuh).
//
// Reads every key once. LAYOUT: 0, any steps; 1, rows of 32 * ITEMS neighbouring keys that begin at multiples of 16 bytes;
// 2, neighbouring columns, of which a block reads some together, and hands them over in shared memory. WHOLE: all rows
// have 32 * ITEMS keys. FIRSTS is 0 (see ASK and UNLESS_NAN), or a power of two from 32 on that is at least the number
// of first keys. They come IN_ORDER, or in any. BY, HIGHEST: see codes.cuh and row_calls.cuh.
// Blocks of THREADS; each warp has shared memory for ITEMS + 1 codes of each lane, and for FIRSTS entries, and in
// layout 2 a lane's code more (its neighbours use other banks).

#define NEAR 1
#include "keys.cuh"
#include "warp_select.cuh"
#include "row_calls.cuh"

extern __shared__ __align__(16) u64 memory[];

#define WARPS (THREADS / LANES)
#define ROOM ((ITEMS + 1) * LANES + (LAYOUT == 2 ? LANES : 0))  // codes of a warp
#define TOGETHER (ITEMS < 8 ? ITEMS : 8)                        // loads in flight of a thread

// The place of code i of this lane in the row.
__device__ __forceinline__ u32 place_of_item(u32 i) {
    return LAYOUT == 1 ? (i / PER_LOAD * LANES + lane_of()) * PER_LOAD + i % PER_LOAD : i * LANES + lane_of();
}

#if LAYOUT == 2
#define APART (ITEMS * LANES + LANES / WARPS)  // keys between columns in shared memory: columns hit all banks

// Reads neighbouring columns. Loads behind the end read the last key again: the compiler would wait for each load under
// a condition.
__device__ __forceinline__ void read_columns(RAW* tile, const Rows& rows, u64 outer, u64 column) {
    const u32 mine = threadIdx.x % WARPS, length = (u32)rows.length;
    const u64 at = column + mine < rows.inner ? column + mine : rows.inner - 1;
    const RAW* own = rows.keys + (long long)outer * rows.outer_step + (long long)at * rows.inner_step;
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
#endif

__device__ __forceinline__ void hold(Code (&held)[ITEMS], const RAW* begin, long long step, u32 length) {
#if LAYOUT == 1
#pragma unroll
    for (int i = 0; i < ITEMS / PER_LOAD; ++i) {
        const Load loaded = load(begin, i * LANES + lane_of());
#pragma unroll
        for (int k = 0; k < PER_LOAD; ++k) held[i * PER_LOAD + k] = code_of(loaded.keys[k]);
    }
#else
#pragma unroll
    for (int i = 0; i < ITEMS; ++i) {
        const u32 place = i * LANES + lane_of();
        held[i] = WHOLE || place < length ? code_of(begin[place * step]) : CODE_LAST;
    }
#endif
}

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
__device__ __forceinline__ u32 put_few(const Code (&held)[ITEMS], u32 length, u32 count, const Entries& entries) {
    Code first = held[0];
#pragma unroll
    for (int i = 1; i < ITEMS; ++i) first = lesser(first, held[i]);
    first = __shfl_sync(FULL, sorted_in_lanes<LANES>(first), count - 1);
    u32 bits = 0;
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        if (held[i] <= first && (WHOLE || place_of_item(i) < length)) bits |= 1u << i;
    const u32 found = sum_in_warp(__popc(bits));
    if (found > LANES) return 0;
    u32 at = before_in_warp((u32)__popc(bits));
#pragma unroll
    for (int i = 0; i < ITEMS; ++i)
        if (bits >> i & 1) entries.put(at++, held[i], place_of_item(i), length);
    return found;
}

// Puts the keys before the code of the last rank, and as many of its equals as are missing.
__device__ __forceinline__ void put_many(const Code (&held)[ITEMS], u32 length, u32 count, Code* room,
                                         const Entries& entries) {
    const Code last = select_in_warp(held, room, count - 1, length).code;
    __syncwarp();
    u32 before = 0, equal = 0;
#pragma unroll
    for (int i = 0; i < ITEMS; ++i) {
        const bool here = WHOLE || place_of_item(i) < length;
        add_if(before, held[i] < last), add_if(equal, held[i] == last && here);
    }
    const u32 sums = sum_in_warp(before << 16 | equal), befores = sums >> 16;
    const u32 missing = count - befores, first = HIGHEST ? (sums & 0xffff) - missing : 0;
    u32 passed = 0, equals = 0;
#pragma unroll
    for (int i = 0; i < ITEMS; ++i) {
        const bool is_equal = held[i] == last && (WHOLE || place_of_item(i) < length);
        const u32 earlier = __ballot_sync(FULL, held[i] < last), same = __ballot_sync(FULL, is_equal);
        const u32 number = equals + __popc(same & lanes_before()) - first;
        if (held[i] < last) entries.put(passed + __popc(earlier & lanes_before()), held[i], place_of_item(i), length);
        else if (is_equal && number < missing) entries.put(befores + number, last, place_of_item(i), length);
        passed += __popc(earlier), equals += __popc(same);
    }
}

__device__ __forceinline__ void answer(const Rows& rows, u64 row, const Code (&held)[ITEMS], Code* room, Code* behind,
                                       const Firsts& firsts) {
    const u32 length = (u32)rows.length, count = (u32)firsts.count;
    const Entries entries{behind, (u32*)(behind + FIRSTS)};
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
    for (u32 i = lane_of(); i < count; i += LANES) firsts.write(rows, row, i, entries.codes[i], entries.places[i]);
}
#else
__device__ __forceinline__ void answer(const Rows& rows, u64 row, const Code (&held)[ITEMS], Code* room,
                                       const Ranks& ranks, void* answers) {
    const u32 length = (u32)rows.length;
    u32 numbers = 0;
#if FLOATING && (ASK != SELECT || UNLESS_NAN)
#pragma unroll
    for (int i = 0; i < ITEMS; ++i) add_if(numbers, held[i] != NAN_CODE);  // missing keys are none
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
            high = middle[0] == middle[1] ? low : found.has_next ? found.next : next_above(held, low);
        }
        if (!lane_of()) write_middle(answers, rows.place(row, 0), low, high, middle[0] == middle[1] || low == NAN_CODE);
    }
}
#endif

#ifndef RESIDENT  // threads of a multiprocessor
#define RESIDENT (KEY_BYTES == 8 || FIRSTS > 512 ? 512 : ITEMS <= 8 && !FIRSTS ? 1536 : 1024)
#endif

extern "C" __global__ void __launch_bounds__(THREADS, RESIDENT / THREADS)
    rows_by_warp(const RAW* keys, u64 count, u64 length, u64 inner, long long outer_step,
                 long long step, long long inner_step, u64 answer_outer_step, u64 answer_step,
#if FIRSTS
                 u64 firsts, RAW* values, long long* places) {
    const Firsts wanted{firsts, values, places};
#else
                 const long long* ranks, u64 first, u64 asked, u64 own, void* answers) {
    const Ranks wanted{ranks, first, asked, own};
#endif
    const Rows rows{keys, count, length, inner, outer_step, step, inner_step,
                    answer_outer_step, answer_step};
    const u32 warp = threadIdx.x / LANES;
    Code* room = (Code*)memory + warp * ROOM;
    Code* behind = (Code*)memory + WARPS * ROOM + warp * (FIRSTS * (sizeof(Code) + sizeof(u32)) / sizeof(Code));
    Code held[ITEMS];
#if LAYOUT == 2
    const u64 blocks = (inner + WARPS - 1) / WARPS, outer = blockIdx.x / blocks;
    const u64 column = (blockIdx.x - outer * blocks) * WARPS, row = outer * inner + column + warp;
    read_columns((RAW*)memory, rows, outer, column);
    __syncthreads();
    hold(held, (const RAW*)memory + warp * APART, 1, (u32)length);
    __syncthreads();
    if (column + warp >= inner) return;
#else
    const u64 row = (u64)blockIdx.x * WARPS + warp;
    if (row >= count) return;
    hold(held, rows.begin_of(row), step, (u32)length);
#endif
#if FIRSTS
    answer(rows, row, held, room, behind, wanted);
#else
    answer(rows, row, held, room, wanted, answers);
#endif
}
