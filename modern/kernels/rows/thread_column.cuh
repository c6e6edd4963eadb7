// A row or column that one thread holds in its registers: LENGTH keys from `begin` on, `step` apart. Neighbouring
// threads have neighbouring columns, so that whole lines of memory are read. With ALIGNED, the keys are neighbours
// instead, in whole loads of 16 bytes. Column i is number i % inner of outer place i / inner; there are fewer than 2³².

struct ThreadColumn {
    const RAW* begin;  // null if there is no column
    u32 outer, at;     // its places in the outer and the inner axis

    __device__ __forceinline__ ThreadColumn(const RAW* keys, u64 columns, u64 outer_step, u32 inner) {
        const u64 number = (u64)blockIdx.x * blockDim.x + threadIdx.x;
        outer = (u32)number / inner, at = (u32)number % inner;
        begin = number < columns ? keys + outer * outer_step + at : nullptr;
    }

    __device__ __forceinline__ void hold_in(RAW (&held)[LENGTH], u64 step) const {
#if ALIGNED
#pragma unroll
        for (int i = 0; i < LENGTH / PER_LOAD; ++i) {
            Load loaded;
            loaded.words = ((const uint4*)begin)[i];  // the next load finds the same lines in the cache
#pragma unroll
            for (int k = 0; k < PER_LOAD; ++k) held[i * PER_LOAD + k] = loaded.keys[k];
        }
#else
#pragma unroll
        for (int i = 0; i < LENGTH; ++i) held[i] = begin[i * step];
#endif
    }

    // Where answer i of `count` belongs.
    __device__ __forceinline__ u64 place(u32 count, u32 i, u32 inner) const {
        return ((u64)outer * count + i) * inner + at;
    }
};
