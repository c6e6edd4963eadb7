// Keys of some ranks of each row, or the median of each row: one block for each row (modern/rows/cuda.py).
//
// 1. Sample: each thread takes `samples` loads of 16 bytes at hashed places of the row.
// 2. Bracket: the codes around the sample's rank, `wide` standard errors away, by histograms.
// 3. One read: counts keys below the bracket, and stages those inside, in lists in shared memory.
// 4. Proof: the counts show whether the rank is inside, and whether the lists were long enough. If not, a
//    wider bracket is read; and then all keys of the row are narrowed by histograms, a read for each.
// 5. Histograms of the staged keys, until few are left that are compared with each other.
//
// Row i begins at keys + i * outer_step; `step` is not used. ASK is that of row_ranks_by_warp.cu; each of several
// ranks has a read of its own, but neighbouring ones have one together. Rows of at least 2 * THREADS loads, and of fewer
// than 2³² keys. THREADS is a power of two, 128 to 1,024. Shared memory: 16 bytes and CAPACITY keys for each thread.

#define SHARE 256
#include "keys.cuh"
#include "code_ranges.cuh"
#include "sampled_load.cuh"
#include "shared_lists.cuh"

#define CODE_OF encode
#include "row_brackets.cuh"

#define ATTEMPTS 2  // brackets
#define LISTS ((RAW*)(memory + BINS / 2))  // entry i of a thread is LISTS[i * THREADS + threadIdx.x]

// The lists of the block.
struct Own {
    u32 count;  // entries of this thread
    template <class Body>
    __device__ __forceinline__ void operator()(Body body) const {
#pragma unroll 1
        for (u32 i = 0; i < count; ++i) body(encode(LISTS[i * THREADS + threadIdx.x]));
    }
};

// What the block has counted. Keys that equal an end of the bracket are counted if it is tied, not staged.
struct Totals {
    u32 below, low_equal, inside, high_equal, numbers, overflowed;
};

// Reads the row. Returns the number of entries of this thread's list.
template <bool TIED>
__device__ __forceinline__ u32 read_row(const Row& row, const Bracket& bracket, Totals* totals) {
    const VALUE low = value_of(decode(bracket.first)), high = value_of(decode(bracket.last));
    const u32 start = address_of(LISTS + threadIdx.x), apart = THREADS * KEY_BYTES, limit = start + CAPACITY * apart;
    u32 below = 0, upto_low = 0, upto = 0, numbers = 0, end = start;
    if (threadIdx.x < sizeof(Totals) / sizeof(u32)) ((u32*)totals)[threadIdx.x] = 0;
    for_each_key_of_block(row.keys, row.n, [&](RAW bits) {
        const VALUE value = value_of(bits);
        const bool under = value < low;
        add_if(below, under);
        if (TIED) add_if(upto_low, value <= low), add_if(upto, value <= high);
        if ((TIED ? value > low && value < high : !under && value <= high) && end < limit)
            store(end, bits), end += apart;
        if (FLOATING) add_if(numbers, value == value);
    });
    const u32 count = (end - start) / apart;
    __syncthreads();
    add_to(&totals->below, below), add_to(&totals->inside, count);
    add_to(&totals->numbers, numbers), add_to(&totals->overflowed, count == CAPACITY);  // or just full
    if (TIED) {
        add_to(&totals->low_equal, upto_low - below);
        add_to(&totals->high_equal, upto - upto_low - count);
    }
    __syncthreads();
    return count;
}

struct Shared : Wanted {
    Totals totals;
};

// Finds the codes of two neighbouring ranks, or of one twice. For medians the ranks are set here. Returns how
// many keys of the row are numbers.
__device__ __forceinline__ u64 find(Shared& s, const Row& row, u32 samples, float wide, RAW* found) {
    const RowSample sample{row, samples, samples <= KEPT && samples * PER_LOAD <= CAPACITY ? LISTS : nullptr};
    sample.read();
    Expected expected = expect(s, sample);
#pragma unroll 1
    for (u32 attempt = 0; attempt < ATTEMPTS; ++attempt, wide *= 2) {
        if (attempt) sample.read();  // the lists were in its place
        const Bracket bracket = sampled_bracket(s, sample, expected, wide);
        const u32 count = bracket.tied ? read_row<true>(row, bracket, &s.totals)
                                       : read_row<false>(row, bracket, &s.totals);
        const u64 numbers = FLOATING ? s.totals.numbers : row.n;
        if (ASK == MEDIAN && numbers < row.n) return numbers;
        if (ASK == NANMEDIAN && FLOATING) {
            if (!threadIdx.x) set_middle(s.rank, numbers);
            __syncthreads();
            if (!numbers) return numbers;
            expected.numbers = numbers;
        }
        if (!s.totals.overflowed && is_hit(s.totals, s.rank, numbers)) {
            find_inside(s, s.totals, bracket, numbers, found,
                        [&] { narrow_fully(s.range, s.rank_inside, Own{count}); });
            return numbers;
        }
        __syncthreads();
    }
    if (!threadIdx.x) s.range[0] = s.range[1] = {0, (RAW)~(RAW)0, 0, row.n};
    __syncthreads();
    narrow_fully(s.range, s.rank, row);
    found[0] = s.range[0].first, found[1] = s.range[1].first;
    return FLOATING ? s.totals.numbers : row.n;
}

extern "C" __global__ void __launch_bounds__(THREADS)
    row_ranks_by_block(const RAW* keys, u64 rows, u32 length, u64 outer_step, u64 step, const long long* ranks, u32 wanted,
                       u32 own, u32 inner, void* answers, u32 samples, float wide) {
    const Asked asked{ranks, wanted, own, inner, answers};
    __shared__ Shared s;
#pragma unroll 1
    for (u64 at = blockIdx.x; at < rows; at += gridDim.x) {
        const Row row{keys + at * outer_step, length};
        RAW found[2] = {(RAW)~(RAW)0, (RAW)~(RAW)0};
        const u32 count = ASK == SELECT ? asked.count : 1;
        u32 both = 1;  // ranks that are found together: two, if they are the same or neighbours
#pragma unroll 1
        for (u32 i = 0; i < count; i += both) {
            __syncthreads();
            if (ASK == SELECT) {
                const u32 first = asked.rank((u32)at, i), second = i + 1 < count ? asked.rank((u32)at, i + 1) : first;
                both = i + 1 < count && second - first <= 1 ? 2 : 1;
                if (!threadIdx.x) s.rank[0] = first, s.rank[1] = both == 2 ? second : first;
            }
            __syncthreads();
            const u64 numbers = find(s, row, samples, wide, found);
            if (threadIdx.x) continue;
            put_answer(asked, (u32)at, i, found, s.rank, numbers, length);
            if (both == 2) asked.answer((u32)at, i + 1, found[1]);
        }
    }
}
