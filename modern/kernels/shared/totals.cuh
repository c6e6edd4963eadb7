// Counters of all blocks: `totals` are in the device's memory, and are 0 before and after a launch.

// Adds the counters of a block to the totals.
__device__ __forceinline__ void add_up(const u32* bins, u32 count, u64* totals) {
    __syncthreads();
    for (u32 i = threadIdx.x; i < count; i += blockDim.x)
        if (bins[i]) atomicAdd(&totals[i], (u64)bins[i]);
}

// The last block moves the totals to `result`, in the host's memory.
__device__ __forceinline__ void hand_over(u64* totals, u32 count, u32* ticket, u64* result) {
    if (!comes_last(ticket)) return;
    for (u32 i = threadIdx.x; i < count; i += blockDim.x) {
        result[i] = fresh(&totals[i]);
        totals[i] = 0;
    }
}

// What a thread, a warp, a block or all blocks have found: words of which the first MINIMA are minima, the next NUMBERS
// are sums, and the others are sums of doubles.
template <int MINIMA, int NUMBERS, int DOUBLES>
struct Part {
    u64 word[MINIMA + NUMBERS + DOUBLES];

    __device__ __forceinline__ Part() {
        for (int i = 0; i < MINIMA + NUMBERS + DOUBLES; ++i) word[i] = i < MINIMA ? ~0ull : 0;
    }
    __device__ __forceinline__ double sum(int i) const { return __longlong_as_double((long long)word[MINIMA + NUMBERS + i]); }
    __device__ __forceinline__ void set_sum(int i, double sum) { word[MINIMA + NUMBERS + i] = (u64)__double_as_longlong(sum); }

    __device__ __forceinline__ void merge(const u64* other) {
        for (int i = 0; i < MINIMA; ++i) word[i] = fresh(&other[i]) < word[i] ? fresh(&other[i]) : word[i];
        for (int i = MINIMA; i < MINIMA + NUMBERS; ++i) word[i] += fresh(&other[i]);
        for (int i = 0; i < DOUBLES; ++i) set_sum(i, sum(i) + __longlong_as_double((long long)fresh(&other[MINIMA + NUMBERS + i])));
    }
    __device__ __forceinline__ void join_lanes() {
        for (int i = 0; i < MINIMA; ++i) word[i] = warp_least(word[i]);
        for (int i = MINIMA; i < MINIMA + NUMBERS; ++i) word[i] = warp_sum(word[i]);
        for (int i = 0; i < DOUBLES; ++i) set_sum(i, warp_sum(sum(i)));
    }

    // Joins the parts of all threads; the last block to finish has the whole, and returns true in its thread 0. `parts`
    // has room for one part for each block.
    __device__ bool join(u64* parts, u32* ticket) {
        constexpr int words = MINIMA + NUMBERS + DOUBLES;
        __shared__ u64 of_warp[32][words];
        const int lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
        for (int round = 0; round < 2; ++round) {
            join_lanes();
            __syncthreads();
            for (int i = 0; !lane && i < words; ++i) of_warp[warp][i] = word[i];
            __syncthreads();
            for (int i = 1; !threadIdx.x && i < (int)blockDim.x / LANES; ++i) merge(of_warp[i]);
            if (round) break;
            for (int i = 0; !threadIdx.x && i < words; ++i) parts[blockIdx.x * words + i] = word[i];
            if (!comes_last(ticket)) return false;
            *this = Part();
            for (u32 i = threadIdx.x; i < gridDim.x; i += blockDim.x) merge(parts + i * words);
        }
        return !threadIdx.x;
    }

    __device__ __forceinline__ void write(u64* result) const {
        for (int i = 0; i < MINIMA + NUMBERS + DOUBLES; ++i) result[i] = word[i];
    }
};
