// The codes of a row that a block has, and those of a sample of it. CODE_OF(bits) is the code of a key.

struct Row {
    const RAW* keys;
    u64 n;
    template <class Body>
    __device__ __forceinline__ void operator()(Body body) const {
        for_each_key_of_block(keys, n, [&](RAW bits) { body(CODE_OF(bits)); });
    }
};

// Each thread takes `samples` loads of 16 bytes. Two threads take neighbouring loads, as memory is read by 32 bytes.
struct RowSample {
    Row row;
    u32 samples;
    template <class Body>
    __device__ __forceinline__ void operator()(Body body) const {
#pragma unroll 2
        for (u32 j = 0; j < samples; ++j) {
            const Load loaded = sampled_load<2>(row.keys, row.n, threadIdx.x + j * THREADS, samples * THREADS);
#pragma unroll
            for (int k = 0; k < PER_LOAD; ++k) body(CODE_OF(loaded.keys[k]));
        }
    }
};
