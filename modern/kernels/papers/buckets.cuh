// Buckets: intervals between edges, each cut into buckets of equal width by linear projection
// (shadersort/selection/primitives/buckets.py). The edges are the pivots of bucketMultiSelect. Every
// step is done in the arithmetic that NumPy uses, so that both agree on every key. With OPEN, keys
// before the first edge are in the first bucket; keys after the last edge and NaNs are in the last.
//
// A guide helps to find the interval of a key. The codes from the first edge to the last are cut into
// cells, and the guide has the interval in which each cell starts. No cell has more than STEPS edges
// inside; STEPS 0 means more, and then the interval is searched for among all. INTERVALS is the room
// for intervals; 1 interval needs no guide.

#if KEY_BYTES <= 4
typedef float Real;
#define PRODUCT __fmul_rn
#define DIFFERENCE __fsub_rn
#else
typedef double Real;
#define PRODUCT __dmul_rn
#define DIFFERENCE __dsub_rn
#endif

#define CELLS 4096

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
    u32 last_interval, per_interval, shift;  // the shift gives the cell of an offset
    RAW edges[INTERVALS];                    // codes; all ones if there is no interval
    Line lines[INTERVALS];
};

#if INTERVALS <= 16
#define GIVEN const Division  // by value: constants for every thread
#define DIVISION(given) given
#else
#define GIVEN const Division*
#define DIVISION(given) (*given)
#endif

__shared__ Line lines[INTERVALS];
#if INTERVALS > 1
__shared__ RAW edges[INTERVALS + 1];
__shared__ unsigned short guide[CELLS];

__device__ __forceinline__ u32 interval_among_all(RAW code) {
    u32 interval = 0;
#pragma unroll
    for (u32 step = INTERVALS / 2; step; step /= 2)
        if (code >= edges[interval + step]) interval += step;
    return interval;
}
#endif

// Loads the division for all threads of a block.
__device__ __forceinline__ void load_division(const Division& division) {
    for (u32 i = threadIdx.x; i < INTERVALS; i += blockDim.x) lines[i] = division.lines[i];
#if INTERVALS > 1
    for (u32 i = threadIdx.x; i < INTERVALS; i += blockDim.x) edges[i] = division.edges[i];
    if (!threadIdx.x) edges[INTERVALS] = (RAW)~(RAW)0;
    __syncthreads();
    for (u32 cell = threadIdx.x; STEPS && cell < CELLS; cell += blockDim.x) {
        const u64 start = division.first_code + ((u64)cell << division.shift);
        guide[cell] = interval_among_all(start < division.last_code ? start : division.last_code);
    }
#endif
    __syncthreads();
}

__device__ __forceinline__ u32 interval_of(const Division& division, RAW code) {
#if INTERVALS == 1
    return 0;
#else
#if STEPS
    u32 interval = guide[(RAW)(code - division.first_code) >> division.shift];
#pragma unroll
    for (int i = 0; i < STEPS; ++i) interval += code >= edges[interval + 1];
#else
    const u32 interval = interval_among_all(code);
#endif
    return interval < division.last_interval ? interval : division.last_interval;
#endif
}

// Whether a key has a bucket.
__device__ __forceinline__ bool is_inside(const Division& division, RAW bits) {
#if OPEN
    return true;
#else
    const VALUE key = value_of(bits);
    return key >= division.first && key <= division.last;
#endif
}

// The bucket of a key that has one.
__device__ __forceinline__ u32 bucket_of(const Division& division, RAW bits) {
    RAW code = encode(bits);
#if OPEN
    code = code < division.first_code ? division.first_code : code;
    code = code > division.last_code ? division.last_code : code;
#endif
    const u32 interval = interval_of(division, code), most = division.per_interval - 1;
    const Line line = lines[interval];
#if FLOATING
    const VALUE key = value_of(bits);  // a negative offset gives bucket 0
    const Real offset = DIFFERENCE(PRODUCT((Real)key, division.scale), line.origin);
    u32 place = (u32)PRODUCT(offset, line.slope);
#if OPEN
    place = key <= division.last ? place : most;  // false for NaN
#endif
#else
    const Real offset = (Real)(RAW)(decode(code) - line.origin);
    const u32 place = (u32)PRODUCT(offset, line.slope);
#endif
    return interval * division.per_interval + (place < most ? place : most);
}
