// Top-k: the first k keys in an order and their places, in one launch and one read of all keys as a rule
// (modern/primitives/top_k.py). Of equal keys, the lowest places come first.
//
// 1. Sample: each thread takes one load of 16 bytes at a hashed place in its part of the keys.
// 2. Bound: the code behind the sample's rank of k, `wide` standard errors away, by histograms.
// 3. One read: stages the keys up to the bound, with their places (staging.cuh).
// 4. If many keys of the sample equal the bound, only the keys before it are staged, and then the first of its equals:
//    by reading from the start until there are enough. If the counts show that the bound was wrong, all keys are
//    narrowed to the code of rank k, by a read for each 12 bits, and that code is the bound of a second try.
// 5. The last block narrows the staged codes until at most MOST are left, and sorts these by a bitonic network.
//
// BY is 0 or 1, n at least 2¹⁵, and k at most 4,096. Blocks of 1,024 threads, which all run at the same time. Common is 0
// before and after. Reads all keys once: 2²⁸ float32 on an H200 take 1.11, 1.13, 1.17 and 1.57 times as long as their
// maximum for k = 10, 100, 1,000 and 4,096.

#include "keys.cuh"
#include "code_ranges.cuh"
#include "sampled_load.cuh"
#include "staging.cuh"
#include "entries.cuh"

#define LISTS ((u32*)memory + BINS)  // entry i of a thread is LISTS[i * THREADS + threadIdx.x]
#define ROW (THREADS * 4)            // bytes between two entries of a list

struct Common {
    u32 arrived, ticket;
    u64 staged[2];  // of the first and the second try
    BlockCounts counts;
    u64 bins[LEVELS][BINS];
};

struct Out {
    RAW* orders;
    u64* places;
    u64 room;
    u64* count;
    __device__ __forceinline__ void put(u64 at, RAW order, u64 place) const {
        if (at < room) places[at] = place, orders[at] = order;
    }
};

// Whether a value is up to a bound.
#if BY
#define RELATION "le." PTX_TYPE
#elif FLOATING
#define RELATION "geu." PTX_TYPE
#else
#define RELATION "ge." PTX_TYPE
#endif

// Stages the ordinals of the keys up to a bound, or with STRICT of those before it. Without, the bound is a number, and
// a comparison with a NaN is true for the largest keys, which NaNs are.
template <bool STRICT>
struct Top {
    VALUE bound;
    RAW last;  // the bound's code
    const RAW* keys;
    u64 n;
    const Out& out;
    u32 start, end;  // of the own list: addresses in shared memory

    __device__ __forceinline__ Top(RAW last, const RAW* keys, u64 n, const Out& out)
        : bound(value_of(decode(BY ? last : (RAW)~last))), last(last), keys(keys), n(n), out(out) {
        start = end = (u32)__cvta_generic_to_shared(LISTS + threadIdx.x);
    }

    __device__ __forceinline__ void look(RAW bits, u32 ordinal) {
        if (STRICT) {
            if (order_of(bits) >= last) return;
            asm volatile("st.shared.b32 [%0], %1;" : : "r"(end), "r"(ordinal) : "memory");
            end += ROW;
            return;
        }
        asm volatile(
            "{ .reg .pred p;\nsetp." RELATION " p, %1, %2;\n"
            "@p st.shared.b32 [%0], %3;\n@p add.u32 %0, %0, %4; }"
            : "+r"(end)
            : PTX_VALUE(value_of(bits)), PTX_VALUE(bound), "r"(ordinal), "n"(ROW)
            : "memory");
    }

    __device__ __forceinline__ void empty() {
        spill_lists(LISTS + threadIdx.x, (end - start) / ROW, out.room, out.count,
                    [&](u64 at, u32 ordinal) {
                        const u64 place = place_of(keys, n, ordinal);
                        out.put(at, order_of(keys[place]), place);
                    });
        end = start;
    }

    __device__ __forceinline__ void make_room() {
        if (__any_sync(FULL, end - start > (CAPACITY - ROOM_LEFT) * ROW)) empty();
    }
};

template <bool STRICT>
__device__ __forceinline__ void stage(RAW last, const RAW* keys, u64 n, const Out& out) {
    Top<STRICT> top(last, keys, n, out);
    look_at_all(keys, n, top);
    top.empty();
}

// The rank in the sample behind which the keys of rank k and more lie.
__device__ __forceinline__ u64 rank_behind(u64 k, u64 n, u64 sampled, double wide) {
    const double middle = (double)k * ((double)sampled / (double)n);
    return (u64)(middle + (wide * sqrt(middle * (1 - middle / (double)sampled)) + wide * wide));
}

extern "C" __global__ void __launch_bounds__(THREADS, 1)
    top_k(const RAW* keys, u64 n, u64 k, float wide, RAW* orders, u64* places, u64 room, Common* common, RAW* values,
          u64* indices) {
    __shared__ u64 rank[2];
    __shared__ Range range[2];
    __shared__ u32 taken;
    const u64 threads = (u64)gridDim.x * THREADS, sampled = threads * PER_LOAD;
    u32 levels = 0, meetings = 0;
    const auto want = [&](u64 wanted, u64 of) {
        __syncthreads();
        if (!threadIdx.x) rank[0] = rank[1] = wanted, range[0] = range[1] = {0, (RAW)~(RAW)0, 0, of};
        __syncthreads();
    };
    want(threadIdx.x ? 0 : rank_behind(k - 1, n, sampled, wide), sampled);
    const u64 few = SLACK + rank[0] / SLACK;
    const Sampled<order_of> sample{sampled_load(keys, n, (u64)blockIdx.x * THREADS + threadIdx.x, threads)};
    while (!range[0].is_one() && range[0].here > few)
        meetings = narrow_together<true>(range, rank, sample, common->bins[levels++], &common->arrived, meetings);
    RAW bound = range[0].last;
    bool strict = range[0].here > few, hit = false;
    if (BY && bound > last_number()) bound = last_number();
    if (!BY && bound < (RAW)~last_number()) bound = 0, strict = true;  // they are NaNs
    u64 held = 0;
    for (u32 attempt = 0; attempt < 2 && !hit; ++attempt) {
        if (attempt) {
            want(k - 1, n);
            while (!range[0].is_one())
                meetings = narrow_together<false>(range, rank, All<order_of>{keys, n}, common->bins[levels++],
                                                  &common->arrived, meetings);
            bound = range[0].first, strict = true;
        }
        const Out out{orders, places, room, &common->staged[attempt]};
        if (strict) stage<true>(bound, keys, n, out);
        else stage<false>(bound, keys, n, out);
        meet(&common->arrived, meetings);
        held = fresh(out.count), hit = held <= room && held >= k;
        if (strict && held < k) {
            const auto put = [&](u64 number, u64 place) { out.put(held + number, bound, place); };
            hit = first_equals(bound, k - held, keys, n, common->counts, &common->arrived, meetings, put);
            held = k;
        }
    }
    if (!comes_last(&common->ticket)) return;
    for (u32 i = threadIdx.x; i < levels * BINS; i += THREADS) common->bins[0][i] = 0;
    if (!threadIdx.x) common->staged[0] = common->staged[1] = 0, common->arrived = 0, taken = 0;
    want(k - 1, held);
    const Fresh staged{orders, held};
    find_ends(range, staged);
    for (bool ends = false; !range[0].is_one() && range[0].before + range[0].here > MOST; ends = !ends) {
        if (ends) find_ends(range, staged);
        else narrow_alone(range, rank, staged);
    }
    const RAW last = range[0].last;
    u64 end = ~0ull;  // of the places of keys that equal the last one
    if (range[0].before + range[0].here > MOST) end = last_place(last, k - range[0].before, orders, places, held, n);
    u64* places_here = memory + BINS / 2;
    RAW* orders_here = (RAW*)(places_here + MOST);
    u64 next = threadIdx.x;  // the source yields in this order
    staged([&](RAW order) {
        const u64 place = order <= last ? fresh(&places[next]) : 0;
        if (order < last || order == last && place <= end) {
            const u32 at = atomicAdd(&taken, 1);
            orders_here[at] = order, places_here[at] = place;
        }
        next += THREADS;
    });
    __syncthreads();
    u32 size = 2;
    while (size < taken) size *= 2;
    for (u32 i = taken + threadIdx.x; i < size; i += THREADS) orders_here[i] = (RAW)~(RAW)0, places_here[i] = ~0ull;
    __syncthreads();
    sort_entries(orders_here, places_here, size);
    for (u64 i = threadIdx.x; i < k; i += THREADS) indices[i] = places_here[i], values[i] = keys[places_here[i]];
}
