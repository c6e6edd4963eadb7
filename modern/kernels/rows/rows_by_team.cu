// Long rows: a block, or a team of blocks, answers ranks or medians of a row (team.cuh).
//
// 1. Sample: each thread takes SAMPLES loads of 16 bytes at hashed places of the row.
// 2. Bracket: the codes around the sample's rank, `wide` standard errors away, by histograms.
// 3. One read: counts the codes below the bracket, and stages those inside in shared memory. If many of the sample equal
//    an end of the bracket, such codes are counted, not staged.
// 4. Counts prove where the rank is. Where it is among the staged codes, histograms of these narrow it down; otherwise
//    histograms of the row do, until few enough codes are left to stage.
// (Sample, bracket, count: Floyd and Rivest 1975; several rows of a GPU: GVR.)
//
// Reads a row once for each rank, or pair of neighbouring ranks, beside a sample. A grid of (blocks of a team, teams);
// rows of neighbouring keys, more than 1,024. ASK, UNLESS_NAN: see rows.cuh. Shared memory: 16 bytes for each thread,
// and `capacity` codes.

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
    Bracket bracket;
    Tally& tally;
    const u32 capacity;
    u32& staged;
    bool listed = true;  // whether the list has the codes inside the bracket

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
        if (threadIdx.x < sizeof(Tally) / sizeof(u32)) ((u32*)&tally)[threadIdx.x] = 0;
        if (bracket.tied) read<true>();
        else read<false>();
        __syncthreads();
        if (!threadIdx.x) tally.inside = staged, tally.overflows = staged > capacity;
        team.add_up((u32*)&tally, sizeof(Tally) / sizeof(u32));
    }

    __device__ __forceinline__ CodeList list() const { return {LIST, lesser(staged, capacity)}; }

    // The code of a rank, as a span of one code.
    __device__ __forceinline__ Span find(u32 rank) {
        const Code low = bracket.first, high = bracket.last;
        const u32 start = tally.below + tally.low_equal, end = start + tally.inside, upto = end + tally.high_equal;
        if (rank >= tally.below && rank < start) return {low, low, tally.below, tally.low_equal};
        if (rank >= end && rank < upto) return {high, high, end, tally.high_equal};
        Span span = {(Code)(low + bracket.tied), (Code)(high - bracket.tied), start, tally.inside};
        if (rank < tally.below) span = {0, (Code)(low - 1), 0, tally.below};
        if (rank >= upto) span = {(Code)(high + 1), CODE_LAST, upto, (u32)part.n - upto};
        if (span.before == start && span.here == tally.inside && !tally.overflows && listed)
            while (!span.is_one()) narrow(team, span, rank, list());
        else find_in_row(team, part, span, rank, LIST, capacity), listed = false;
        return span;
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
    Span low, high;
    const u32 heavy = SAMPLED * THREADS / SHARE;
    narrow_sample(low, high, has_low ? (u32)aimed[0] : 0, has_high ? (u32)aimed[1] : SAMPLED * THREADS - 1, sample, heavy);
    const Code first = has_low ? low.first : 0, last = has_high ? high.last : CODE_LAST;
    const bool tied = has_low && low.is_one() && low.here > heavy || has_high && high.is_one() && high.here > heavy;
    return {first, greater(last, first), tied && (first != last || has_low && has_high) };
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
            const Bracket bracket = ASK == NUMBERS ? Bracket{CODE_LAST, CODE_LAST, true}
                                                   : bracket_of(sample, rank, numbers, sampled, wide);
            Finder finder{team, part, bracket, tally, (u32)capacity, staged};
            finder.count();
            numbers = length - tally.nans;
            if (ASK == NUMBERS) {
                if (tells) ((long long*)answers)[rows.place(row, 0)] = (long long)numbers;
                break;
            }
            if (ASK == NANMEDIAN) set_middle(rank, numbers);
            Span low = {NAN_CODE, NAN_CODE, 0, (u32)length}, high = low;
            if (numbers == length || numbers && ASK == NANMEDIAN) {
                low = finder.find((u32)rank[0]);
                high = low.has((u32)rank[1]) ? low : finder.find((u32)rank[1]);
            }
            if (tells && ASK == SELECT)
                for (u64 j = 0; j < both; ++j)
                    ((RAW*)answers)[rows.place(row, i + j)] = key_of(j ? high.first : low.first);
            if (tells && ASK != SELECT)
                write_middle(answers, rows.place(row, 0), low.first, high.first, rank[0] == rank[1] || low.first == NAN_CODE);
            __syncthreads();
        }
    }
    team.leave();
}
