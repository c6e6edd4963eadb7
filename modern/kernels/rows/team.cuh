// A team: the blocks that share a row, a row of the grid; or one block. What they count together, and how they narrow a
// span of codes to the code of a rank by histograms.
//
// Rows of neighbouring keys, fewer than 2³². Blocks of THREADS, a power of two from 64 to 1,024; dynamic shared memory
// begins with BINS numbers. Teams of several blocks need a cooperative launch, and a Space each, which is 0 before and
// after a launch.

#include "rows.cuh"
#include "sampled_load.cuh"

#ifndef RESIDENT
#define RESIDENT 1024  // threads of a multiprocessor
#endif
#define BINS (4 * THREADS)
#define BITS (THREADS == 1024 ? 12 : THREADS == 512 ? 11 : THREADS == 256 ? 10 : THREADS == 128 ? 9 : 8)  // of a bin
#define SAMPLED (SAMPLES * PER_LOAD)  // keys of each thread in a sample
#define SHARE (SAMPLED * THREADS >= 1 << 14 ? 1024 : 256)  // an end of a bracket has at most 1 in this many, or is one code

extern __shared__ __align__(16) u64 memory[];

struct Space {
    u32 arrived, left, listed, unused;
    u32 totals[3][4096];
};

struct Team {
    Space* space;
    u32 meetings = 0;

    // Adds up numbers in shared memory, at most BINS, over the blocks; all get the sums. Three rows of totals take turns:
    // the one that was read before is cleared when all blocks are past it.
    __device__ __noinline__ void add_up(u32* numbers, u32 count) {
        __syncthreads();
        if (gridDim.x == 1) return;
        u32* totals = space->totals[meetings % 3];
        u32* read = space->totals[(meetings + 2) % 3];
        for (u32 i = threadIdx.x; i < count; i += THREADS)
            if (numbers[i]) atomicAdd(&totals[i], numbers[i]);
        meet(&space->arrived, meetings);
        for (u32 i = threadIdx.x; i < count; i += THREADS) numbers[i] = *(volatile u32*)&totals[i];
        for (u32 i = blockIdx.x * THREADS + threadIdx.x; i < 4096; i += gridDim.x * THREADS) read[i] = 0;
        __syncthreads();
    }

    // The last block to leave clears what is left.
    __device__ __forceinline__ void leave() {
        if (gridDim.x == 1 || !comes_last(&space->left)) return;
        for (u32 i = threadIdx.x; i < sizeof(Space) / sizeof(u32); i += THREADS) ((u32*)space)[i] = 0;
    }
};

// The loads of a row that a block reads: the first and the last one may have keys of others.
struct Part {
    const RAW* base;  // aligned to 16 bytes, `shift` keys before the row
    u64 n, first, end;
    u32 shift;

    __device__ __forceinline__ Part(const RAW* begin, u64 n)
        : base((const RAW*)((u64)begin / 16 * 16)), n(n), shift((u32)((u64)begin % 16) / KEY_BYTES) {
        const u64 all = (shift + n + PER_LOAD - 1) / PER_LOAD;
        first = all * blockIdx.x / gridDim.x, end = all * (blockIdx.x + 1) / gridDim.x;
    }
    __device__ __forceinline__ const RAW* begin() const { return base + shift; }
    __device__ __forceinline__ bool has(u64 i, u32 k) const {
        return i * PER_LOAD + k >= shift && i * PER_LOAD + k < shift + n;
    }
    // Calls body(load, place of its first key, bits of the keys that are the row's), UNROLL whole loads in flight.
    template <class Body>
    __device__ __forceinline__ void each_load(Body body) const {
        const Bits whole = (Bits)~(Bits)0 >> (8 * sizeof(Bits) - PER_LOAD);
        const u64 begin = first ? first : shift ? 1 : 0, last = (shift + n) / PER_LOAD < end ? (shift + n) / PER_LOAD : end;
        u64 i = begin + threadIdx.x;
        for (; i + (UNROLL - 1) * THREADS < last; i += UNROLL * THREADS) {
            Load loaded[UNROLL];
            UNROLLED for (int j = 0; j < UNROLL; ++j) loaded[j] = load(base, i + j * THREADS);
            UNROLLED for (int j = 0; j < UNROLL; ++j) body(loaded[j], (u32)((i + j * THREADS) * PER_LOAD - shift), whole);
        }
        for (; i < last; i += THREADS) body(load(base, i), (u32)(i * PER_LOAD - shift), whole);
        if (threadIdx.x > 1 || (threadIdx.x ? last == end || last < begin : first || !shift)) return;
        Load edge{};
        Bits known = 0;
        i = threadIdx.x ? last : 0;
        for (u32 k = 0; k < PER_LOAD; ++k)
            if (has(i, k)) edge.keys[k] = base[i * PER_LOAD + k], known |= (Bits)1 << k;
        body(edge, (u32)(i * PER_LOAD - shift), known);
    }
    // A source of codes: calls body(code).
    template <class Body>
    __device__ __forceinline__ void operator()(Body body) const {
        each_load([&](const Load& loaded, u32, Bits known) {
            UNROLLED for (int k = 0; k < PER_LOAD; ++k)
                if (known >> k & 1) body(code_of(loaded.keys[k]));
        });
    }
    // Calls put(number, code, place) for the keys that wants(code); `staged` counts them.
    template <class Wants, class Put>
    __device__ __forceinline__ void stage(u32& staged, Wants wants, Put put) const {
        __syncthreads();
        if (!threadIdx.x) staged = 0;
        __syncthreads();
        each_load([&](const Load& loaded, u32 place, Bits known) {
            Bits wanted = 0;
            UNROLLED for (int k = 0; k < PER_LOAD; ++k)
                if (known >> k & 1 && wants(code_of(loaded.keys[k]))) wanted |= (Bits)1 << k;
            if (!wanted) return;
            u32 at = atomicAdd(&staged, (u32)__popcll(wanted));
            UNROLLED for (int k = 0; k < PER_LOAD; ++k)
                if (wanted >> k & 1) put(at++, code_of(loaded.keys[k]), place + k);
        });
        __syncthreads();
    }
};

// A sample of the row, SAMPLES loads of each thread: all blocks of a team take the same. It is read again and again.
struct RowSample {
    const Part& part;
    template <class Body>
    __device__ __forceinline__ void operator()(Body body) const {
#pragma unroll 4
        for (int i = 0; i < SAMPLES; ++i) {
            const u32 own = threadIdx.x + i * THREADS;
            const Load loaded = sampled_load<2, true>(part.begin(), part.n, own, SAMPLES * THREADS);
            UNROLLED for (int k = 0; k < PER_LOAD; ++k) body(code_of(loaded.keys[k]));
        }
    }
};

// Codes in shared memory, `count` of this block: a source.
struct CodeList {
    const Code* codes;
    u32 count;
    template <class Body>
    __device__ __forceinline__ void operator()(Body body) const {
        for (u32 i = threadIdx.x; i < count; i += THREADS) body(codes[i]);
    }
};

// A span of codes: `before` keys of a source are before it, and `here` are in it.
struct Span {
    Code first, last;
    u32 before, here;
    __device__ __forceinline__ bool is_one() const { return first == last; }
    __device__ __forceinline__ bool has(u32 rank) const { return rank >= before && rank - before < here; }
    __device__ __forceinline__ u32 shift() const {
        const u32 wide = 64 - __clzll((u64)(last - first));
        return wide > BITS ? wide - BITS : 0;
    }
};

// Counts the codes of a source in the bins of a span. Runs of one bin are added at once.
template <class Source>
__device__ __forceinline__ void count_bins(const Span& span, const Source& source) {
    u32* bins = (u32*)memory;
    const u32 shift = span.shift();
    ((uint4*)bins)[threadIdx.x] = {0, 0, 0, 0};
    __syncthreads();
    u32 bin = 0, run = 0;
    source([&](Code code) {
        if (code < span.first || code > span.last) return;
        const u32 own = (u32)((code - span.first) >> shift);
        if (own != bin) {
            if (run) atomicAdd(&bins[bin], run);
            bin = own, run = 0;
        }
        ++run;
    });
    if (run) atomicAdd(&bins[bin], run);
    __syncthreads();
}

// The bin of a rank in a span, by all threads.
__device__ __noinline__ Span bin_of(const Span& span, u32 rank) {
    __shared__ Span found;
    const uint4 own = ((const uint4*)memory)[threadIdx.x];
    const u32 counts[4] = {own.x, own.y, own.z, own.w}, sum = own.x + own.y + own.z + own.w;
    u32 before = before_in_block(sum);
    const u32 wanted = rank - span.before, shift = span.shift();
    if (wanted >= before && wanted - before < sum) {
        u32 i = 0;
        for (; i < 3 && wanted - before >= counts[i]; ++i) before += counts[i];
        const Code first = span.first + ((Code)(4 * threadIdx.x + i) << shift), wide = ((Code)1 << shift) - 1;
        found = {first, span.last - first > wide ? first + wide : span.last, span.before + before, counts[i]};
    }
    __syncthreads();
    const Span bin = found;
    __syncthreads();
    return bin;
}

// Narrows the spans of two ranks by histograms of a source, until they are of one code, or have at most so many keys.
// With a team, each of its blocks has a part of the source; otherwise all have the same.
template <class Source>
__device__ __forceinline__ void narrow(Team* team, Span (&spans)[2], const u32 (&ranks)[2], const Source& source, u32 most = 0) {
    const auto is_wide = [&](const Span& span) { return !span.is_one() && span.here > most; };
    while (is_wide(spans[0]) || is_wide(spans[1])) {
        const Span one = is_wide(spans[0]) ? spans[0] : spans[1];
        count_bins(one, source);
        if (team) team->add_up((u32*)memory, BINS);
        const bool both = spans[1].first == one.first && spans[1].last == one.last;
        if (is_wide(spans[0])) spans[0] = bin_of(one, ranks[0]);
        if (both) spans[1] = ranks[1] == ranks[0] ? spans[0] : bin_of(one, ranks[1]);
    }
}

// Narrows the spans of two ranks to their codes, given a list of all keys in them. A block that has the row alone sorts
// the last few.
__device__ __forceinline__ void find_in_list(Team& team, Span (&spans)[2], const u32 (&ranks)[2], const CodeList& list) {
    __shared__ Code few[LANES];
    __shared__ u32 count;
    narrow(&team, spans, ranks, list, gridDim.x == 1 ? LANES : 0);
    ROLLED for (int r = 0; r < 2; ++r) {
        Span& span = spans[r];
        if (span.is_one()) continue;
        if (!threadIdx.x) count = 0;
        __syncthreads();
        list([&](Code code) { if (code >= span.first && code <= span.last) few[atomicAdd(&count, 1u)] = code; });
        __syncthreads();
        const bool here = lane_of() < span.here;
        Code sorted[1] = {here ? few[lane_of()] : (Code)~(Code)0};
        sort_in_lanes<LANES>(sorted);
        const Code found = __shfl_sync(FULL, sorted[0], ranks[r] - span.before);
        const u32 less = __ballot_sync(FULL, sorted[0] < found), same = __ballot_sync(FULL, here && sorted[0] == found);
        span = {found, found, span.before + __popc(less), (u32)__popc(same)};
        __syncthreads();
    }
}

// Narrows a span to the code of a rank by reads of the row. `list`: shared memory for `capacity` codes.
__device__ __noinline__ Span find_in_row(Team& team, const Part& part, const Span& span, u32 rank, Code* list, u32 capacity) {
    __shared__ u32 staged;
    Span spans[2] = {span, span};
    const u32 ranks[2] = {rank, rank};
    narrow(&team, spans, ranks, part, capacity);
    if (spans[0].is_one()) return spans[0];
    part.stage(staged, [&](Code code) { return code >= spans[0].first && code <= spans[0].last; },
               [&](u32 at, Code code, u32) { list[at] = code; });
    find_in_list(team, spans, ranks, CodeList{list, staged});
    return spans[0];
}
