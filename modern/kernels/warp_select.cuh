// Selection by one warp, among keys that it holds in registers: ITEMS keys of each lane.
//
// 1. Sample: one key of each lane, the middle one of up to nine; for a rank near an end, the least or the
//    largest one. They are sorted.
// 2. Bracket: the sampled codes around the rank, WIDE standard errors away.
// 3. All keys are counted below the bracket, and staged inside: each lane has a list in shared memory.
// 4. A histogram of the staged keys, in equal parts of the bracket, leaves a few of them as a rule.
// 5. Otherwise the same again among the keys that are left, until a warp can sort them.
//
// Counts prove where the rank is. After a miss, the keys of the proven range are staged again from the
// registers. Where many sampled keys are equal, or nearly all keys are left, the bracket is of a single code, so
// that ties are answered by counts.
//
// A warp needs (ITEMS + 1) * LANES keys of shared memory, the lists and a row for the last keys; and BIN_WORDS
// words. Missing keys are NaNs or the largest integers, which come last.

#include "scan.cuh"
#include "compared.cuh"

#ifndef WIDE
#define WIDE 2.0f
#endif

#if ITEMS >= 16
#define PICKED 9
#elif ITEMS >= 4
#define PICKED 3
#else
#define PICKED 1
#endif

#if ITEMS >= 8
#define WARP_BINS (4 * LANES)
#define BIN_WORDS WARP_BINS
#else
#define BIN_WORDS 0  // a warp with few keys makes no histogram
#endif

#define COUNTED 8  // so few keys are compared with each other

#define TIED 8  // so many equal keys of a sample are one code of many keys

// A range of codes, with its ends.
struct Codes {
    RAW first, last;
    __device__ __forceinline__ bool is_one() const { return first == last; }
};

// The code of a rank, and that of the next rank if `has_next`. Otherwise the next rank has the least code
// above `last`.
struct Selected {
    RAW code, next, last;
    bool has_next;
};

__device__ __forceinline__ u32 lane_of() { return threadIdx.x % LANES; }

__device__ __forceinline__ u32 sum_in_warp(u32 mine) {
#if __CUDA_ARCH__ >= 800
    return __reduce_add_sync(FULL, mine);
#else
#pragma unroll
    for (int step = LANES / 2; step; step >>= 1) mine += __shfl_xor_sync(FULL, mine, step);
    return mine;
#endif
}

// The number that all lanes have. The compiler knows then that they have the same, and that they branch together.
__device__ __forceinline__ u32 of_warp(u32 same) {
#if __CUDA_ARCH__ >= 800
    return __reduce_max_sync(FULL, same);
#else
    return same;
#endif
}

// Adds one where a condition is true, by one instruction. (The compiler adds always, and then chooses.)
__device__ __forceinline__ void add_if(u32& sum, bool condition) {
    asm("{.reg .pred wanted;\n\t"
        "setp.ne.u32 wanted, %1, 0;\n\t"
        "@wanted add.u32 %0, %0, 1;}" : "+r"(sum) : "r"((u32)condition));
}

// An address of shared memory in 32 bits, which a lane moves by an addition, and a store to it.
__device__ __forceinline__ u32 address_of(const RAW* shared) { return (u32)__cvta_generic_to_shared(shared); }
__device__ __forceinline__ void store(u32 address, RAW bits) {
#if KEY_BYTES == 1
    asm volatile("st.shared.u8 [%0], %1;" : : "r"(address), "r"((u32)bits) : "memory");
#elif KEY_BYTES == 2
    asm volatile("st.shared.u16 [%0], %1;" : : "r"(address), "h"(bits) : "memory");
#elif KEY_BYTES == 4
    asm volatile("st.shared.u32 [%0], %1;" : : "r"(address), "r"(bits) : "memory");
#else
    asm volatile("st.shared.u64 [%0], %1;" : : "r"(address), "l"(bits) : "memory");
#endif
}

// The codes of COUNT neighbouring lanes in order, by a bitonic network. Where a block of it goes down, the codes
// are inverted meanwhile, so that only a lane's own number decides between the lesser and the greater one.
template <int COUNT>
__device__ __forceinline__ RAW sorted_in_lanes(RAW code) {
#pragma unroll
    for (u32 block = 2; block <= COUNT; block *= 2) {
        const RAW inverted = block < COUNT && (lane_of() & block) ? (RAW)~(RAW)0 : (RAW)0;
        code ^= inverted;
#pragma unroll
        for (u32 step = block / 2; step; step /= 2) {
            const RAW other = __shfl_xor_sync(FULL, code, step);
            const RAW least = other < code ? other : code, most = other < code ? code : other;
            code = lane_of() & step ? most : least;
        }
        code ^= inverted;
    }
    return code;
}

template <class Number>
__device__ __forceinline__ Number lesser(Number a, Number b) { return b < a ? b : a; }
template <class Number>
__device__ __forceinline__ Number greater(Number a, Number b) { return a < b ? b : a; }
__device__ __forceinline__ float lesser(float a, float b) { return fminf(a, b); }
__device__ __forceinline__ float greater(float a, float b) { return fmaxf(a, b); }

// Where a rank is among the keys: near the low end, in the middle, or near the high end.
enum Part { LOW, MIDDLE, HIGH };
__device__ __forceinline__ Part part_of(float share) {
    return share < 0.2f ? LOW : share > 0.8f ? HIGH : MIDDLE;
}

// The least, the middle or the largest of three keys.
template <class Number>
__device__ __forceinline__ Number of_three(Part part, Number a, Number b, Number c) {
    const Number low = lesser(a, b), high = greater(a, b);
    if (part == LOW) return lesser(low, c);
    if (part == HIGH) return greater(high, c);
    return greater(low, lesser(high, c));
}

// The share of such keys that are below a key, given the share of all keys: of one of three keys.
__device__ __forceinline__ float share_of_three(Part part, float share) {
    if (part == HIGH) return share * share * share;
    if (part == MIDDLE) return share * share * (3 - 2 * share);
    return 1 - (1 - share) * (1 - share) * (1 - share);
}

// A key of this lane. Odd and even lanes pick other places, for the sake of rows that are in order.
__device__ __forceinline__ Compared picked(const RAW (&held)[ITEMS], int pick) {
    const int even = pick * ITEMS / 9;
    return compared(lane_of() & 1 ? held[ITEMS - 1 - even] : held[even]);
}

__device__ __forceinline__ Compared picked_of_registers(const RAW (&held)[ITEMS], Part part) {
#if PICKED == 9
    return of_three(part, of_three(part, picked(held, 0), picked(held, 3), picked(held, 6)),
                    of_three(part, picked(held, 1), picked(held, 4), picked(held, 7)),
                    of_three(part, picked(held, 2), picked(held, 5), picked(held, 8)));
#elif PICKED == 3
    return of_three(part, compared(held[0]), compared(held[ITEMS / 2]), compared(held[ITEMS - 1]));
#else
    return compared(held[0]);
#endif
}

__device__ __forceinline__ float share_in_registers(Part part, float share) {
#if PICKED == 9
    return share_of_three(part, share_of_three(part, share));
#elif PICKED == 3
    return share_of_three(part, share);
#else
    return share;
#endif
}

// The codes around a share of a sorted sample, inside a known range. Lanes from `sampled` on have none.
__device__ __forceinline__ Codes bracket_of(RAW sorted, u32 sampled, float share, const Codes& known) {
    const float middle = share * (float)sampled;
    const float spread = greater(middle * (1 - share), 1e-6f), off = WIDE * spread * rsqrtf(spread);
    const int low = (int)floorf(middle - off), high = (int)floorf(middle + off);
    Codes found = known;
    const RAW first = __shfl_sync(FULL, sorted, low < 0 ? 0 : low);
    const RAW last = __shfl_sync(FULL, sorted, high < LANES ? high : LANES - 1);
    if (low >= 0 && low < (int)sampled) found.first = lesser(greater(first, known.first), known.last);
    if (high < (int)sampled) found.last = lesser(greater(last, found.first), known.last);
    return found;
}

#ifdef WARP_BINS
// The bins of keys in a range of codes: equal parts of it, for floats in their values.
struct Spread {
    Compared low;
#if FLOATING
    float scale;
    __device__ __forceinline__ Spread(const Codes& known) : low(compared_of(known.first)) {
        const float wide = (float)(compared_of(known.last) - low);
        scale = wide > 1e-35f && wide < 1e35f ? __fdividef(WARP_BINS - 1, wide) : 0;
    }
    __device__ __forceinline__ bool is_usable() const { return scale > 0; }
    // Adding 2²³ rounds to a whole number, in the lowest bits.
    __device__ __forceinline__ u32 bin(Compared value) const {
        return __float_as_uint(fmaf((float)(value - low), scale, 8388608.0f)) - 0x4b000000;
    }
#else
    u32 shift;
    __device__ __forceinline__ Spread(const Codes& known) : low(compared_of(known.first)) {
        const u32 wide = 64 - __clzll((u64)(RAW)(known.last - known.first)), bits = 31 - __clz(WARP_BINS);
        shift = wide > bits ? wide - bits : 0;
    }
    __device__ __forceinline__ bool is_usable() const { return true; }
    __device__ __forceinline__ u32 bin(Compared value) const {
        return (u32)((RAW)((RAW)value - (RAW)low) >> shift);
    }
#endif
};

// A bin, and how many keys are before it and up to its end.
struct Bin {
    u32 number, before, upto;
};
#endif

struct Search {
    const RAW (&held)[ITEMS];
    RAW* list;      // entry i of this lane is list[i * LANES], and a row of all lanes comes behind
    u32* bins;
    u32 rank;
    Codes known;    // the key of the rank has one of these codes, or is a NaN
    u32 count = 0;  // entries of this lane
    u32 base = 0;   // keys below the staged ones
    u32 here = 0;   // staged keys of all lanes

    __device__ __forceinline__ Search(const RAW (&held)[ITEMS], RAW* list, u32* bins, u32 rank)
        : held(held), list(list), bins(bins), rank(rank), known{first_number(), last_number()} {}

    __device__ __forceinline__ Codes bracket_of_registers(u32 total) const {
        const float share = __fdividef((float)rank + 0.5f, (float)total);
        const Part part = part_of(share);
        const RAW code = sorted_in_lanes<LANES>(code_of(picked_of_registers(held, part)));
        const float in_sample = share_in_registers(part, share);
        const RAW one = __shfl_sync(FULL, code, lesser((int)(in_sample * LANES), LANES - 1));
        if (one <= known.last && __popc(__ballot_sync(FULL, code == one)) >= TIED) return {one, one};
        return bracket_of(code, LANES, in_sample, known);
    }

    // `single`: of one code, that of a staged key.
    __device__ __forceinline__ Codes bracket_of_list(bool single) const {
        const float share = __fdividef((float)(rank - base) + 0.5f, (float)here);
        const Part part = part_of(share);
        RAW code = (RAW)~(RAW)0;
        if (count)
            code = code_of(of_three(part, compared(list[0]), compared(list[count / 2 * LANES]),
                                         compared(list[(count - 1) * LANES])));
        const u32 sampled = __popc(__ballot_sync(FULL, count > 0));
        code = sorted_in_lanes<LANES>(code);
        const float in_sample = share_of_three(part, share);
        if (!single) return bracket_of(code, sampled, in_sample, known);
        const u32 at = lesser((u32)(in_sample * (float)sampled), sampled - 1);
        const RAW one = __shfl_sync(FULL, code, at);
        return {one, one};
    }

    // Calls body(bits) for each entry of this lane.
    template <class Body>
    __device__ __forceinline__ void each_staged(Body body) const {
        const RAW* const end = list + count * LANES;
#pragma unroll 1
        for (const RAW* entry = list; entry != end; entry += LANES) body(*entry);
    }

    // Counts the keys below a bracket, and stages those inside; the sums are those of the warp.
    __device__ __forceinline__ void stage(const Codes& tried, bool staged, u32& below, u32& inside) {
        const Compared low = compared_of(tried.first), high = compared_of(tried.last);
        const u32 start = address_of(list);
        u32 less = 0, end = start;
        const auto look = [&](RAW bits) {
            const Compared value = compared(bits);
            const bool under = value < low;
            add_if(less, under);
            if (!under && value <= high) store(end, bits), end += LANES * KEY_BYTES;
        };
        if (staged) {
            each_staged(look);
        } else {
#pragma unroll
            for (int i = 0; i < ITEMS; ++i) look(held[i]);
        }
        count = (end - start) / (LANES * KEY_BYTES);
        const u32 sums = sum_in_warp(less << 16 | count);
        below = (staged ? base : 0) + (sums >> 16), inside = sums & 0xffff;
    }

#ifdef WARP_BINS
    // The bin of a rank of the staged keys, among counters, of which each lane has four.
    __device__ __forceinline__ Bin bin_of(u32 at, const uint4& own, u32 before) const {
        const u32 first = before + own.x, second = first + own.y, third = second + own.z, upto = third + own.w;
        const u32 passed = (at >= first) + (at >= second) + (at >= third);
        const u32 start = at < first ? before : at < second ? first : at < third ? second : third;
        const u32 end = at < first ? first : at < second ? second : at < third ? third : upto;
        const u32 mine = 4 * lane_of() + passed | start << 8 | end << 20;  // of at most 1,024 keys
        const u32 packed = __shfl_sync(FULL, mine, __ffs(__ballot_sync(FULL, at >= before && at < upto)) - 1);
        return {packed & 0xff, packed >> 8 & 0xfff, packed >> 20};
    }

    // Leaves the staged keys in the bins of the rank and of the next one.
    __device__ __forceinline__ void narrow_by_bins() {
        const Spread spread(known);
        if (!spread.is_usable()) return;
        ((uint4*)bins)[lane_of()] = {0, 0, 0, 0};
        __syncwarp();
        each_staged([&](RAW bits) { atomicAdd(&bins[spread.bin(compared(bits))], 1); });
        __syncwarp();
        const uint4 own = ((const uint4*)bins)[lane_of()];
        const u32 before = before_in_warp(own.x + own.y + own.z + own.w), at = rank - base;
        const Bin low = bin_of(at, own, before), high = at + 1 < here ? bin_of(at + 1, own, before) : low;
        const u32 start = address_of(list), wide = high.number - low.number;
        u32 end = start;
        each_staged([&](RAW bits) {
            if (spread.bin(compared(bits)) - low.number <= wide) store(end, bits), end += LANES * KEY_BYTES;
        });
        count = (end - start) / (LANES * KEY_BYTES), base += low.before, here = high.upto - low.before;
    }
#else
    __device__ __forceinline__ void narrow_by_bins() {}
#endif

    // Finds the key of the rank among the staged keys, one for each lane at most: by a sort, or if there are few, by
    // counting the keys before each.
    __device__ __forceinline__ Selected finish() const {
        RAW* row = list - lane_of() + ITEMS * LANES;
        u32 place = before_in_warp(count);
        each_staged([&](RAW bits) { row[place++] = bits; });
        __syncwarp();
        RAW code = lane_of() < here ? encode(row[lane_of()]) : (RAW)~(RAW)0;
        __syncwarp();
        const u32 at = rank - base;
        u32 first = at, second = at + 1;  // lanes
        if (here <= COUNTED) {
            u32 before = 0;
#pragma unroll 1
            for (u32 i = 0; i < here; ++i) {
                const RAW other = __shfl_sync(FULL, code, i);
                add_if(before, other < code || other == code && i < lane_of());
            }
            first = __ffs(__ballot_sync(FULL, before == at)) - 1;
            second = __ffs(__ballot_sync(FULL, before == at + 1)) - 1;
        } else {
            code = sorted_in_lanes<LANES>(code);
        }
        const RAW found = __shfl_sync(FULL, code, first), next = __shfl_sync(FULL, code, second % LANES);
        return {found, next, known.last, at + 1 < here};
    }

    // Finds the key of the rank, among `total` keys.
    __device__ __forceinline__ Selected run(u32 total) {
        Selected found{(RAW)~(RAW)0, (RAW)~(RAW)0, 0, true};
        Codes tried = bracket_of_registers(total);
        bool staged = false;
#pragma unroll 1
        for (;;) {
            u32 below, inside;
            stage(tried, staged, below, inside);
            const bool under = rank < below, over = rank >= below + inside;
            if (under || over) {  // stage all keys of the range that is left, from the registers
                if (over && tried.last == known.last) break;
                if (under) known.last = (RAW)(tried.first - 1);
                else known.first = (RAW)(tried.last + 1);
                tried = known, staged = false;
                continue;
            }
            const bool slow = staged && inside > here / 4 * 3;
            known = tried, base = below, here = inside, staged = true;
            if (known.is_one()) {
                found = {known.first, known.first, known.last, rank + 1 < below + inside};
                break;
            }
            if (here > LANES) narrow_by_bins();
            if (here <= LANES) {
                found = finish();
                break;
            }
            tried = bracket_of_list(slow);
        }
        return found;
    }
};

// The least code above another one.
__device__ __forceinline__ RAW next_above(const RAW (&held)[ITEMS], RAW last) {
    RAW next = (RAW)~(RAW)0;
#pragma unroll
    for (int i = 0; i < ITEMS; ++i) {
        const RAW code = encode(held[i]);
        if (code > last && code < next) next = code;
    }
#pragma unroll
    for (int step = LANES / 2; step; step >>= 1) {
        const RAW other = __shfl_xor_sync(FULL, next, step);
        next = other < next ? other : next;
    }
    return next;
}
