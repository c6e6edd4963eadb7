// The projection of bucketSelect and bucketMultiSelect as printed: in double precision, rounded towards
// zero. No product is fused with a sum, so that NumPy finds the same bucket for every key.

__device__ __forceinline__ double projected(double key, double low, double slope) {
    return trunc(__dmul_rn(__dsub_rn(key, low), slope));
}

// The bucket of a key, or the dummy bucket for a place outside.
__device__ __forceinline__ u32 bucket_at(double place, u32 buckets) {
    return place >= 0 && place < buckets ? (u32)place : buckets;
}

// Calls `body` for each place of a vector; block b always has the same places in a grid of one size.
template <class Body>
__device__ __forceinline__ void for_each_place(u64 n, Body body) {
    const u64 offset = (u64)gridDim.x * blockDim.x;
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += offset) body(i);
}
