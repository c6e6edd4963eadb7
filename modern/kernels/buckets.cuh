// Buckets: INTERVALS intervals between edges, each cut into equally wide buckets by linear
// projection (shadersort/primitives/buckets.py). A tree of comparisons finds the interval; what
// follows is, step by step, the arithmetic that NumPy uses, so that both agree on every key.

#if KEY_BYTES <= 4
typedef float Real;
#define PRODUCT __fmul_rn
#define DIFFERENCE __fsub_rn
#else
typedef double Real;
#define PRODUCT __dmul_rn
#define DIFFERENCE __dsub_rn
#endif

// Where an interval starts, scaled if keys are floats, and buckets for a scaled unit.
struct Line {
#if FLOATING
    Real origin;
#else
    RAW origin;
#endif
    Real slope;
};

// Intervals fill up a power of two with edges that no key is above.
struct Division {
    VALUE first, last;  // the ends of all
    VALUE edges[INTERVALS];
    Line lines[INTERVALS];
    Real scale;
    u32 last_interval, per_interval;
};

__shared__ Line lines[INTERVALS];
#if INTERVALS <= 16
#define GIVEN const Division  // by value: constants to every thread
#define DIVISION(given) given
#else
#define GIVEN const Division*
#define DIVISION(given) (*given)
__shared__ VALUE edges[INTERVALS];
#endif

__device__ __forceinline__ void load_division(const Division& division) {
    for (u32 i = threadIdx.x; i < INTERVALS; i += blockDim.x) {
        lines[i] = division.lines[i];
#if INTERVALS > 16
        edges[i] = division.edges[i];
#endif
    }
}

// The last of COUNT edges that is not above a key. Constants are chosen between, not looked up.
template <int COUNT>
__device__ __forceinline__ u32 interval_among(const VALUE (&edge)[COUNT], VALUE key) {
    const bool upper = key >= edge[COUNT / 2];
    VALUE half[COUNT / 2];
#pragma unroll
    for (int i = 0; i < COUNT / 2; ++i) half[i] = upper ? edge[COUNT / 2 + i] : edge[i];
    return (upper ? COUNT / 2 : 0) + interval_among<COUNT / 2>(half, key);
}

template <>
__device__ __forceinline__ u32 interval_among<1>(const VALUE (&)[1], VALUE) {
    return 0;
}

__device__ __forceinline__ u32 interval_of(const Division& division, VALUE key) {
#if INTERVALS <= 16
    const u32 interval = interval_among<INTERVALS>(division.edges, key);
#else
    u32 interval = 0;
#pragma unroll
    for (u32 step = INTERVALS / 2; step; step /= 2)
        if (key >= edges[interval + step]) interval += step;
#endif
    return interval < division.last_interval ? interval : division.last_interval;
}

__device__ __forceinline__ bool is_inside(const Division& division, VALUE key) {
    return key >= division.first && key <= division.last;
}

// The bucket of a key that lies in some interval.
__device__ __forceinline__ u32 bucket_of(const Division& division, VALUE key) {
    const u32 interval = interval_of(division, key);
    const Line line = lines[interval];
#if FLOATING
    const Real offset = DIFFERENCE(PRODUCT((Real)key, division.scale), line.origin);
#else
    const Real offset = (Real)(RAW)((RAW)key - line.origin);
#endif
    const u32 place = (u32)PRODUCT(offset, line.slope);
    const u32 most = division.per_interval - 1;
    return interval * division.per_interval + (place < most ? place : most);
}
