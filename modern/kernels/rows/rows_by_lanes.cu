// Rows of up to 1,024 keys: GROUP lanes of a warp sort a row in their registers, EACH keys in each lane, and answer
// ranks, medians or first keys.
//
// Reads every key once: whole lines where rows are neighbouring columns, which with TILED a block hands over in shared
// memory. With ALIGNED, the keys of a row are neighbours in whole loads of 16 bytes. WHOLE: rows have GROUP * EACH keys.
// FIRSTS is 0, or at least the number of first keys. ASK, UNLESS_NAN, BY, HIGHEST: see rows.cuh. Blocks of THREADS.
// Shared memory: for each row SLOTS codes or entries, or if these are less, APART keys.

#define NEAR 1
#include "keys.cuh"
#include "rows.cuh"

#define MOST (GROUP * EACH)
#define ROWS_HERE (THREADS / GROUP)
#define NUMBERS_KEPT (FIRSTS ? FIRSTS : MOST)
#define SLOTS (NUMBERS_KEPT + NUMBERS_KEPT / EACH | 1)
#define SPREAD (ROWS_HERE < LANES ? LANES / ROWS_HERE : 1)
#define APART (MOST + SPREAD * (KEY_BYTES < 4 ? 4 / KEY_BYTES : 1))  // threads hit all banks
#define TOGETHER 8  // loads in flight of a thread
#define WIDE (ALIGNED ? PER_LOAD : 1)

extern __shared__ __align__(16) u64 memory[];

#if FIRSTS
typedef Entry Number;
typedef FirstRows Arguments;
#else
typedef Code Number;
typedef RankedRows Arguments;
#endif

// The place of a number in the shared memory of a row: lanes hit all banks.
__device__ __forceinline__ u32 slot_of(u32 number) { return number + number / EACH; }

// Reads neighbouring columns. Loads behind the end read the last key again: the compiler would wait for each load under
// a condition.
__device__ __forceinline__ void read_columns(RAW* tile, const Rows& rows, u64 first, u32 here) {
    const u32 mine = threadIdx.x % ROWS_HERE, length = (u32)rows.length;
    const RAW* own = rows.begin_of(first + lesser(mine, here - 1));
    ROLLED for (u32 start = threadIdx.x / ROWS_HERE; start < length; start += TOGETHER * GROUP) {
        RAW loaded[TOGETHER];
        UNROLLED for (u32 j = 0; j < TOGETHER; ++j) loaded[j] = own[lesser(start + j * GROUP, length - 1) * rows.step];
        UNROLLED for (u32 j = 0; j < TOGETHER; ++j)
            if (start + j * GROUP < length) tile[mine * APART + start + j * GROUP] = loaded[j];
    }
    __syncthreads();
}

// Writes an answer of a row, given its sorted numbers.
__device__ __forceinline__ void answer(const Arguments& rows, u64 row, u32 i, const Number* sorted) {
#if FIRSTS
    rows.write(row, i, code_in(sorted[slot_of(i)]), place_of(sorted[slot_of(i)]));
#else
    const u64 to = rows.place(row, i);
    const u32 length = (u32)rows.length;
    u32 numbers = length;
    if (FLOATING && ASK >= NANMEDIAN)  // NaNs are behind the numbers
        numbers = partition_point(0u, length, [&](u32 i) { return sorted[slot_of(i)] != NAN_CODE; });
    const bool no_answer = FLOATING && (ASK == MEDIAN || UNLESS_NAN) && sorted[slot_of(length - 1)] == NAN_CODE;
    if (ASK == NUMBERS) ((long long*)rows.answers)[to] = numbers;
    if (ASK == SELECT) ((RAW*)rows.answers)[to] = key_of(no_answer ? NAN_CODE : sorted[slot_of((u32)rows.rank(row, i))]);
    if (ASK == NUMBERS || ASK == SELECT) return;
    u64 middle[2];
    set_middle(middle, numbers);
    const bool none = no_answer || !numbers;
    const Code low = none ? NAN_CODE : sorted[slot_of((u32)middle[0])];
    const Code high = none ? NAN_CODE : sorted[slot_of((u32)middle[1])];
    write_mean((Mean*)rows.answers + to, key_of(low), key_of(high), none || middle[0] == middle[1]);
#endif
}

#ifndef RESIDENT  // threads of a multiprocessor
#define RESIDENT (KEY_BYTES == 8 || FIRSTS ? 512 : 1024)
#endif
extern "C" __global__ void __launch_bounds__(THREADS, RESIDENT / THREADS)
    rows_by_lanes(const __grid_constant__ Arguments rows) {
    const u64 begins = (u64)blockIdx.x * ROWS_HERE;
    const u32 here = (u32)lesser(rows.count - begins, (u64)ROWS_HERE);
    const u64 length = rows.length;
    const u32 mine = threadIdx.x / GROUP, lane = threadIdx.x % GROUP;
    if (TILED) read_columns((RAW*)memory, rows, begins, here);
    const RAW* begin = TILED ? (const RAW*)memory + mine * APART : rows.begin_of(begins + lesser(mine, here - 1));
    const long long apart = TILED ? 1 : rows.step;
    Number numbers[EACH];
    UNROLLED for (u32 i = 0; i < EACH; i += WIDE) {
        const u32 place = (i * GROUP + lane * WIDE);
        const bool is_key = WHOLE || place < length;
        Load loaded{};
        if (ALIGNED && is_key) loaded.words = *(const uint4*)(begin + place);
        else if (is_key) loaded.keys[0] = begin[place * apart];
        UNROLLED for (u32 k = 0; k < WIDE; ++k) {
#if FIRSTS
            const u32 at = HIGHEST ? (u32)length - 1 - place - k : place + k;
            numbers[i + k] = is_key ? entry_of(code_of(loaded.keys[k]), at) : no_entry();
#else
            numbers[i + k] = is_key ? code_of(loaded.keys[k]) : (Code)~(Code)0;
#endif
        }
    }
    sort_in_lanes<GROUP>(numbers);
    if (TILED) __syncthreads();
    Number* sorted = (Number*)memory + mine * SLOTS;
    UNROLLED for (u32 i = 0; i < EACH; ++i)
        if (lane * EACH + i < NUMBERS_KEPT) sorted[slot_of(lane * EACH + i)] = numbers[i];
    __syncthreads();
#if FIRSTS
    const u32 each = (u32)rows.wanted;
#else
    const u32 each = ASK == SELECT ? (u32)rows.asked : 1;
#endif
    for (u32 number = threadIdx.x; number < here * each; number += THREADS) {  // neighbouring threads write neighbours
        const bool near = rows.inner == 1;
        const u32 row = near ? number / each : number % here, i = near ? number % each : number / here;
        answer(rows, begins + row, i, (const Number*)memory + row * SLOTS);
    }
}
