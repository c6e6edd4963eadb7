// The lesser and the greater number; what the threads of a warp, a block or a launch do together; and binary search.

template <class Number>
__device__ __forceinline__ Number lesser(Number a, Number b) { return b < a ? b : a; }
template <class Number>
__device__ __forceinline__ Number greater(Number a, Number b) { return a < b ? b : a; }

// The sum of a value over a warp, in lane 0.
template <class Number>
__device__ __forceinline__ Number warp_sum(Number value) {
    UNROLLED for (int step = LANES / 2; step; step >>= 1) value += __shfl_down_sync(FULL, value, step);
    return value;
}

// Adds what each lane has to a number in shared memory.
__device__ __forceinline__ void add_to(u32* total, u32 mine) {
    const u32 sum = warp_sum(mine);
    if (!(threadIdx.x % LANES) && sum) atomicAdd(total, sum);
}

template <class Number>
__device__ __forceinline__ Number warp_least(Number value) {
    UNROLLED for (int step = LANES / 2; step; step >>= 1) value = lesser(value, __shfl_down_sync(FULL, value, step));
    return value;
}

// Reads what another block wrote, bypassing the cache of this block. (The compiler may move the
// intrinsic __ldcg across barriers, as it assumes that the memory does not change.)
template <class Word>
__device__ __forceinline__ Word fresh(const Word* word) { return *(const volatile Word*)word; }

// Adds to a total of all blocks, and returns what it was. With PIECES it may be in another device's memory.
__device__ __forceinline__ u64 add_for_all(u64* total, u64 mine) {
#if PIECES
    return atomicAdd_system(total, mine);
#else
    return atomicAdd(total, mine);
#endif
}

// Whether this block is the last to come here. The last block sees everything that all wrote before.
// `ticket` is 0 before and after.
__device__ __forceinline__ bool comes_last(u32* ticket) {
    __shared__ bool last;
    __threadfence();
    __syncthreads();
    if (!threadIdx.x) last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
    __syncthreads();
    __threadfence();
    return last;
}

// Waits until all blocks are here, for the `meetings`-th time in this launch. They run at the same time, at most one on
// each multiprocessor. Everything that they wrote before is visible then. `arrived` is 0 before and after the launch; its
// last block resets it.
__device__ __forceinline__ void meet(u32* arrived, u32& meetings) {
    ++meetings;
    __syncthreads();
    if (gridDim.x == 1) return;
    if (!threadIdx.x) {
        __threadfence();
        atomicAdd(arrived, 1u);
        while (*(volatile u32*)arrived < meetings * gridDim.x)
            ;
        __threadfence();
    }
    __syncthreads();
}

// The sum over the lanes before this one.
template <class Number>
__device__ __forceinline__ Number before_in_warp(Number mine) {
    Number sum = mine;
    UNROLLED for (int step = 1; step < LANES; step <<= 1) {
        const Number other = __shfl_up_sync(FULL, sum, step);
        if (threadIdx.x % LANES >= step) sum += other;
    }
    return sum - mine;
}

// The sum over the threads before this one. They need a barrier after it before they call it again.
template <class Number>
__device__ Number before_in_block(Number mine) {
    __shared__ Number of_warp[LANES];
    const u32 lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
    const Number before = before_in_warp(mine);
    if (lane == LANES - 1) of_warp[warp] = before + mine;
    __syncthreads();
    const Number before_warp = before_in_warp(lane < blockDim.x / LANES ? of_warp[lane] : (Number)0);
    return before + __shfl_sync(FULL, before_warp, warp);
}

// The first number from `first` to `last` for which a test fails; it holds for all numbers before.
template <class Number, class Test>
__device__ __forceinline__ Number partition_point(Number first, Number last, Test holds) {
    while (first < last) {
        const Number middle = first + (last - first) / 2;
        if (holds(middle)) first = middle + 1;
        else last = middle;
    }
    return first;
}

// The place of a value in an ascending table, or `count` if it is not there.
template <class Value>
__device__ __forceinline__ u32 place_among(const Value* table, u32 count, Value value) {
    const u32 place = partition_point(0u, count, [&](u32 i) { return table[i] < value; });
    return place < count && table[place] == value ? place : count;
}
