// Cells that few different keys fill, as in rounded data. All their keys would not fit into the room, and need not be
// staged: two keys that the sample often shows in a cell are its favourites. They are counted, and so are the keys
// below, between and above them; only these are staged. A rank at a favourite is answered by the counts.
//
// (`favourites` in shadersort/selection/primitives/favourites.py chooses the same keys.)

#include "starts.cuh"
#include "totals.cuh"
#include "votes.cuh"

#define COUNTED 4u  // counters of a part: below the first favourite, equal to it, between both, equal to the second

#define FLAGS ((u32*)BEHIND)

// 32 cells: a flag of each, and the number of flags before them.
struct __align__(8) Marks {
    u32 flags, before;
};

struct __align__(2 * KEY_BYTES) Favourites {
    RAW low, high;

    // Where a code is among them: at one of them if this is odd.
    __device__ __forceinline__ u32 place_of(RAW code) const {
        return (code >= low) + (code > low) + (code >= high) + (code > high);
    }
};

// What a block has behind its tables: the marks of all cells, and of each part two favourites and the counters. Lists
// of keys have what is left.
struct Crowd {
    u32 parts;
    Marks* marks;
    Favourites* favourites;
    u32* counts;
    RAW* lists;

    __device__ __forceinline__ explicit Crowd(u32 parts) : parts(parts) {
        marks = (Marks*)BEHIND, favourites = (Favourites*)(marks + CELLS / 32);
        counts = (u32*)(favourites + parts), lists = (RAW*)(counts + COUNTED * parts);
    }

    __device__ __forceinline__ bool has(u32 cell) const { return marks[cell / 32].flags >> cell % 32 & 1; }

    // The part of a cell; 0 if it has none.
    __device__ __forceinline__ u32 part_of(u32 cell) const {
        const Marks here = marks[cell / 32];
        const u32 bit = 1u << cell % 32;
        return here.flags & bit ? here.before + __popc(here.flags & (bit - 1)) : 0;
    }

    // The counter of the votes for a code's hash, or NONE.
    __device__ __forceinline__ u32 counter_of(const Lookup& cell_of, RAW code) const {
        const u32 cell = cell_of(code);
        return has(cell) ? VOTES * part_of(cell) + vote_of(code) : NONE;
    }
};

// Marks the fullest counter of a part by 1, the next one by 2, and all others by 0.
__device__ __forceinline__ void mark(u32* votes) {
    const Election found(votes);
    for (u32 i = 0; i < VOTES; ++i) votes[i] = 0;
    if (found.first >= VOTES) votes[found.first % VOTES] = 1;
    if (found.second >= VOTES) votes[found.second % VOTES] = 2;
}

// Chooses the favourites of all parts. Codes vote for their hashes. One code of each of the two fullest hashes is
// chosen, by its place in the sample with the bits reversed: as if drawn, so most likely the most frequent one.
__device__ __forceinline__ void choose_favourites(const Crowd& crowd, const Lookup& cell_of, const RAW* sample) {
    u32* votes = crowd.counts;
    const auto picked = [&](u32 i) { return (u32*)((RAW*)crowd.favourites + i); };
    for (u32 i = threadIdx.x; i < VOTES * crowd.parts; i += THREADS) votes[i] = 0;
    for (u32 i = threadIdx.x; i < 2 * crowd.parts; i += THREADS) *picked(i) = 0;
    __syncthreads();
    for (u32 i = threadIdx.x; i < SAMPLED; i += THREADS) {
        const u32 vote = crowd.counter_of(cell_of, sample[i]);
        if (vote != NONE) atomicAdd(&votes[vote], 1u);
    }
    __syncthreads();
    for (u32 part = threadIdx.x; part < crowd.parts; part += THREADS) mark(votes + VOTES * part);
    __syncthreads();
    for (u32 i = threadIdx.x; i < SAMPLED; i += THREADS) {
        const u32 vote = crowd.counter_of(cell_of, sample[i]);
        if (vote != NONE && votes[vote])
            atomicMax(picked(2 * (vote / VOTES) + votes[vote] - 1), __brev(i + 1));
    }
    __syncthreads();
    const RAW most = (RAW)~(RAW)0;
    for (u32 part = threadIdx.x; part < crowd.parts; part += THREADS) {
        const u32 first = *picked(2 * part), second = *picked(2 * part + 1);
        const RAW one = first ? sample[__brev(first) - 1] : (RAW)0;
        const RAW other = second ? sample[__brev(second) - 1] : one == most ? (RAW)0 : most;  // any other code
        crowd.favourites[part] = one < other ? Favourites{one, other} : Favourites{other, one};
    }
    __syncthreads();
    for (u32 i = threadIdx.x; i < COUNTED * crowd.parts; i += THREADS) crowd.counts[i] = 0;
    __syncthreads();
}

// What the last block knows when all keys are counted: the rows of numbers of cells_counted.cu.
struct Ranks {
    u64 *table, *result;
    u32 asked;
};

// Answers the rank if its key is a favourite. Any other rank gets a row of the table as if its cell had no
// favourites; or, if not all keys could be staged, as if its cell had only the codes between two of them.
__device__ __forceinline__ void settle_rank(const Crowd& crowd, const u64* totals, const Ranks& ranks, u32 i,
                                            bool fits) {
    u64 *row = ranks.table + i, *answer = ranks.result + i;
    const u32 asked = ranks.asked;
    if (!row[3 * asked]) return;
    const u32 part = (u32)row[3 * asked] - 1;
    const u64 start = row[asked], size = row[2 * asked], wanted = row[4 * asked] - start;
    const RAW* favourites = &crowd.favourites[part].low;  // and behind it the high one
    u64 here[COUNTED + 1], rest = size;
#pragma unroll
    for (u32 j = 0; j < COUNTED; ++j) here[j] = fresh(&totals[COUNTED * part + j]), rest -= here[j];
    here[COUNTED] = rest;
    u64 before = 0;
    u32 place = 0;
#pragma unroll
    for (u32 j = 0; j < COUNTED; ++j)
        if (place == j && wanted >= before + here[j]) before += here[j], ++place;
    const u64 at_first = here[1], at_second = here[3];
    u64 found = rest;
#pragma unroll
    for (u32 j = 0; j < COUNTED; ++j)
        if (place == j) found = here[j];
    if (place % 2) {
        answer[0] = decode(favourites[place / 2]), answer[asked] = start + before, answer[2 * asked] = found;
        row[3 * asked] = 0;
    } else if (fits) {
        row[asked] = start + (place ? at_first : 0) + (place > 2 ? at_second : 0);
        row[2 * asked] = size - at_first - at_second;
    } else {
        row[asked] = start + before, row[2 * asked] = found;
        const u64 first = place ? favourites[place / 2 - 1] + (u64)1 : 0;
        const u64 last = place < COUNTED ? favourites[place / 2] - (u64)1 : ~0ull;
        if (first > row[5 * asked]) row[5 * asked] = first;  // a favourite may be any code if there is no second one
        if (last < row[6 * asked]) row[6 * asked] = last;
    }
}

// The last block settles all ranks, and writes where the parts begin without the favourites. `ends` has where they
// begin with them, and where the last one ends.
__device__ __forceinline__ void settle(const Crowd& crowd, u64* totals, const Ranks& ranks, u64* ends, bool fits) {
    u64* starts = (u64*)crowd.lists;
    for (u32 i = threadIdx.x; i < ranks.asked; i += THREADS) settle_rank(crowd, totals, ranks, i, fits);
    scan(crowd.parts, starts, [&](u32 i) {
        const u64* here = totals + COUNTED * i;
        return ends[i + 1] - ends[i] - fresh(&here[1]) - fresh(&here[3]);
    });
    for (u32 i = threadIdx.x; i < crowd.parts; i += THREADS) ends[i] = starts[i];
    for (u32 i = threadIdx.x; i < COUNTED * crowd.parts; i += THREADS) totals[i] = 0;
}
