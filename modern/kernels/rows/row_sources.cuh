// The codes of a row that a block has, and those of a sample of it. CODE_OF(bits) is the code of a key.

#ifndef KEPT
#define KEPT 4  // a sample of up to so many loads of each thread may be kept in shared memory
#endif

struct Row {
    const RAW* keys;
    u64 n;
    template <class Body>
    __device__ __forceinline__ void operator()(Body body) const {
        for_each_key_of_block(keys, n, [&](RAW bits) { body(CODE_OF(bits)); });
    }
};

// Each thread takes `samples` loads of 16 bytes: a power of two. Neighbouring threads take neighbouring loads, as
// memory is read by 32 bytes and more. Where there is room in shared memory, they are read once: key i of a thread is
// then kept[i * THREADS + threadIdx.x].
struct RowSample {
    Row row;
    u32 samples;
    RAW* kept;  // null if there is no room

    template <class Body>
    __device__ __forceinline__ void each_load(Body body) const {
#pragma unroll 4
        for (u32 j = 0; j < samples; ++j)
            body(sampled_load<2, true>(row.keys, row.n, threadIdx.x + j * THREADS, samples * THREADS), j);
    }

    __device__ __forceinline__ void read() const {
        if (!kept) return;
        each_load([&](const Load& loaded, u32 j) {
#pragma unroll
            for (int k = 0; k < PER_LOAD; ++k) kept[(j * PER_LOAD + k) * THREADS + threadIdx.x] = loaded.keys[k];
        });
    }

    template <class Body>
    __device__ __forceinline__ void operator()(Body body) const {
        if (kept) {
#pragma unroll 4
            for (u32 i = 0; i < samples * PER_LOAD; ++i) body(CODE_OF(kept[i * THREADS + threadIdx.x]));
        } else {
            each_load([&](const Load& loaded, u32) {
#pragma unroll
                for (int k = 0; k < PER_LOAD; ++k) body(CODE_OF(loaded.keys[k]));
            });
        }
    }
};
