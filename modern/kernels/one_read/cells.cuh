// Cells: ranges of codes that have about as many keys each, found by one table.
//
// The table divides the codes of a sample into ROOT entries of equal width, and each entry into a power of two of
// cells: the more keys of the sample it has, the more cells. A word of the table holds the shift that leaves the cells
// of an entry in bits 24 to 30, and in its lower 16 bits what is added to get the number of the cell, modulo 2**16.
// The first and the last entry also have all codes outside the sample; NaNs have a cell of their own, the last one.


#define ROOT (4 * THREADS)
#define CELLS (AIM + ROOT + 1)  // at most
#define ONE_CELL 64u            // a shift that leaves nothing
#define SPECIAL (1u << 31)      // a bit of entries that may have NaNs: their keys are looked up by their codes

#define entries ((u32*)memory + BINS)
#define BEHIND ((u32*)memory + BINS + ROOT)

// The code of a number; a NaN may get any code before that of −inf, or after that of inf.
__device__ __forceinline__ RAW code_of_number(RAW bits) {
#if FLOATING
    const RAW negative = bits & SIGN ? (RAW)~(RAW)0 : 0;
    return (RAW)((((bits & (RAW)(SIGN - 1)) ^ negative) - negative) + SIGN);
#else
    return encode(bits);
#endif
}

struct Table {
    RAW base;
    u32 shift, last;     // of an entry; the number of the last entry
    u32 of_inf, of_nan;  // the entry of the largest number; the cell of NaNs

    // Sets the entries, without their cells, for codes from one to another.
    __device__ __forceinline__ void span(RAW low, RAW high) {
        if (low > high) low = first_number(), high = last_number();  // there is no number in the sample
        for (shift = 0; (RAW)(high - low) >> shift > ROOT - 3;) ++shift;
        const RAW width = (RAW)((RAW)1 << shift);
        base = low > width ? (RAW)(low - width) : (RAW)0;
        last = (u32)((RAW)(high - base) >> shift) + 1;
        of_inf = place_of(beyond(last_number()));
    }

    // Sets the entries for the codes of a sample.
    template <class Ends>
    __device__ __forceinline__ void span(const Ends& sample) {
        const u64 least = ~fresh(&sample.inverse_of_least);
        if (least > last_number()) span(1, 0);
        else span((RAW)least, (RAW)fresh(&sample.most));
    }

    __device__ __forceinline__ RAW beyond(RAW code) const { return (RAW)((code > base ? code : base) - base); }

    __device__ __forceinline__ u32 place_of(RAW x) const {
        const RAW place = (RAW)(x >> shift);
        return place < last ? (u32)place : last;
    }

    __device__ __forceinline__ static u32 cell_in(u32 word, RAW x) { return ((u32)shifted(x, word >> 24) + word) & 0xffff; }

    // Divides the entries by the numbers of keys that the sample has in them; by all threads of a block.
    __device__ __forceinline__ void divide(const u64* masses, u64 sampled) {
        u32 cells[ROOT / THREADS], shifts[ROOT / THREADS], sum = 0;
        UNROLLED for (u32 i = 0; i < ROOT / THREADS; ++i) {
            const u32 place = threadIdx.x * (ROOT / THREADS) + i;
            const u32 share = place < last ? (u32)(fresh(&masses[place]) * AIM / sampled) : 0;
            const u32 bits = share ? 31 - __clz(share) : 0, most = bits < shift ? bits : shift;
            shifts[i] = place < last ? shift - most : ONE_CELL;
            sum += cells[i] = place <= last ? 1u << most : 0;
        }
        u32 first = before_in_block(sum);
        __shared__ u32 all;
        if (threadIdx.x == THREADS - 1) all = first + sum;
        UNROLLED for (u32 i = 0; i < ROOT / THREADS; ++i) {
            const u32 place = threadIdx.x * (ROOT / THREADS) + i;
            const bool special = FLOATING && (!place || place == last || place == of_inf);
            entries[place] = (special ? SPECIAL : 0) | shifts[i] << 24 |
                             (first - (u32)shifted((RAW)((RAW)place << shift), shifts[i])) & 0xffff;
            first += cells[i];
        }
        __syncthreads();
        of_nan = all;
    }

    __device__ __forceinline__ u32 word_at(u32 place) const { return entries[place] & ~SPECIAL; }

    // The cell of a code.
    __device__ __forceinline__ u32 operator()(RAW code) const {
        const RAW x = beyond(code);
        return FLOATING && code == (RAW)~(RAW)0 ? of_nan : cell_in(word_at(place_of(x)), x);
    }

    // The cell of a key.
    __device__ __forceinline__ u32 of_key(RAW bits) const;

    // Sets the first and the last code of a cell.
    __device__ __forceinline__ void bounds(u32 cell, RAW& first_code, RAW& last_code) const {
        first_code = last_code = (RAW)~(RAW)0;
        if (cell == of_nan && FLOATING) return;
        const auto start = [&](u32 at) { return cell_in(word_at(at), (RAW)((RAW)at << shift)); };
        const u32 place = partition_point(1u, last + 1, [&](u32 at) { return start(at) <= cell; }) - 1;
        const u32 bits = word_at(place) >> 24 & (KEY_BITS - 1);
        first_code = (RAW)(base + (RAW)((RAW)place << shift) + (RAW)((RAW)(cell - start(place)) << bits));
        const RAW wide = place == last ? last_number() : (RAW)(((RAW)1 << bits) - 1);
        last_code = (RAW)(last_number() - first_code) > wide ? (RAW)(first_code + wide) : last_number();
        if (!cell) first_code = 0;
    }
};

__shared__ Table table_of_block;  // a copy, so that no register is saved for a call that is rare

__device__ __noinline__ u32 cell_of(RAW code) { return table_of_block(code); }

__device__ __forceinline__ u32 Table::of_key(RAW bits) const {
    const RAW x = beyond(code_of_number(bits));
    const u32 word = entries[place_of(x)];
    return FLOATING && word & SPECIAL ? cell_of(encode(bits)) : cell_in(word, x);
}

// ---- Ranges of codes that have a rank whose key is not known yet. Each thread of the first block has one rank.

#define MOST THREADS  // ranks
#define NONE ~0u
#define APART 16u  // words of a line

#define WORDS (CELLS / 32 + 1)  // less than THREADS
#define FLAGS BEHIND            // a bit for each cell that has a range
#define PASSED (FLAGS + WORDS)  // ranges of cells before each word of flags, and the number of all
#define FIRSTS ((RAW*)(PASSED + WORDS + 2))
#define LASTS (FIRSTS + MOST)
#define OPEN (LASTS + MOST)  // bins, ends or lists
#define LISTS ((RAW*)OPEN)

struct Ranks {
    u64 rank[COUNT];
};

struct Common {
    u64 rank[MOST], nans;
    struct Zero {
        u32 arrived, ticket;
        u64 inverse_of_least, most;  // of the sample's codes
        u64 root[ROOT];
        u64 totals[2][CELLS > 2 * MOST ? CELLS : 2 * MOST];
    } zero;
    u64 before[MOST], here[MOST], first[MOST], last[MOST];  // of each rank: its range
    u32 range[MOST];                                        // and the number of its range
    u64 firsts[MOST], lasts[MOST], starts[MOST];            // of each range, one after the other
    u64 ends[APART * MOST];                                 // each in a line of its own: atomics on one line wait
    u32 ranges, stages;  // how many there are, and whether their keys are to be staged
};

__device__ __forceinline__ bool is_flagged(u32 cell) { return FLAGS[cell / 32] >> cell % 32 & 1; }

// The range of a code in a flagged cell, or NONE.
__device__ __noinline__ u32 range_of(u32 cell, RAW code) {
    const u32 word = cell / 32, end = PASSED[word + 1];
    const u32 range = partition_point(PASSED[word], end, [&](u32 i) { return LASTS[i] < code; });
    return range < end && FIRSTS[range] <= code ? range : NONE;
}

// Loads the ranges, and flags the cells that have them.
__device__ __forceinline__ void load_ranges(const Common* common, u32 ranges) {
    const u32 i = threadIdx.x;
    if (i <= WORDS) FLAGS[i] = PASSED[i] = 0;
    if (i < ranges) FIRSTS[i] = (RAW)fresh(&common->firsts[i]), LASTS[i] = (RAW)fresh(&common->lasts[i]);
    __syncthreads();
    if (i < ranges) {
        const u32 cell = cell_of(FIRSTS[i]);
        atomicOr(&FLAGS[cell / 32], 1u << cell % 32), atomicAdd(&PASSED[cell / 32], 1);
    }
    __syncthreads();
    const u32 passed = before_in_block(i < WORDS ? PASSED[i] : 0);
    if (i <= WORDS) PASSED[i] = passed;
    __syncthreads();
}

// Replaces counters by the sums up to each of them: each thread adds up some neighbours, and `memory` gets the sums
// before its first one.
__device__ __forceinline__ void sum_up(u64* totals, u32 count) {
    const u32 each = (count + THREADS - 1) / THREADS, first = threadIdx.x * each;
    const u32 end = first + each < count ? first + each : count;
    u64 sum = 0;
#pragma unroll 8
    for (u32 i = first; i < end; ++i) sum += fresh(&totals[i]);
    sum = memory[threadIdx.x] = before_in_block(sum);
#pragma unroll 8
    for (u32 i = first; i < end; ++i) totals[i] = sum += fresh(&totals[i]);
    __syncthreads();
}

// Lists the ranges of the ranks whose keys are not known; ranks of one range are neighbours.
__device__ __forceinline__ void list_ranges(Common* common, u32 asked, u64 n, u64 room) {
    const u32 i = threadIdx.x;
    const auto is_open = [&](u32 at) { return at < asked && common->first[at] != common->last[at]; };
    const bool open = is_open(i), follows = open && is_open(i - 1) && common->first[i] == common->first[i - 1];
    const bool begins = open && !follows;
    const u64 here = begins ? common->here[i] : 0, start = before_in_block(here);
    const u32 range = before_in_block((u32)begins);
    if (begins) {
        common->firsts[range] = common->first[i], common->lasts[range] = common->last[i];
        common->starts[range] = common->ends[APART * range] = start;
    }
    if (open) common->range[i] = range - follows;
    const bool heavy = __syncthreads_or(here > (n >> 8 > 1 << 16 ? n >> 8 : 1 << 16));
    if (i == THREADS - 1) common->ranges = range + begins, common->stages = !heavy && start + here <= room;
}
