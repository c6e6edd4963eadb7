// Thresholding: all keys of the last magnitude were kept (threshold.cu); writes zero for those that are too many,
// the last ones by place.
//
// Up to MOST of them are at the places in `ties`, in no order, and one block compares these with each other. If
// there are more, each warp counts them in its piece of `written`, and the blocks meet. Then each warp knows how
// many come before its piece: none of it changes, or all of its ties do, or the whole block goes through it.
//
// Blocks of THREADS, which all run at the same time. `written` begins at a multiple of 16 bytes.

#include "keys.cuh"
#include "meeting.cuh"
#include "scan.cuh"
#include "top_keys.cuh"
#include "last_magnitude.cuh"

#define WARPS (THREADS / LANES)
#define AT_ONCE 4  // loads in flight of each thread that drops ties

// What all blocks share; 0 before and after, but for the counts.
struct Common {
    u32 arrived, ticket;
    u64 noted;      // by threshold.cu
    u64 counts[1];  // of each block
};

// The first ties of one block.
__device__ void drop_noted(const u64* ties, u64 equal, u64 kept, RAW* written) {
    __shared__ u64 places[MOST];
    for (u32 i = threadIdx.x; i < equal; i += THREADS) places[i] = ties[i];
    __syncthreads();
    for (u32 i = threadIdx.x; i < equal; i += THREADS) {
        u64 before = 0;
        for (u32 j = 0; j < equal; ++j) before += places[j] < places[i];
        if (before >= kept) written[places[i]] = 0;
    }
}

// A piece of the written keys: loads of 16 bytes, of which the last one may have fewer keys.
struct Piece {
    RAW* keys;
    u64 size;
    RAW pivot;
    __device__ __forceinline__ bool ties(RAW bits) const { return order_of(bits) == pivot; }

    // By all lanes of a warp; the sum is in lane 0.
    __device__ __forceinline__ u64 count() const {
        u64 equal = 0;
        each_key(keys, size, threadIdx.x % LANES, LANES, [&](RAW bits) { equal += ties(bits); }, [] {});
        return warp_sum(equal);
    }

    // Drops all ties; by all lanes of a warp.
    __device__ __forceinline__ void drop_all() const {
        const u32 lane = threadIdx.x % LANES;
        const u64 loads = size / PER_LOAD;
        for (u64 first = lane; first < loads; first += AT_ONCE * LANES) {
            Load loaded[AT_ONCE];
#pragma unroll
            for (int j = 0; j < AT_ONCE; ++j)
                if (first + j * LANES < loads) loaded[j] = load(keys, first + j * LANES);
#pragma unroll
            for (int j = 0; j < AT_ONCE; ++j) {
#pragma unroll
                for (int k = 0; k < PER_LOAD; ++k)
                    if (ties(loaded[j].keys[k])) loaded[j].keys[k] = 0;
                if (first + j * LANES < loads) __stcs((uint4*)keys + first + j * LANES, loaded[j].words);
            }
        }
        const u64 rest = loads * PER_LOAD + lane;
        if (rest < size && ties(keys[rest])) keys[rest] = 0;
    }

    // Drops ties behind the first `kept` ones; by all threads of a block.
    __device__ __forceinline__ void drop_behind(u64 kept) const {
        __shared__ u64 before_next;
        u64 before = 0;
        for (u64 start = 0; start < size; start += (u64)THREADS * PER_LOAD) {
            const u64 first = start + (u64)threadIdx.x * PER_LOAD;
            u32 mine = 0, equal = 0;
#pragma unroll
            for (int k = 0; k < PER_LOAD; ++k)
                if (first + k < size && ties(keys[first + k])) mine |= 1u << k, ++equal;
            u64 mine_from = before + before_in_block(equal);
            if (threadIdx.x == THREADS - 1) before_next = mine_from + equal;
#pragma unroll
            for (int k = 0; k < PER_LOAD; ++k)
                if (mine >> k & 1) {
                    if (mine_from >= kept) keys[first + k] = 0;
                    ++mine_from;
                }
            __syncthreads();
            before = before_next;
            __syncthreads();
        }
    }
};

// The ties in the parts of the blocks before this one. By all threads of a block.
__device__ u64 before_block(const u64* counts) {
    __shared__ u64 before;
    if (!threadIdx.x) before = 0;
    __syncthreads();
    u64 some = 0;
    for (u32 i = threadIdx.x; i < blockIdx.x; i += THREADS) some += fresh(&counts[i]);
    some = warp_sum(some);
    if (!(threadIdx.x % LANES)) atomicAdd(&before, some);
    __syncthreads();
    return before;
}

// Counts the ties of all pieces, and drops those behind the first `kept` ones.
__device__ void drop_counted(RAW* written, u64 n, RAW pivot, u64 kept, Common* common) {
    __shared__ u64 counts[WARPS];
    const u32 warp = threadIdx.x / LANES;
    const u64 pieces = (u64)gridDim.x * WARPS, loads = (n + PER_LOAD - 1) / PER_LOAD;
    const u64 each = (loads + pieces - 1) / pieces * PER_LOAD;
    const auto piece_of = [=](u32 i) {
        const u64 place = ((u64)blockIdx.x * WARPS + i) * each, first = place < n ? place : n;
        return Piece{written + first, n - first < each ? n - first : each, pivot};
    };
    const u64 mine = piece_of(warp).count();
    if (!(threadIdx.x % LANES)) counts[warp] = mine;
    __syncthreads();
    if (!threadIdx.x) {
        u64 sum = 0;
        for (u32 i = 0; i < WARPS; ++i) sum += counts[i];
        common->counts[blockIdx.x] = sum;
    }
    u32 meetings = 0;
    meet(&common->arrived, meetings);
    u64 before = before_block(common->counts), divided_at = 0;
    u32 divided = WARPS;  // the piece of which some ties are kept, and some are not
    for (u32 i = 0; i < WARPS; ++i) {
        const bool all = before >= kept, none = before + counts[i] <= kept;
        if (i == warp && all && !none) piece_of(i).drop_all();
        if (!all && !none) divided = i, divided_at = before;
        before += counts[i];
    }
    if (divided < WARPS) piece_of(divided).drop_behind(kept - divided_at);
    if (comes_last(&common->ticket) && !threadIdx.x) common->arrived = 0;
}

extern "C" __global__ void __launch_bounds__(THREADS, 1)
    threshold_ties(const u64* told, u64 n, u64 count, const u64* ties, RAW* written, Common* common) {
    const Last last{told, n, count};
    const u64 equal = last.equal(), too_many = last.too_many();
    if (!too_many) return;
    if (equal > MOST) return drop_counted(written, n, order_of(last.bits()), equal - too_many, common);
    if (blockIdx.x) return;
    drop_noted(ties, equal, equal - too_many, written);
    if (!threadIdx.x) common->noted = 0;
}
