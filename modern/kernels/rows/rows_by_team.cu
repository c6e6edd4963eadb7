// Long rows: a block, or a team of blocks, answers ranks or medians of a row (team.cuh).
//
// 1. Sample: each thread takes SAMPLES loads of 16 bytes at hashed places of the row.
// 2. Bracket: the codes around the sample's rank, `wide` standard errors away, by histograms.
// 3. One read: counts the codes below the bracket, and stages those inside in shared memory. If many of the sample equal
//    an end of the bracket, such codes are counted, not staged.
// 4. Counts prove where the rank is. Where it is among the staged codes, histograms of these narrow it down; otherwise
//    histograms of the row do, until few enough codes are left to stage.
// (Sample, bracket, count: Floyd and Rivest 1975; several rows of a GPU: GVR.)
// With HELD, a block has room for all codes of a row, and stages them by one read instead of the first three steps.
//
// Reads a row once for each rank, or pair of neighbouring ranks, beside a sample. A grid of (blocks of a team, teams);
// rows of neighbouring keys. ASK, UNLESS_NAN: see rows.cuh. Shared memory: 16 bytes for each thread, and `capacity` codes.

#include "keys.cuh"
#include "team.cuh"

#define LIST ((Code*)(memory + BINS / 2))
#define COUNTS_NANS (FLOATING && (ASK != SELECT || UNLESS_NAN))

// What a read counts; all blocks of a team know the sums.
struct Tally {
    u32 below, low_equal, inside, high_equal, nans, overflows;
};

struct Bracket {
    Code first, last;
    bool tied;
};

struct Finder {
    Team& team;
    const Part& part;
    Tally& tally;
    const u32 capacity;
    u32& staged;
    Bracket bracket = {0, CODE_LAST, false};
    bool listed = true;  // whether the list has the codes inside the bracket

    __device__ __forceinline__ void clear() const {
        if (threadIdx.x < sizeof(Tally) / sizeof(u32)) ((u32*)&tally)[threadIdx.x] = 0;
        __syncthreads();
    }

    // Stages all codes of the row.
    __device__ __forceinline__ void hold() {
        u32 nans = 0;
        const auto put = [&](Code code, u32 place) {
            LIST[place] = code;
            if (COUNTS_NANS) add_if(nans, code == NAN_CODE);
        };
        clear();
        part.each_load([&](const Load& loaded, u32 place) {
#pragma unroll
            for (int k = 0; k < PER_LOAD; ++k) put(code_of(loaded.keys[k]), place + k);
        }, put);
        add_to(&tally.nans, nans);
        if (!threadIdx.x) tally.inside = staged = (u32)part.n;
        __syncthreads();
    }

    template <bool TIED>
    __device__ __forceinline__ void read() {
        const Code low = bracket.first, high = bracket.last;
        u32 below = 0, low_equal = 0, high_equal = 0, nans = 0;
        part.stage(staged, [&](Code code) {
            add_if(below, code < low);
            if (COUNTS_NANS) add_if(nans, code == NAN_CODE);
            if (!TIED) return code >= low && code <= high;
            add_if(low_equal, code == low), add_if(high_equal, code == high && low != high);
            return code > low && code < high;
        }, [&](u32 at, Code code, u32) { if (at < capacity) LIST[at] = code; });
        add_to(&tally.below, below), add_to(&tally.low_equal, low_equal), add_to(&tally.high_equal, high_equal);
        add_to(&tally.nans, nans);
    }

    // Reads the row, and adds up what all blocks count.
    __device__ __forceinline__ void count() {
        clear();
        if (bracket.tied) read<true>();
        else read<false>();
        __syncthreads();
        if (!threadIdx.x) tally.inside = staged, tally.overflows = staged > capacity;
        team.add_up((u32*)&tally, sizeof(Tally) / sizeof(u32));
    }

    // The span of a rank that the counts prove, and whether the list has all of its codes.
    __device__ __forceinline__ Span span_of(u32 rank, bool& listed) const {
        const Code low = bracket.first, high = bracket.last;
        const u32 start = tally.below + tally.low_equal, end = start + tally.inside, upto = end + tally.high_equal;
        listed = rank >= start && rank < end && !tally.overflows;
        if (rank < tally.below) return {0, (Code)(low - 1), 0, tally.below};
        if (rank < start) return {low, low, tally.below, tally.low_equal};
        if (rank < end) return {(Code)(low + bracket.tied), (Code)(high - bracket.tied), start, tally.inside};
        if (rank < upto) return {high, high, end, tally.high_equal};
        return {(Code)(high + 1), CODE_LAST, upto, (u32)part.n - upto};
    }

    // Finds the codes of two ranks, as spans of one code.
    __device__ __forceinline__ void find(Span (&found)[2], const u32 (&ranks)[2]) {
        bool listed[2];
        for (u32 i = 0; i < 2; ++i) found[i] = span_of(ranks[i], listed[i]);
        if (listed[0] || listed[1]) {
            const u32 first = !listed[0], second = listed[1];
            const u32 inside[2] = {ranks[first], ranks[second]};
            Span spans[2] = {found[first], found[second]};
            narrow(&team, spans, inside, CodeList{LIST, staged});
            found[first] = spans[0], found[second] = spans[1];
        }
#pragma unroll 1
        for (u32 i = 0; i < 2; ++i)
            if (i && found[0].has(ranks[1])) found[1] = found[0];
            else if (!found[i].is_one()) found[i] = find_in_row(team, part, found[i], ranks[i], LIST, capacity);
    }
};

// The bracket of two ranks in a row of which `numbers` keys are expected to count, by a sample of which `sampled` do.
__device__ __forceinline__ Bracket bracket_of(const RowSample& sample, const u64 (&rank)[2], u64 numbers, u32 sampled,
                                              float wide) {
    const float scale = (float)sampled / (float)numbers;
    float aimed[2];
#pragma unroll
    for (int r = 0; r < 2; ++r) {
        const float middle = (float)rank[r] * scale, spread = middle * (1 - middle / (float)sampled);
        const float off = wide * sqrtf(greater(spread, 0.0f)) + wide * wide / 3;
        aimed[r] = r ? middle + off : middle - off;
    }
    const bool has_low = aimed[0] >= 0, has_high = aimed[1] < (float)sampled;
    const u32 heavy = SAMPLED * THREADS / SHARE;
    const u32 ranks[2] = {has_low ? (u32)aimed[0] : 0, has_high ? (u32)aimed[1] : SAMPLED * THREADS - 1};
    Span ends[2] = {{0, CODE_LAST, 0, SAMPLED * THREADS}, {0, CODE_LAST, 0, SAMPLED * THREADS}};
    narrow(nullptr, ends, ranks, sample, heavy);
    const Code first = has_low ? ends[0].first : 0, last = has_high ? ends[1].last : CODE_LAST;
    const auto is_heavy = [&](const Span& end) { return end.is_one() && end.here > heavy; };
    const bool tied = has_low && is_heavy(ends[0]) || has_high && is_heavy(ends[1]);
    return {first, greater(last, first), tied && (first != last || has_low && has_high)};
}

extern "C" __global__ void __launch_bounds__(THREADS, RESIDENT / THREADS)
    rows_by_team(ROWS_ARGUMENTS, RANKS_ARGUMENTS, void* spaces, u64 capacity, float wide) {
    __shared__ Tally tally;
    __shared__ u32 staged, sampled_nans;
    const Rows rows ROWS;
    const Ranks wanted RANKS;
    Team team{(Space*)spaces + blockIdx.y};
    const bool tells = !threadIdx.x && !blockIdx.x;
#pragma unroll 1
    for (u64 row = blockIdx.y; row < count; row += gridDim.y) {
        const Part part(rows.begin_of(row), length);
        Finder finder{team, part, tally, (u32)capacity, staged};
        if (HELD) finder.hold();
        const u64 questions = ASK == SELECT ? asked : 1;
        u64 both = 1;  // ranks that are found together: two, if they are neighbours
#pragma unroll 1
        for (u64 i = 0; i < questions; i += both) {
            u64 rank[2] = {0, 0}, numbers = length;
            if (ASK == SELECT) {
                rank[0] = rank[1] = wanted.rank(rows, row, i);
                if (i + 1 < questions) rank[1] = wanted.rank(rows, row, i + 1);
                both = i + 1 < questions && rank[1] - rank[0] <= 1 ? 2 : 1;
                if (both == 1) rank[1] = rank[0];
            }
#if !HELD
            const RowSample sample(part);
            u32 sampled = SAMPLED * THREADS;
#if ASK == NANMEDIAN && FLOATING
            if (!threadIdx.x) sampled_nans = 0;
            __syncthreads();
            u32 nans = 0;
            sample([&](Code code) { nans += code == NAN_CODE; });
            add_to(&sampled_nans, nans);
            __syncthreads();
            sampled -= sampled_nans;
            numbers = (u64)((float)length * ((float)sampled / (float)(SAMPLED * THREADS)));
            if (!numbers || !sampled) numbers = sampled = 1;
#endif
            if (ASK == MEDIAN || ASK == NANMEDIAN) set_middle(rank, numbers);
            finder.bracket = ASK == NUMBERS ? Bracket{CODE_LAST, CODE_LAST, true}
                                            : bracket_of(sample, rank, numbers, sampled, wide);
            finder.count();
#endif
            numbers = length - tally.nans;
            if (ASK == NUMBERS) {
                if (tells) ((long long*)answers)[rows.place(row, 0)] = (long long)numbers;
                break;
            }
            if (ASK == MEDIAN || ASK == NANMEDIAN) set_middle(rank, numbers);
            Span found[2] = {{NAN_CODE, NAN_CODE, 0, 0}, {NAN_CODE, NAN_CODE, 0, 0}};
            const u32 ranks[2] = {(u32)rank[0], (u32)rank[1]};
            if (numbers == length || numbers && ASK == NANMEDIAN) finder.find(found, ranks);
            if (tells && ASK == SELECT)
                for (u64 j = 0; j < both; ++j) ((RAW*)answers)[rows.place(row, i + j)] = key_of(found[j].first);
            const Code low = found[0].first;
            if (tells && ASK != SELECT)
                write_middle(answers, rows.place(row, 0), low, found[1].first, rank[0] == rank[1] || low == NAN_CODE);
            __syncthreads();
        }
        __syncthreads();
    }
    team.leave();
}
