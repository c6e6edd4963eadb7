// The first keys of a row in an order, by a sample, a bound and one read: the steps that do not depend on how many
// blocks have the row. It needs ranges (code_ranges.cuh) and orders (top_keys.cuh).

#include "compared.cuh"
#include "top_entries.cuh"

#define CODE_OF order_of
#include "row_sources.cuh"

struct Shared {
    u64 rank[2];
    Range range[2];
    u32 staged;
};

// Keys in shared memory, with their places.
struct Entries {
    u32* places;
    RAW* orders;
    __device__ __forceinline__ void put(u32 at, RAW order, u32 place) const {
        orders[at] = order, places[at] = place;
    }
};

// The keys to stage: up to a code, or before it.
struct Bound {
    RAW order;
    bool tied;  // more keys may equal it than there is room for
};

// The bound by the sample. If that is too small, all keys are up to it. `many` equals of the bound count as tied.
__device__ __forceinline__ Bound sampled_bound(Shared& s, const RowSample& sample, u32 count, u32 many, float wide) {
    const u64 sampled = (u64)sample.samples * THREADS * PER_LOAD;
    const float share = (float)sampled / (float)sample.row.n, middle = (float)count * share;
    const float aimed = middle + wide * sqrtf(middle) + wide * wide;
    if (aimed >= (float)sampled) return {(RAW)~(RAW)0, false};
    if (!threadIdx.x) {
        s.rank[0] = s.rank[1] = (u64)aimed;
        s.range[0] = s.range[1] = {0, (RAW)~(RAW)0, 0, sampled};
    }
    __syncthreads();
    while (!s.range[0].is_one() && s.range[0].here > 1 + (u64)aimed / 8)
        narrow_alone(s.range, s.rank, sample);
    return {s.range[0].last, s.range[0].is_one() && (float)s.range[0].here > share * many};
}

// The sum over the threads before this one; and over all of them in `total`, which all threads must have read
// before the next call.
__device__ __forceinline__ u32 before_this(u32 mine, u32* total) {
    const u32 before = before_in_block(mine);
    if (threadIdx.x == THREADS - 1) *total = before + mine;
    __syncthreads();
    return before;
}

#define SCANNED 4  // loads of each thread between two barriers where no key is equal

// Puts the places of the first equals of a code behind each other, at most `count`; returns how many there are. The
// row, or a part of one, begins at place `from`.
__device__ __noinline__ u32 put_equals(const Row& row, const Last& last, u32 count, u32 from, u32* places) {
    __shared__ u32 more;
    u32 found = 0;
#pragma unroll 1
    for (u64 start = 0; start < row.n && found < count; start += SCANNED * THREADS * PER_LOAD) {
        bool any = false;
#pragma unroll
        for (int i = 0; i < SCANNED * PER_LOAD; ++i) {
            const u64 at = start + i * THREADS + threadIdx.x;
            if (at < row.n) any |= last.is_equal(compared(row.keys[at]));
        }
        if (!__syncthreads_or(any)) continue;
#pragma unroll 1
        for (u32 j = 0; j < SCANNED && found < count; ++j) {
            const u64 first = start + (j * THREADS + threadIdx.x) * PER_LOAD;
            Bits bits = 0;
#pragma unroll
            for (int k = 0; k < PER_LOAD; ++k)
                if (first + k < row.n && last.is_equal(compared(row.keys[first + k]))) bits |= (Bits)1 << k;
            u32 at = found + before_this((u32)__popcll(bits), &more);
            for (; bits && at < count; bits &= bits - 1) places[at++] = from + (u32)first + __ffs((u32)bits) - 1;
            found += more;
            __syncthreads();
        }
    }
    return found < count ? found : count;
}

// Changes the entries, LANES at a time, each time by a warp in its registers: body(entry). Where `down` has the bit
// of their places, they are inverted meanwhile, so that they get to descend.
template <class Body>
__device__ __forceinline__ void by_warps(const Entries& entries, u32 size, u32 down, Body body) {
#pragma unroll 1
    for (u32 i = threadIdx.x; i < size; i += THREADS) {
        const int all = i & down ? -1 : 0;
        Entry entry[1] = {inverted(entry_of(entries.orders[i], entries.places[i]), all)};
        body(entry);
        entry[0] = inverted(entry[0], all);
        entries.put(i, order_in(entry[0]), place_of(entry[0]));
    }
    __syncthreads();
}

// Sorts entries by a bitonic network: a power of two, and at least LANES. Steps between warps are in shared memory.
__device__ __forceinline__ void sort_entries(const Entries& entries, u32 size) {
    by_warps(entries, size, size > LANES ? LANES : 0, [](Entry(&entry)[1]) { sort_in_lanes<LANES>(entry); });
#pragma unroll 1
    for (u32 block = 2 * LANES; block <= size; block *= 2) {
#pragma unroll 1
        for (u32 step = block / 2; step >= LANES; step /= 2) {
#pragma unroll 1
            for (u32 i = threadIdx.x; i < size / 2; i += THREADS) {
                const u32 low = 2 * i - (i & (step - 1)), high = low + step;
                const Entry one = entry_of(entries.orders[low], entries.places[low]);
                const Entry other = entry_of(entries.orders[high], entries.places[high]);
                if (other < one == !(low & block)) {
                    entries.put(low, order_in(other), place_of(other));
                    entries.put(high, order_in(one), place_of(one));
                }
            }
            __syncthreads();
        }
        by_warps(entries, size, block, [](Entry(&entry)[1]) { merge_in_lanes(entry, LANES, lane_of()); });
    }
}

// Sorts the first `held` entries, and fills up with entries that come last.
__device__ __forceinline__ void sort_held(const Entries& entries, u32 held, bool by_places) {
    u32 size = LANES;
    while (size < held) size *= 2;
    for (u32 i = threadIdx.x; i < size; i += THREADS) {
        if (i >= held) entries.put(i, (RAW)~(RAW)0, ~0u);
        else if (by_places) entries.orders[i] = 0;
    }
    __syncthreads();
    sort_entries(entries, size);
}
