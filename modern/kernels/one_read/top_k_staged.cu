// Top-k: stages the keys that can be at the top, with their places, by a sample and one read of all keys
// (modern/primitives/top_k.py).
//
// 1. Sample: each thread takes one load of 16 bytes at a hashed place in its part of the keys.
// 2. Bound: the code behind the sample's rank of k, `wide` standard errors away, by histograms.
// 3. One read: stages the keys up to the bound (staging.cuh). If they are at least k, those at the top are
//    among them, and so are all of their equals.
//
// `orders` and `places` get the staged keys in no order, as codes of the order BY. *count says how many
// there are; it may exceed the room. Without a sample all keys are staged. Blocks of 1,024 threads, which
// all run at the same time.

#include "keys.cuh"
#include "top_keys.cuh"
#include "code_ranges.cuh"
#include "sampled_load.cuh"
#include "staging.cuh"

#define LISTS ((u32*)memory + BINS)  // entry i of a thread is LISTS[i * THREADS + threadIdx.x]
#define ROW (THREADS * 4)            // bytes between two entries of a list

// What launches share; it is 0 before and after each.
struct Common {
    u32 arrived, ticket;
    u64 staged;
    u64 bins[LEVELS][BINS];
};

struct Out {
    RAW* orders;
    u64* places;
    u64 room;
    u64* count;
};

// What is compared: a value, or the magnitude of an integer, which is unsigned.
#if BY == 2 && !FLOATING
typedef Word Ordered;
#define ORDERED_REGISTER PTX_WORD
#else
typedef VALUE Ordered;
#define ORDERED_REGISTER PTX_VALUE
#endif
#if BY == 1
#define RELATION "le." PTX_TYPE
#elif FLOATING
#define RELATION "geu." PTX_TYPE
#elif BY == 2 && KEY_BYTES == 8
#define RELATION "ge.u64"
#elif BY == 2
#define RELATION "ge.u32"
#else
#define RELATION "ge." PTX_TYPE
#endif

__device__ __forceinline__ Ordered ordered(RAW bits) {
#if BY == 2 && !FLOATING
    return magnitude_of(bits);
#elif BY == 2
    return value_of(magnitude_of(bits));
#else
    return value_of(bits);
#endif
}

// What keys with a code of the order are compared as.
__device__ __forceinline__ Ordered ordered_of(RAW order) {
#if BY == 1
    return value_of(decode(order));
#elif BY == 2 && !FLOATING
    return (RAW)~order;
#else
    return value_of(decode((RAW)~order));
#endif
}

// Stages the ordinals of the keys up to a bound. A comparison with a NaN is true: NaNs are the largest
// keys, and the bound of the smallest keys is a number.
struct Top {
    Ordered bound;
    RAW last;  // the bound's code
    const RAW* keys;
    u64 n;
    const Out& out;
    u32 start, end;  // of the own list: addresses in shared memory

    __device__ __forceinline__ Top(RAW last, const RAW* keys, u64 n, const Out& out)
        : bound(ordered_of(last)), last(last), keys(keys), n(n), out(out) {
        start = end = (u32)__cvta_generic_to_shared(LISTS + threadIdx.x);
    }

    __device__ __forceinline__ void look(RAW bits, u32 ordinal) {
        asm volatile(
            "{ .reg .pred p;\nsetp." RELATION " p, %1, %2;\n"
            "@p st.shared.b32 [%0], %3;\n@p add.u32 %0, %0, %4; }"
            : "+r"(end)
            : ORDERED_REGISTER(ordered(bits)), ORDERED_REGISTER(bound), "r"(ordinal), "n"(ROW)
            : "memory");
    }

    __device__ __forceinline__ void put(u64 at, u64 place) const {
        if (at < out.room) out.places[at] = place, out.orders[at] = order_of(keys[place]);
    }

    __device__ __forceinline__ void alone(RAW bits, u64 place) const {
        if (order_of(bits) <= last) put(atomicAdd(out.count, 1ull), place);
    }

    __device__ __forceinline__ void empty() {
        spill_lists(LISTS + threadIdx.x, (end - start) / ROW, out.room, out.count,
                    [&](u64 at, u32 ordinal) { put(at, place_of(keys, n, ordinal)); });
        end = start;
    }

    __device__ __forceinline__ void make_room() {
        if (__any_sync(FULL, end - start > (CAPACITY - ROOM_LEFT) * ROW)) empty();
    }
};

struct SampledOrders {
    const Load loaded;
    template <class Body>
    __device__ __forceinline__ void operator()(Body body) const {
#pragma unroll
        for (int i = 0; i < PER_LOAD; ++i) body(order_of(loaded.keys[i]));
    }
};

// The rank in the sample behind which the keys of rank k and more lie; its size, if that is outside.
__device__ __forceinline__ u64 rank_behind(u64 k, u64 n, u64 sampled, double wide) {
    const double middle = (double)k * ((double)sampled / (double)n);
    const double spread = middle * (1 - middle / (double)sampled);
    const double aimed = middle + (wide * sqrt(spread > 0 ? spread : 0.0) + wide * wide);
    return aimed < (double)sampled ? (u64)aimed : sampled;
}

extern "C" __global__ void __launch_bounds__(THREADS, 1)
    top_k_staged(const RAW* keys, u64 n, u64 k, u32 samples, float wide, RAW* orders, u64* places, u64 room,
                 Common* common, u64* count) {
    __shared__ u64 rank[2];
    __shared__ Range range[2];
    const u64 thread = (u64)blockIdx.x * THREADS + threadIdx.x, threads = (u64)gridDim.x * THREADS;
    const u64 sampled = threads * PER_LOAD;
    u32 levels = 0, meetings = 0;
    const Out out{orders, places, room, &common->staged};
    if (!threadIdx.x) {
        rank[0] = rank[1] = samples ? rank_behind(k - 1, n, sampled, wide) : 0;
        range[0] = range[1] = {0, (RAW)~(RAW)0, 0, sampled};
    }
    __syncthreads();
    if (samples && rank[0] < sampled) {
        const SampledOrders sample{sampled_load(keys, n, thread, threads)};
        while (!range[0].is_one() && range[0].here > SLACK + rank[0] / SLACK)
            meetings = narrow_together<true>(range, rank, sample, common->bins[levels++], &common->arrived, meetings);
        Top top(range[0].last, keys, n, out);
        look_at_all(keys, n, top);
        top.empty();
    } else if (!samples) {
        for (u64 i = thread; i < n; i += threads) orders[i] = order_of(keys[i]), places[i] = i;
    }
    if (!comes_last(&common->ticket)) return;
    for (u32 i = threadIdx.x; i < levels * BINS; i += THREADS) common->bins[0][i] = 0;
    if (threadIdx.x) return;
    *count = samples ? fresh(&common->staged) : n;
    common->staged = 0, common->arrived = 0;
}
