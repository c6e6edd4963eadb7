// Long rows: a block, or a team of blocks, finds the first keys of a row and their places (finder.cuh).
//
// If the counts prove that at least `count` keys are staged, and at most MOST, a bitonic network sorts them. Otherwise,
// and with MANY, histograms find the code of the last rank, and one or two more reads gather the keys before it, and as
// many of its equals as are missing, in the order of their places.
//
// Reads a row once, beside a sample, as a rule. A grid of (blocks of a team, teams); rows of neighbouring keys. MANY: more
// first keys than MOST. They get in the order of their places into `found` and `at`, rows of `count` codes and places, to
// be sorted; where they need no order, they are the answers. BY, HIGHEST, NEAR: see rows.cuh. Shared memory: 16 bytes for
// each thread, and MOST codes and places of 32 bits. `found` and `at` have MOST places for each team that is no block.

#define FIRSTS 1
#include "keys.cuh"
#include "finder.cuh"

// Codes with places: from the end of the row if HIGHEST.
struct Entries {
    Code* codes;
    u32* places;
    __device__ __forceinline__ void put(u64 at, Code code, u32 place) const { codes[at] = code, places[at] = place; }
};
#define FROM_END(place, n) (HIGHEST ? (u32)(n) - 1 - (place) : (place))

// Which equals of the last code are taken: `count` of them, from number `first` on.
struct Equals {
    u32 first, count;
    __device__ __forceinline__ bool has(u32 number) const { return number - first < count; }
    __device__ __forceinline__ u32 taken_before(u32 number) const {
        return number < first ? 0 : lesser(number - first, count);
    }
};

// Calls put(number, code, place) for the first keys, in the order of their places, numbered from 0 on: those before the
// code of a span, and some of its equals.
template <class Put>
__device__ __forceinline__ void gather(Team& team, const Part& part, const Span& pivot, u32 count, Put put) {
    u32* numbers = (u32*)memory;  // of each block: keys before the code, and its equals
    const u32 missing = count - pivot.before;
    const Equals equals = {HIGHEST ? pivot.here - missing : 0, missing};
    u32 passed = 0, equal = 0;  // keys of both kinds so far
    if (gridDim.x > 1) {
        for (u32 i = threadIdx.x; i < 2 * gridDim.x; i += THREADS) numbers[i] = 0;
        __syncthreads();
        u32 less = 0, same = 0;
        part([&](Code code) { add_if(less, code < pivot.first), add_if(same, code == pivot.first); });
        add_to(&numbers[2 * blockIdx.x], less), add_to(&numbers[2 * blockIdx.x + 1], same);
        team.add_up(numbers, 2 * gridDim.x);
        for (u32 i = 0; i < blockIdx.x; ++i) passed += numbers[2 * i], equal += numbers[2 * i + 1];
    }
    __shared__ u32 sums;
    for (u64 start = part.first; start < part.end; start += THREADS) {
        const u64 i = start + threadIdx.x;
        Bits less = 0, same = 0;
        if (i < part.end) {
            const bool whole = part.has(i, 0) && part.has(i, PER_LOAD - 1);
            Load loaded{};
            if (whole) loaded = load(part.base, i);
            UNROLLED for (u32 k = 0; k < PER_LOAD; ++k) {
                if (!whole && !part.has(i, k)) continue;
                const Code code = code_of(whole ? loaded.keys[k] : part.base[i * PER_LOAD + k]);
                if (code < pivot.first) less |= (Bits)1 << k;
                if (code == pivot.first) same |= (Bits)1 << k;
            }
        }
        const u32 mine = (u32)__popcll(less) << 16 | (u32)__popcll(same);
        if (!__syncthreads_or(mine != 0)) continue;
        const u32 before = before_in_block(mine);
        if (threadIdx.x == THREADS - 1) sums = before + mine;
        u32 at = passed + (before >> 16), number = equal + (before & 0xffff);
        for (Bits left = less | same; left; left &= left - 1) {
            const u32 k = (u32)__ffsll((long long)left) - 1, place = (u32)(i * PER_LOAD + k - part.shift);
            if (less >> k & 1) put(at++ + equals.taken_before(number), code_of(part.base[i * PER_LOAD + k]), place);
            else if (equals.has(number++)) put(at + number - 1 - equals.first, pivot.first, place);
        }
        __syncthreads();
        passed += sums >> 16, equal += sums & 0xffff;
        __syncthreads();
    }
}

// Changes chunks of entries, each by a warp in its registers: body(entries of a lane). Where `down` has the bit of their
// places, they are inverted meanwhile, so that they get to descend.
#define OF_LANE 4
#define CHUNK (OF_LANE * LANES)
template <class Body>
__device__ __forceinline__ void change_by_warps(const Entries& entries, u32 size, u32 down, Body body) {
    ROLLED for (u32 start = OF_LANE * threadIdx.x; start < size; start += OF_LANE * THREADS) {
        const int all = start & down ? -1 : 0;
        Entry held[OF_LANE];
        UNROLLED for (u32 i = 0; i < OF_LANE; ++i)
            held[i] = invert(entry_of(entries.codes[start + i], entries.places[start + i]), all);
        body(held);
        UNROLLED for (u32 i = 0; i < OF_LANE; ++i) {
            const Entry entry = invert(held[i], all);
            entries.put(start + i, code_in(entry), place_of(entry));
        }
    }
    __syncthreads();
}

// Sorts `held` entries in shared memory by a bitonic network.
__device__ __forceinline__ void sort_entries(const Entries& entries, u32 held) {
    u32 size = CHUNK;
    while (size < held) size *= 2;
    for (u32 i = held + threadIdx.x; i < size; i += THREADS) entries.put(i, code_in(no_entry()), ~0u);
    __syncthreads();
    change_by_warps(entries, size, size > CHUNK ? CHUNK : 0, [](Entry(&some)[OF_LANE]) { sort_in_lanes<LANES>(some); });
    ROLLED for (u32 block = 2 * CHUNK; block <= size; block *= 2) {
        ROLLED for (u32 step = block / 2; step >= CHUNK; step /= 2) {
            ROLLED for (u32 i = threadIdx.x; i < size / 2; i += THREADS) {
                const u32 low = 2 * i - (i & (step - 1)), high = low + step;
                const Entry one = entry_of(entries.codes[low], entries.places[low]);
                const Entry other = entry_of(entries.codes[high], entries.places[high]);
                if (other < one == !(low & block)) {
                    entries.put(low, code_in(other), place_of(other));
                    entries.put(high, code_in(one), place_of(one));
                }
            }
            __syncthreads();
        }
        change_by_warps(entries, size, block, [](Entry(&some)[OF_LANE]) { merge_in_lanes(some, LANES, lane_of()); });
    }
}

struct Arguments : FirstRows {
    Code* found;
    u32* at;
};

extern "C" __global__ void __launch_bounds__(THREADS, RESIDENT / THREADS)
    firsts_by_team(const __grid_constant__ Arguments rows) {
    __shared__ Tally tally;
    __shared__ u32 staged, begin;
    const u32 n = (u32)rows.length, asked = (u32)rows.wanted;
    Team team{rows.spaces + blockIdx.y};
    const Entries entries{LIST, (u32*)(LIST + MOST)};
    const Entries shared{rows.found + (u64)blockIdx.y * MOST, rows.at + (u64)blockIdx.y * MOST};  // where all blocks can read
    ROLLED for (u64 row = blockIdx.y; row < rows.count; row += gridDim.y) {
        const Part part(rows.begin_of(row), rows.length);
        __syncthreads();
        Span pivot{0, CODE_LAST, 0, n};
#if MANY
        pivot = find_in_row(team, part, pivot, asked - 1, LIST, MOST);
        gather(team, part, pivot, asked, [&](u32 i, Code code, u32 place) {
            if (!IN_ORDER) return rows.write(row, i, code, FROM_END(place, n));
            const u64 to = row * rows.wanted + (HIGHEST ? asked - 1 - i : i);
            ((RAW*)rows.found)[to] = (RAW)code, rows.at[to] = place;
        });
#else
        Finder finder{team, part, tally, MOST, staged};
        const u64 ranks[2] = {asked, asked};
        finder.bracket = bracket_of(RowSample{part}, ranks, n, SAMPLED * THREADS);
        finder.count([&](u32 to, Code code, u32 place) { if (to < MOST) entries.put(to, code, FROM_END(place, n)); }, [&] {
            if (gridDim.x == 1 || staged > MOST) return;
            if (!threadIdx.x) begin = atomicAdd(&team.space->listed, staged);
            __syncthreads();
            for (u32 i = threadIdx.x; i < staged && begin + i < MOST; i += THREADS)
                shared.put(begin + i, entries.codes[i], entries.places[i]);
        });
        u32 held = tally.inside;  // entries that the first block has to sort
        const bool proved = held >= asked && held <= MOST && !tally.overflows;
        if (!proved) {
            bool listed;
            pivot = find_in_row(team, part, finder.span_of(asked - 1, listed), asked - 1, LIST, MOST);
            const Entries& to = gridDim.x > 1 ? shared : entries;
            gather(team, part, pivot, asked, [&](u32 i, Code code, u32 place) { to.put(i, code, FROM_END(place, n)); });
            __threadfence();
            team.add_up(&staged, 0);
            held = asked;
        }
        if (blockIdx.x) continue;
        if (gridDim.x > 1)
            for (u32 i = threadIdx.x; i < held; i += THREADS)
                entries.put(i, ((volatile Code*)shared.codes)[i], ((volatile u32*)shared.places)[i]);
        __syncthreads();
        if (IN_ORDER || held > asked) sort_entries(entries, held);
        for (u32 i = threadIdx.x; i < asked; i += THREADS)
            rows.write(row, i, entries.codes[i], entries.places[i]);
        __syncthreads();
#endif
    }
    team.leave();
}
