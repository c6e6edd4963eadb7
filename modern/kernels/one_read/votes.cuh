// Codes of a sample vote for their hashes, so that the most frequent codes of a cell are found without a sort.
// (shadersort/selection/primitives/favourites.py has the same votes.)

#define VOTES 8u
#define NONE 0xffffffffu

// The upper bits are those that a multiplication mixes best.
__device__ __forceinline__ u32 vote_of(RAW code) { return (u32)((u64)code * 0x9e3779b97f4a7c15ull >> 61); }

// The two fullest of the counters of a cell. Each is the number of votes, times VOTES, plus the hash.
struct Election {
    u32 first = 0, second = 0, all = 0, won;

    __device__ __forceinline__ explicit Election(const u32* votes) {
        for (u32 i = 0; i < VOTES; ++i) {
            const u32 here = votes[i] * VOTES + i;
            all += votes[i];
            second = here > first ? first : here > second ? here : second;
            first = here > first ? here : first;
        }
        won = first / VOTES + second / VOTES;
    }
};
