// Buckets: INTERVALS intervals between edges, each cut into equally wide buckets by linear
// projection (shadersort/primitives/buckets.py). A tree of comparisons finds the interval; what
// follows is in double precision, step by step as in NumPy, so that both agree on every key.

__shared__ RAW codes[INTERVALS], edges[INTERVALS];  // where each interval begins
__shared__ double slopes[INTERVALS];                // buckets for a unit, scaled
#if FLOATING == 52
__shared__ double scales[INTERVALS];                // powers of two, lest a distance overflow
#endif

// `table` has four columns of 64 bits for each interval: edge, its code, scale and slope.
__device__ void load_intervals(const u64* table) {
    for (u32 i = threadIdx.x; i < INTERVALS; i += blockDim.x) {
        edges[i] = (RAW)table[4 * i];
        codes[i] = (RAW)table[4 * i + 1];
#if FLOATING == 52
        scales[i] = __longlong_as_double((long long)table[4 * i + 2]);
#endif
        slopes[i] = __longlong_as_double((long long)table[4 * i + 3]);
    }
}

// The bucket of a key that lies in some interval, given its code too.
__device__ __forceinline__ u32 bucket_of(RAW bits, RAW code, u32 last_interval, u32 per_interval) {
    u32 interval = 0;
#pragma unroll
    for (u32 step = INTERVALS / 2; step; step /= 2)
        if (code >= codes[interval + step]) interval += step;
    interval = interval < last_interval ? interval : last_interval;  // the others fill up the tree

#if FLOATING == 52
    const double scale = scales[interval];
    const double offset = __dsub_rn(__dmul_rn(value_of(bits), scale),
                                    __dmul_rn(value_of(edges[interval]), scale));
#else
    const double offset = distance(value_of(bits), value_of(edges[interval]));
#endif
    const u32 place = (u32)__dmul_rn(offset, slopes[interval]);
    return interval * per_interval + (place < per_interval ? place : per_interval - 1);
}
