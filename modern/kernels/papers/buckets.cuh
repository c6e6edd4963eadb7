// Buckets: intervals between edges, each cut into buckets of equal width by linear projection
// (shadersort/selection/primitives/buckets.py). The edges are the pivots of bucketMultiSelect, among which a key finds its
// interval by a binary search. Every step is done in the arithmetic that NumPy uses, so that both agree on every key.
// With OPEN, keys before the first edge are in the first bucket; keys after the last edge and NaNs are in the last.

#if KEY_BYTES <= 4
typedef float Real;
#define PRODUCT __fmul_rn
#define DIFFERENCE __fsub_rn
#else
typedef double Real;
#define PRODUCT __dmul_rn
#define DIFFERENCE __dsub_rn
#endif

#define INTERVALS 1024  // at most

// The start of an interval, scaled if keys are floats, and the number of buckets in a scaled unit.
struct Line {
#if FLOATING
    Real origin;
#else
    RAW origin;
#endif
    Real slope;
};

struct Division {
    VALUE first, last;          // the first and the last edge,
    RAW first_code, last_code;  // and their codes
    Real scale;
    u32 intervals, per_interval, half;  // half of the power of two that is at least the number of intervals
};

__shared__ Line lines[INTERVALS];
__shared__ RAW edges[INTERVALS];  // codes; all ones if there is no interval

// Loads the intervals for all threads of a block.
__device__ __forceinline__ void load_intervals(const Division& division, const RAW* from, const Line* given) {
    for (u32 i = threadIdx.x; i < 2 * division.half || !i; i += blockDim.x) {
        edges[i] = i < division.intervals ? from[i] : (RAW)~(RAW)0;
        if (i < division.intervals) lines[i] = given[i];
    }
    __syncthreads();
}

// Whether a key has a bucket.
__device__ __forceinline__ bool is_inside(const Division& division, RAW bits) {
    const VALUE key = value_of(bits);
    return OPEN || key >= division.first && key <= division.last;
}

// The bucket of a key that has one.
__device__ __forceinline__ u32 bucket_of(const Division& division, RAW bits) {
    RAW code = encode(bits);
    if (OPEN) {
        code = code < division.first_code ? division.first_code : code;
        code = code > division.last_code ? division.last_code : code;
    }
    u32 interval = 0;
    for (u32 step = division.half; step; step /= 2)
        if (code >= edges[interval + step]) interval += step;
    interval = interval < division.intervals ? interval : division.intervals - 1;
    const Line line = lines[interval];
    const u32 most = division.per_interval - 1;
#if FLOATING
    const VALUE key = value_of(bits);  // a negative offset gives bucket 0
    const Real offset = DIFFERENCE(PRODUCT((Real)key, division.scale), line.origin);
    u32 place = offset > 0 ? (u32)PRODUCT(offset, line.slope) : 0;
    if (OPEN) place = key <= division.last ? place : most;  // false for NaN
#else
    const Real offset = (Real)(RAW)(decode(code) - line.origin);
    const u32 place = (u32)PRODUCT(offset, line.slope);
#endif
    return interval * division.per_interval + (place < most ? place : most);
}
