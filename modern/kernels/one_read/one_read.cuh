// What one_read.cu is made of: a bracket from a sample; the read that counts keys below and above it and stages those
// inside (staging.cuh); and the codes that are narrowed then.

#include "code_ranges.cuh"
#include "staging.cuh"

// ---- The bracket: the ranks in the sample that lie some standard errors away from the ranks that are wanted, and the
// codes of these ranks.

#ifndef SHARE
#define SHARE 512  // an end of the bracket has at most 1 in this many keys of the sample, or is one code
#endif

struct Bracket {
    RAW first, last;  // codes of numbers
    bool tied;        // many keys equal an end; they are counted, not staged
};

// Sets the ranks of the sample between which the keys of some ranks lie: `wide` standard errors away. Those that
// lie outside the sample are set to its size. The type of `wide` computes them: where floats suffice, they save the
// microseconds that divisions of doubles take.
template <class Float>
__device__ __forceinline__ void aim(u64* target, const u64* rank, u64 numbers, u64 sampled, Float wide) {
    const Float scale = (Float)sampled / (Float)numbers;
    UNROLLED for (int r = 0; r < 2; ++r) {
        const Float middle = (Float)rank[r] * scale, share = middle / (Float)sampled;
        const Float spread = middle * (1 - share);
        const Float off = wide * sqrt(spread > 0 ? spread : (Float)0) + wide * wide;
        const Float aimed = r ? middle + off : middle - off;
        target[r] = aimed < 0 || aimed >= (Float)sampled ? sampled : (u64)aimed;
    }
}

__device__ __forceinline__ bool is_heavy(const Range& range, u64 sampled) { return range.here > sampled / SHARE; }

// The bracket whose ends are the narrowed ranges of the sample.
__device__ __forceinline__ Bracket bracket_of(const Range* range, const u64* target, u64 sampled) {
    Bracket bracket;
    bracket.first = target[0] < sampled ? range[0].first : first_number();
    bracket.last = target[1] < sampled ? range[1].last : last_number();
    bracket.tied = target[0] < sampled && is_heavy(range[0], sampled) ||
                   target[1] < sampled && is_heavy(range[1], sampled);
    if (bracket.first < first_number()) bracket.first = first_number();
    if (bracket.last > last_number()) bracket.last = last_number();
    if (bracket.first > last_number() || !sampled)  // the rank is among NaNs, or the sample has no number
        bracket = {last_number(), last_number(), true};
    return bracket;
}

// ---- The read.

#define LISTS ((RAW*)(memory + BINS / 2))  // entry i of a thread is LISTS[i * THREADS + threadIdx.x]
#define ROW (THREADS * KEY_BYTES)          // bytes between two entries of a list

struct Spill {
    RAW* keys;
    u64 room;
    u64* count;  // may exceed the room
};

// What one thread counts. No comparison with a NaN is true, so `numbers` leaves NaNs out. The macros that
// begin with PTX name a type of the assembler: each count is a comparison, and an addition if it is true.
template <bool TIED>
struct Counted {
    VALUE low, high;
    u32 start, end;  // of the own list: addresses in shared memory
    u32 moved = 0;   // keys that were moved out of it
    u32 below = 0, upto_low = 0, upto = 0, numbers = 0;
    const Spill& spill;

    __device__ __forceinline__ Counted(VALUE low, VALUE high, const Spill& spill)
        : low(low), high(high), spill(spill) {
        start = end = (u32)__cvta_generic_to_shared(LISTS + threadIdx.x);
    }

    __device__ __forceinline__ u32 held() const { return (end - start) / ROW; }

    __device__ __forceinline__ void look(RAW bits, u32) {
        const VALUE value = value_of(bits);
        const Stored stored = bits;
        if (TIED)
            asm volatile(
                "{ .reg .pred p, q;\n"
                "setp.lt." PTX_TYPE " p, %4, %5;\n@p add.u32 %0, %0, 1;\n"
                "setp.le." PTX_TYPE " p, %4, %5;\n@p add.u32 %1, %1, 1;\n"
                "setp.le." PTX_TYPE " p, %4, %6;\n@p add.u32 %2, %2, 1;\n"
                "setp.gt." PTX_TYPE " p, %4, %5;\nsetp.lt.and." PTX_TYPE " q, %4, %6, p;\n"
                "@q st.shared." PTX_BITS " [%3], %7;\n@q add.u32 %3, %3, %8; }"
                : "+r"(below), "+r"(upto_low), "+r"(upto), "+r"(end)
                : PTX_VALUE(value), PTX_VALUE(low), PTX_VALUE(high), PTX_RAW(stored), "n"(ROW)
                : "memory");
        else
            asm volatile(
                "{ .reg .pred p, q;\n"
                "setp.le." PTX_TYPE " p, %2, %4;\n@p add.u32 %0, %0, 1;\n"
                "setp.ge.and." PTX_TYPE " q, %2, %3, p;\n"
                "@q st.shared." PTX_BITS " [%1], %5;\n@q add.u32 %1, %1, %6; }"
                : "+r"(upto), "+r"(end)
                : PTX_VALUE(value), PTX_VALUE(low), PTX_VALUE(high), PTX_RAW(stored), "n"(ROW)
                : "memory");
#if FLOATING
        asm volatile(
            "{ .reg .pred p;\nsetp.num." PTX_TYPE " p, %1, %1;\n@p add.u32 %0, %0, 1; }"
            : "+r"(numbers)
            : PTX_VALUE(value));
#endif
    }

    __device__ __forceinline__ void make_room() {
        if (!__any_sync(FULL, end - start > (CAPACITY - ROOM_LEFT) * ROW)) return;
        spill_lists(LISTS + threadIdx.x, held(), spill.room, spill.count,
                    [&](u64 at, RAW bits) { spill.keys[at] = bits; });
        moved += held(), end = start;
    }
};

// Adds a number of each thread to a total.
__device__ __noinline__ void add_of_block(u32 mine, u64* total) {
    const u64 upto = before_in_block((u64)mine) + mine;
    if (threadIdx.x == THREADS - 1 && upto) add_for_all(total, upto);
    __syncthreads();
}

// All keys. `spilled` are those moved out of the lists, which may be more than there is room for.
struct Totals {
    u64 below, low_equal, inside, high_equal, numbers, spilled, nans, few;
};

// Returns the end of the own list: the entries of this thread times THREADS.
template <bool TIED>
__device__ __forceinline__ u32 read_all(const RAW* keys, u64 n, const Bracket& bracket, const Spill& spill,
                                        Totals* totals) {
    Counted<TIED> counted(value_of(decode(bracket.first)), value_of(decode(bracket.last)), spill);
    look_at_all(keys, n, counted);
    const u32 inside = counted.held() + counted.moved;
    if (!TIED) counted.below = counted.upto_low = counted.upto - inside;
    add_of_block(counted.below, &totals->below);
    add_of_block(inside, &totals->inside);
#if FLOATING
    add_of_block(counted.numbers, &totals->numbers);
#endif
    if (TIED) {
        add_of_block(counted.upto_low - counted.below, &totals->low_equal);
        add_of_block(counted.upto - counted.upto_low - inside, &totals->high_equal);
    }
    return counted.held() * THREADS;
}

// ---- Where codes come from, and the few that blocks leave to the last one.

#ifndef SPILLED_AT_ONCE
#define SPILLED_AT_ONCE 2  // loads in flight of a thread
#endif

// What all blocks have staged.
struct Staged {
    const RAW* spilled;
    u64 count;  // of the spilled keys
    u32 end;    // of the own list
    template <class Body>
    __device__ __forceinline__ void operator()(Body body) const {
        ROLLED for (u32 i = 0; i < end; i += THREADS) body(encode(LISTS[threadIdx.x + i]));
        const u64 thread = (u64)blockIdx.x * THREADS + threadIdx.x, threads = (u64)gridDim.x * THREADS;
        each_fresh<SPILLED_AT_ONCE>(spilled, count, thread, threads, [&](RAW bits) { body(encode(bits)); });
    }
};

// Writes the few keys that are left in the ranges, for the last block: those of this block together, by one addition to
// the number of all, which takes long.
template <class Source>
__device__ __noinline__ void gather(const Range* range, Source source, RAW* few, u64* count) {
    __shared__ u64 start;
    const Range low = range[0], high = range[1];
    const bool wants[2] = {!low.is_one(), !high.is_one()};
    const auto is_wanted = [&](RAW code) { return wants[0] && low.has(code) || wants[1] && high.has(code); };
    u32 mine = 0;
    source([&](RAW code) { mine += is_wanted(code); });
    const u32 before = before_in_block(mine);
    if (threadIdx.x == THREADS - 1) start = before + mine ? atomicAdd(count, (u64)(before + mine)) : 0;
    __syncthreads();
    few += start + before;
    if (mine)
        source([&](RAW code) {
            if (is_wanted(code)) *few++ = decode(code);
        });
}
