// Where the codes come from that one_read.cu narrows, and the few keys that its blocks hand to the last one.

#define AT_ONCE 2   // loads of spilled keys
#define MOST_HELD (u32)(4 * BINS / KEY_BYTES)  // keys in the memory of the bins

// The lists of one block.
struct Own {
    u32 end;
    template <class Body>
    __device__ __forceinline__ void operator()(Body body) const {
#pragma unroll 1
        for (u32 i = 0; i < end; i += THREADS) body(encode(LISTS[threadIdx.x + i]));
    }
};

struct Staged {
    const RAW* spilled;
    u64 count;  // of the spilled keys
    u32 end;    // of the own list
    template <class Body>
    __device__ __forceinline__ void operator()(Body body) const {
        Own{end}(body);
        const u64 threads = (u64)gridDim.x * THREADS;
        for (u64 i = (u64)blockIdx.x * THREADS + threadIdx.x; i < count; i += AT_ONCE * threads) {
            RAW bits[AT_ONCE];
#pragma unroll
            for (u32 j = 0; j < AT_ONCE; ++j)
                if (i + j * threads < count) bits[j] = fresh_key(&spilled[i + j * threads]);
#pragma unroll
            for (u32 j = 0; j < AT_ONCE; ++j)
                if (i + j * threads < count) body(encode(bits[j]));
        }
    }
};

struct All {
    const RAW* keys;
    u64 n;
    template <class Body>
    __device__ __forceinline__ void operator()(Body body) const {
        const u64 threads = (u64)gridDim.x * THREADS;
#pragma unroll 1
        for (u64 i = (u64)blockIdx.x * THREADS + threadIdx.x; i < n; i += threads) body(encode(keys[i]));
    }
};

// Hands the few keys that are left to the last block: those of this block together, by one addition to the
// number of all, which takes long. They wait where the bins are.
struct Gathered {
    u64 *few, *count;
    u32* held;

    __device__ __forceinline__ Gathered(u64* few, u64* count) : few(few), count(count) {
        __shared__ u32 of_block;
        held = &of_block;
        if (!threadIdx.x) of_block = 0;
        __syncthreads();
    }

    __device__ __forceinline__ void take(RAW bits) const {
        const u32 at = atomicAdd(held, 1u);
        if (at < MOST_HELD) ((RAW*)memory)[at] = bits;
        else few[atomicAdd(count, 1ull)] = bits;
    }

    __device__ __forceinline__ void hand_over() const {
        __shared__ u64 start;
        __syncthreads();
        const u32 some = *held < MOST_HELD ? *held : MOST_HELD;
        if (!threadIdx.x && some) start = atomicAdd(count, (u64)some);
        __syncthreads();
        for (u32 i = threadIdx.x; i < some; i += THREADS) few[start + i] = ((RAW*)memory)[i];
    }
};

// Takes the few keys that all blocks left, instead of the own ones.
__device__ __forceinline__ Own take_few(const u64* few, u64 count) {
    Own own{0};
#pragma unroll 1
    for (u32 i = threadIdx.x; i < count; i += THREADS, own.end += THREADS)
        LISTS[threadIdx.x + own.end] = (RAW)fresh(&few[i]);
    return own;
}
