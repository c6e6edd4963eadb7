// A column of keys that are `step` apart, as a source for ranges of codes: all threads of a block read it. CODE_OF(bits)
// is the code of a key.

#include "code_ranges.cuh"

struct StridedColumn {
    const RAW* keys;
    u64 step;
    u32 length;
    template <class Body>
    __device__ __forceinline__ void operator()(Body body) const {
        for (u32 i = threadIdx.x; i < length; i += THREADS) body(CODE_OF(keys[i * step]));
    }
};
