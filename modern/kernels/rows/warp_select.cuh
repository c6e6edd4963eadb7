// Selection by one warp, among keys that it holds in registers, ITEMS keys of each lane; or in a row in memory
// (warp_sample.cuh), of which each lane can stage ITEMS keys.
//
// 1. Sample: one key of each lane, the middle one of up to nine; for a rank near an end, the least or the
//    largest one. They are sorted.
// 2. Bracket: the sampled codes around the rank, WIDE standard errors away; or a single code, if many of the sample
//    have it.
// 3. All keys are counted below the bracket, and staged inside: each lane has a list in shared memory. Keys of a
//    single code are only counted.
// 4. A histogram of the staged keys, in equal parts of the bracket. Each bin has room for SLOTS keys, so that those
//    of the rank are found at once, as a rule. If they are more, they are staged again.
// 5. Otherwise the same again among the keys that are left, until a warp can sort them.
//
// Counts prove where the rank is. After a miss, the next bracket is inside the range that is left, from twice as far in
// the sample. Where nearly all staged keys are left, the bracket is of a single code, so that ties are answered by
// counts.
//
// Of a row in memory, more keys may be inside a bracket than the lists have room for: then these are a sample, which
// gives a bracket inside the proved one, and the row is read again.
//
// A warp needs KEY_ROWS * LANES keys of shared memory, the lists and a row for the last keys; and BIN_WORDS words.
// Missing keys are NaNs or the largest integers, which come last.

#include "warp_sample.cuh"

#if ITEMS >= 8  // a warp with fewer keys makes no histogram
#include "warp_bins.cuh"
#define SLOTS 4
#define SLOT_ROWS (SLOTS * WARP_BINS / LANES)
#define BIN_WORDS WARP_BINS
#define LIST_ROWS (ITEMS / 2 + 1)  // lists of up to so many keys leave room for slots
#if ITEMS + 1 > LIST_ROWS + SLOT_ROWS
#define KEY_ROWS (ITEMS + 1)
#else
#define KEY_ROWS (LIST_ROWS + SLOT_ROWS)
#endif
#else
#define BIN_WORDS 0
#define KEY_ROWS (ITEMS + 1)
#endif

#define COUNTED 8  // so few keys are sorted by fewer lanes
#define ROW_BYTES (LANES * KEY_BYTES)

// The code of a rank, and that of the next rank if `has_next`. Otherwise the next rank has the least code
// above `last`.
struct Selected {
    RAW code, next, last;
    bool has_next;
};

struct Search {
    const Held& held;
    RAW* room;
    u32* bins;
    u32 rank;
    u32 start, end;  // the list of this lane: its addresses are ROW_BYTES apart
    Codes known;     // the key of the rank has one of these codes, or is a NaN
    u32 base = 0;    // keys below the staged ones
    u32 here = 0;    // staged keys of all lanes
#if STREAMED
    u32 numbers = 0;  // of the keys of this lane, in the last read of all
#endif

    __device__ __forceinline__ Search(const Held& held, RAW* room, u32* bins, u32 rank)
        : held(held), room(room), bins(bins), rank(rank), start(address_of(room + lane_of())), end(start),
          known{first_number(), last_number()} {}

    __device__ __forceinline__ u32 count() const { return (end - start) / ROW_BYTES; }

    // `single`: of one code, that of a staged key.
    __device__ __forceinline__ Codes bracket_of_list(bool single) const {
        const float share = __fdividef((float)(rank - base) + 0.5f, (float)here);
        const Part part = part_of(share);
        RAW code = (RAW)~(RAW)0;
        if (end != start)
            code = code_of(of_three(part, compared(loaded(start)), compared(loaded(start + count() / 2 * ROW_BYTES)),
                                    compared(loaded(end - ROW_BYTES))));
        const u32 sampled = __popc(__ballot_sync(FULL, end != start));
        code = sorted_in_lanes<LANES>(code);
        const float in_sample = share_of_three(part, share);
        if (!single) return bracket_of(code, sampled, in_sample, WIDE, known);
        const u32 at = lesser((u32)(in_sample * (float)sampled), sampled - 1);
        const RAW one = __shfl_sync(FULL, code, at);
        return {one, one};
    }

    // Calls body(bits) for each entry of this lane.
    template <class Body>
    __device__ __forceinline__ void each_staged(Body body) const {
#pragma unroll 1
        for (u32 entry = start; entry != end; entry += ROW_BYTES) body(loaded(entry));
    }

#if STREAMED
    __device__ __forceinline__ u32 limit() const { return start + ITEMS * ROW_BYTES; }
    __device__ __forceinline__ void begin_read() { numbers = 0; }
    __device__ __forceinline__ void count_number(Compared value) {
        if (FLOATING && ASK != SELECT) add_if(numbers, value == value);
    }
    // Whether the lists had no room for all keys; leaves the entries that they have.
    __device__ __forceinline__ bool is_cut() {
        const bool cut = __any_sync(FULL, end > limit());
        end = lesser(end, limit());
        return cut;
    }
#else
    __device__ __forceinline__ u32 limit() const { return ~0u; }
    __device__ __forceinline__ void begin_read() {}
    __device__ __forceinline__ void count_number(Compared) {}
    __device__ __forceinline__ bool is_cut() { return false; }
#endif

    // Counts the keys below a bracket, and stages those inside; the sums are those of the warp.
    __device__ __forceinline__ void stage(const Codes& tried, bool staged, u32& below, u32& inside) {
        const Compared low = compared_of(tried.first), high = compared_of(tried.last);
        u32 less = 0, behind = start;
        const auto look = [&](RAW bits, bool limited) {
            const Compared value = compared(bits);
            const bool under = value < low;
            add_if(less, under);
            if (!under && value <= high) {
                if (!limited || behind < limit()) store(behind, bits);
                behind += ROW_BYTES;
            }
            if (limited) count_number(value);
        };
        if (staged) {
            each_staged([&](RAW bits) { look(bits, false); });
        } else {
            begin_read();
            each_held(held, [&](RAW bits) { look(bits, STREAMED); });
        }
        end = behind;
        const u32 sums = sum_in_warp(less << 16 | count());
        below = (staged ? base : 0) + (sums >> 16), inside = sums & 0xffff;
    }

    // Counts the keys below a code, and those that have it.
    __device__ __forceinline__ void count_one(RAW code, u32& below, u32& inside) {
        const Compared one = compared_of(code);
        u32 less = 0, upto = 0;
        begin_read();
        each_held(held, [&](RAW bits) {
            const Compared value = compared(bits);
            add_if(less, value < one), add_if(upto, value <= one);
            count_number(value);
        });
        const u32 sums = sum_in_warp(less << 16 | upto);
        below = sums >> 16, inside = (sums & 0xffff) - below;
    }

#ifdef SLOTS
    // Finds the key of the rank in a histogram, if few keys are in its bin; otherwise leaves the staged keys in the
    // bins of the rank and of the next one.
    __device__ __forceinline__ bool find_in_bins(Selected& found) {
        const Spread spread(known);
        if (!spread.is_usable()) return false;
        const u32 counters = address_of(bins) - 4 * Spread::FIRST;
        RAW* slots = room + LIST_ROWS * LANES;
        const u32 begin = kept(address_of(slots) - KEY_BYTES * Spread::FIRST);
        const bool fits = !__any_sync(FULL, end - start > LIST_ROWS * ROW_BYTES);
        const u32 most = fits ? SLOTS : 0;
        ((uint4*)bins)[lane_of()] = {0, 0, 0, 0};
        __syncwarp();
        each_staged([&](RAW bits) {
            const u32 bin = spread.bin(compared(bits)), slot = add_one(counters + 4 * bin);
            if (slot < most) store(begin + KEY_BYTES * (slot * WARP_BINS + bin), bits);
        });
        __syncwarp();
        const uint4 own = ((const uint4*)bins)[lane_of()];
        const u32 before = before_in_warp(own.x + own.y + own.z + own.w), at = rank - base;
        const Bin low = bin_of(at, own, before);
        Bin high{low.number, low.before, low.here};
        const bool apart = at + 1 >= low.before + low.here && at + 1 < here;
        if (apart) high = bin_of(at + 1, own, before);
        if (low.here <= most && high.here <= most) {
            const bool second = lane_of() & SLOTS;
            const u32 slot = lane_of() % SLOTS, bin = second ? high.number : low.number;
            const u32 taken = second ? apart ? high.here : 0 : low.here;
            RAW code = slot < taken ? encode(slots[slot * WARP_BINS + bin]) : (RAW)~(RAW)0;
            code = sorted_in_lanes<2 * SLOTS>(code);
            found = {__shfl_sync(FULL, code, at - low.before), __shfl_sync(FULL, code, at + 1 - low.before),
                     known.last, at + 1 < here};
            return true;
        }
        const u32 wide = high.number - low.number;
        u32 behind = start;
        each_staged([&](RAW bits) {
            const u32 bin = spread.bin(compared(bits)) - Spread::FIRST;
            if (bin - low.number <= wide) store(behind, bits), behind += ROW_BYTES;
        });
        end = behind, base += low.before, here = high.before + high.here - low.before;
        return false;
    }
#else
    __device__ __forceinline__ bool find_in_bins(Selected&) { return false; }
#endif

    // Finds the key of the rank among the staged keys, one for each lane at most, by a sort.
    __device__ __forceinline__ Selected finish() const {
        RAW* row = room + (KEY_ROWS - 1) * LANES;
        u32 place = before_in_warp(count());
        each_staged([&](RAW bits) { row[place++] = bits; });
        __syncwarp();
        RAW code = lane_of() < here ? encode(row[lane_of()]) : (RAW)~(RAW)0;
        __syncwarp();
        const u32 at = rank - base;
        code = here <= COUNTED ? sorted_in_lanes<COUNTED>(code) : sorted_in_lanes<LANES>(code);
        return {__shfl_sync(FULL, code, at), __shfl_sync(FULL, code, (at + 1) % LANES), known.last, at + 1 < here};
    }

    // Finds the key of the rank, below which is a share of the keys.
    __device__ __forceinline__ Selected run(float share) {
        const Sample sample(held, share);
        Selected found{(RAW)~(RAW)0, (RAW)~(RAW)0, 0, true};
        Codes tried = sample.bracket(known);
        float wide = WIDE;
        bool staged = false, listed = false;  // whether the lists hold all keys inside, and gave the bracket
#pragma unroll 1
        for (;;) {
            u32 below, inside;
            if (!staged && tried.is_one()) count_one(tried.first, below, inside);
            else stage(tried, staged, below, inside);
            const bool under = rank < below, over = rank >= below + inside;
            if (under || over) {  // look at all keys of the range that is left
                if (over && tried.last == known.last) break;
                if (under) known.last = (RAW)(tried.first - 1);
                else known.first = (RAW)(tried.last + 1);
                wide *= 2, tried = listed ? known : sample.next_bracket(wide, known), staged = listed = false;
                continue;
            }
            if (tried.is_one()) {
                found = {tried.first, tried.first, tried.last, rank + 1 < below + inside};
                break;
            }
            const bool slow = listed && inside > here / 4 * 3;
            known = tried, base = below, here = inside, listed = true, staged = !is_cut();
            if (staged && here > LANES && find_in_bins(found)) break;
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
__device__ __forceinline__ RAW next_above(const Held& held, RAW last) {
    RAW next = (RAW)~(RAW)0;
    each_held(held, [&](RAW bits) {
        const RAW code = encode(bits);
        if (code > last && code < next) next = code;
    });
#pragma unroll
    for (int step = LANES / 2; step; step >>= 1) {
        const RAW other = __shfl_xor_sync(FULL, next, step);
        next = other < next ? other : next;
    }
    return next;
}
