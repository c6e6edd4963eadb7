// A filter for the keys of buckets that have a flag: COUNT bits in shared memory.

__shared__ u32 flags[COUNT / 32];

// Loads the flags; returns whether any is set.
__device__ __forceinline__ bool load_flags(const u32* from) {
    u32 any = 0;
    for (u32 i = threadIdx.x; i < COUNT / 32; i += blockDim.x) any |= flags[i] = from[i];
    return __syncthreads_or(any);
}

struct Flagged {
    const Division& division;
    __device__ __forceinline__ bool wants(RAW bits) const {
        if (!is_inside(division, bits)) return false;
        const u32 bucket = bucket_of(division, bits);
        return flags[bucket / 32] >> bucket % 32 & 1;
    }
    // projecting a second time is more expensive than storing the result
    __device__ __forceinline__ bool again(RAW, bool wanted) const { return wanted; }
};
