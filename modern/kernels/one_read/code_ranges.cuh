// Narrowing ranges of codes to the ranks that are wanted, by histograms of 4 bins for each thread. The codes
// come from a source: a call with a function of a code, which all threads make together.
//
// Two ranks are narrowed at once, each in a range of its own. As long as the ranges are the same, they
// share all bins; afterwards each has half of them. Blocks of THREADS, 1,024, and 16 bytes of shared memory for each
// thread. The functions are not inlined: a kernel of a few kilobytes is in the instruction cache sooner.


#define BINS (4 * THREADS)
#define BITS 12                 // of a bin
#define FEW 4096                // keys that one block narrows alone
#define COMPARED (THREADS / 2)  // keys that are compared with each other
#define LEVELS 24               // histograms of one launch, at most

extern __shared__ __align__(16) u64 memory[];

// Reads a key that another block wrote, by a load that does not wait for the whole system as a volatile one may.
__device__ __forceinline__ RAW fresh_key(const RAW* key) {
#if KEY_BYTES == 8
    u64 bits;
    asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(bits) : "l"(key) : "memory");
#elif KEY_BYTES == 4
    u32 bits;
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(bits) : "l"(key) : "memory");
#else
    const RAW bits = fresh(key);
#endif
    return bits;
}

// Calls `body` for keys that other blocks wrote, from `first` on in steps: AT_ONCE loads are on their way together.
template <u32 AT_ONCE, class Body>
__device__ __forceinline__ void each_fresh(const RAW* keys, u64 n, u64 first, u64 step, Body body) {
    for (u64 i = first; i < n; i += AT_ONCE * step) {
        RAW some[AT_ONCE];
        UNROLLED for (u32 j = 0; j < AT_ONCE; ++j)
            if (i + j * step < n) some[j] = fresh_key(&keys[i + j * step]);
        UNROLLED for (u32 j = 0; j < AT_ONCE; ++j)
            if (i + j * step < n) body(some[j]);
    }
}

// A source of the codes of a load.
template <RAW (*CODE_OF)(RAW)>
struct Sampled {
    Load loaded;
    template <class Body>
    __device__ __forceinline__ void operator()(Body body) const {
        UNROLLED for (int i = 0; i < PER_LOAD; ++i) body(CODE_OF(loaded.keys[i]));
    }
};

// A source of codes that other blocks wrote, for one block.
struct Fresh {
    const RAW* codes;
    u64 count;
    template <class Body>
    __device__ __forceinline__ void operator()(Body body) const {
        each_fresh<8>(codes, count, threadIdx.x, THREADS, body);
    }
};

// A source of the codes of all keys, for all blocks.
template <RAW (*CODE_OF)(RAW)>
struct All {
    const RAW* keys;
    u64 n;
    template <class Body>
    __device__ __forceinline__ void operator()(Body body) const {
        const u64 threads = (u64)gridDim.x * THREADS;
        ROLLED for (u64 i = (u64)blockIdx.x * THREADS + threadIdx.x; i < n; i += threads) body(CODE_OF(keys[i]));
    }
};

struct Range {
    RAW first, last;   // codes
    u64 before, here;  // keys of the source before the range, and in it
    __device__ __forceinline__ bool has(RAW code) const { return code >= first && code <= last; }
    __device__ __forceinline__ bool is_one() const { return first == last; }
};

__device__ __forceinline__ bool same(const Range* range) {
    return range[0].first == range[1].first && range[0].last == range[1].last;
}

// The shift that leaves bins of at most `bits` bits.
__device__ __forceinline__ u32 shift_for(const Range& range, u32 bits) {
    const u64 width = (u64)(RAW)(range.last - range.first);
    const u32 wide = 64 - __clzll(width);
    return wide > bits ? wide - bits : 0;
}

// Finds the bins of both ranks among counters, of which each thread has four; those of the second range
// begin at `start`. `Number` holds the number of all keys in the ranges.
template <class Number>
__device__ __noinline__ void locate(Range* range, const u64* rank, const u32 (&shift)[2], u32 start,
                                    const Number (&count)[4]) {
    const Number sum = count[0] + count[1] + count[2] + count[3], start_of_thread = before_in_block(sum);
    const Number of_first = start ? (Number)range[0].here : 0;  // keys in the bins before `start`
    __shared__ Range found[2];
    ROLLED for (u32 r = 0; r < 2; ++r) {
        const Number skipped = r ? of_first : 0, wanted = (Number)(rank[r] - range[r].before) + skipped;
        Number before = start_of_thread;
        if (wanted < before || wanted >= before + sum) continue;
        u32 bin = 4 * threadIdx.x - (r ? start : 0), i = 0;
        for (; i < 3 && wanted >= before + count[i]; ++i) before += count[i];
        const RAW first = range[r].first + (RAW)((RAW)(bin + i) << shift[r]);
        const RAW left = (RAW)(range[r].last - first), wide = (RAW)(((RAW)1 << shift[r]) - 1);
        found[r] = {first, left > wide ? (RAW)(first + wide) : range[r].last,  // the last bin may be cut off
                    range[r].before + (before - skipped), count[i]};
    }
    __syncthreads();
    if (threadIdx.x < 2) range[threadIdx.x] = found[threadIdx.x];
    __syncthreads();
}

// Sets the shifts of the bins of both ranges. Returns where those of the second begin.
__device__ __forceinline__ u32 shift_bins(const Range* range, u32 (&shift)[2]) {
    const u32 start = same(range) ? 0 : BINS / 2, bits = BITS - !!start;
    shift[0] = shift_for(range[0], bits), shift[1] = shift_for(range[1], bits);
    return start;
}

// Counts the codes of a source in the bins of the ranges, in shared memory. Returns where those of the second begin.
template <class Source>
__device__ __forceinline__ u32 count_bins(u32* bins, const Range* range, u32 (&shift)[2], Source source) {
    const Range low = range[0], high = range[1];
    const u32 start = shift_bins(range, shift);
    for (u32 i = threadIdx.x; i < BINS; i += THREADS) bins[i] = 0;
    __syncthreads();
    source([&](RAW code) {
        if (low.has(code))
            atomicAdd(&bins[(u32)((RAW)(code - low.first) >> shift[0])], 1);
        else if (start && high.has(code))
            atomicAdd(&bins[start + (u32)((RAW)(code - high.first) >> shift[1])], 1);
    });
    __syncthreads();
    return start;
}

// Narrows the ranges over a source that this block has alone.
template <class Source>
__device__ __noinline__ void narrow_alone(Range* range, const u64* rank, Source source) {
    u32 *bins = (u32*)memory, shift[2];
    const u32 start = count_bins(bins, range, shift, source);
    const u32* own = bins + 4 * threadIdx.x;
    const u32 count[4] = {own[0], own[1], own[2], own[3]};
    locate(range, rank, shift, start, count);
}

// Narrows the ranges to the smallest and the largest code that they have: few different codes, or codes at
// one end of a wide range, need fewer histograms then.
template <class Source>
__device__ __noinline__ void find_ends(Range* range, Source source) {
    __shared__ u64 low[2], high[2];
    const Range given[2] = {range[0], range[1]};
    const bool one = same(range);
    if (threadIdx.x < 2) low[threadIdx.x] = ~0ull, high[threadIdx.x] = 0;
    __syncthreads();
    RAW first[2] = {(RAW)~(RAW)0, (RAW)~(RAW)0}, last[2] = {0, 0};
    source([&](RAW code) {
        UNROLLED for (u32 r = 0; r < 2; ++r)
            if (!(r && one) && given[r].has(code))
                first[r] = code < first[r] ? code : first[r], last[r] = code > last[r] ? code : last[r];
    });
    if (one) first[1] = first[0], last[1] = last[0];
    UNROLLED for (u32 r = 0; r < 2; ++r) {
        const u64 least = warp_least((u64)first[r]), most = ~warp_least(~(u64)last[r]);
        if (!(threadIdx.x % LANES)) atomicMin(&low[r], least), atomicMax(&high[r], most);
    }
    __syncthreads();
    if (threadIdx.x < 2 && low[threadIdx.x] <= high[threadIdx.x])  // a range that is found may be left out
        range[threadIdx.x].first = (RAW)low[threadIdx.x], range[threadIdx.x].last = (RAW)high[threadIdx.x];
    __syncthreads();
}

// Narrows the ranges over a source that this block has alone, until few keys are left in each, or one code.
template <class Source>
__device__ __forceinline__ void narrow_to_few(Range* range, const u64* rank, Source source) {
    const auto is_wide = [](const Range& one) { return !one.is_one() && one.here > COMPARED; };
    for (bool ends = false; is_wide(range[0]) || is_wide(range[1]); ends = !ends) {
        if (ends) find_ends(range, source);
        else narrow_alone(range, rank, source);
    }
}

// Narrows ranges with few codes to the codes of their ranks: two lanes compare one code with every other one.
template <class Source>
__device__ __noinline__ void compare(Range* range, const u64* rank, Source source) {
    __shared__ u32 held[2];
    __shared__ Range answer[2];
    RAW(*codes)[COMPARED] = (RAW(*)[COMPARED])memory;  // of both ranges
    const bool one = same(range);
    if (threadIdx.x < 2) held[threadIdx.x] = 0;
    __syncthreads();
    const RAW least = range[0].first < range[1].first ? range[0].first : range[1].first;
    const RAW most = range[0].last > range[1].last ? range[0].last : range[1].last;
    source([&](RAW code) {
        if ((RAW)(code - least) > (RAW)(most - least)) return;  // most codes, by one test
        ROLLED for (u32 r = 0; r < 2 - one; ++r)
            if (range[r].has(code) && !range[r].is_one()) codes[r][atomicAdd(&held[r], 1)] = code;
    });
    __syncthreads();
    ROLLED for (u32 r = 0; r < 2 - one; ++r) {
        const u32 count = held[r], mine = threadIdx.x / 2;
        if (mine / LANES * LANES >= count) continue;
        const RAW code = codes[r][mine];
        u32 before = 0, here = 0;
#pragma unroll 4
        for (u32 i = threadIdx.x % 2; i < count; i += 2) before += codes[r][i] < code, here += codes[r][i] == code;
        before += __shfl_xor_sync(FULL, before, 1), here += __shfl_xor_sync(FULL, here, 1);
        for (u32 q = r; mine < count && q <= r + one; ++q) {
            const u32 wanted = (u32)(rank[q] - range[q].before);
            if (wanted >= before && wanted < before + here)  // equal codes write the same
                answer[q] = {code, code, range[q].before + before, here};
        }
    }
    __syncthreads();
    if (threadIdx.x < 2 && held[one ? 0 : threadIdx.x]) range[threadIdx.x] = answer[threadIdx.x];
    __syncthreads();
}

// Narrows them over a source of which each block has a part. Returns the number of meetings so far. `totals` are
// 0 before. PACKED: no bin can have 2³² keys, so two bins are added at once.
template <bool PACKED, class Source>
__device__ __noinline__ u32 narrow_together(Range* range, const u64* rank, Source source, u64* totals, u32* arrived,
                                            u32 meetings) {
    u32 *bins = (u32*)memory, shift[2];
    const u32 start = count_bins(bins, range, shift, source);
    for (u32 i = threadIdx.x; i < (PACKED ? BINS / 2 : BINS); i += THREADS) {
        const u64 counted = PACKED ? ((u64*)bins)[i] : bins[i];
        if (counted) atomicAdd(&totals[i], counted);
    }
    meet(arrived, meetings);
    const u64* own = totals + (PACKED ? 2 : 4) * threadIdx.x;
    if (PACKED) {
        const u64 one = fresh(own), other = fresh(own + 1);
        const u32 count[4] = {(u32)one, (u32)(one >> 32), (u32)other, (u32)(other >> 32)};
        locate(range, rank, shift, start, count);
    } else {
        const u64 count[4] = {fresh(own), fresh(own + 1), fresh(own + 2), fresh(own + 3)};
        locate(range, rank, shift, start, count);
    }
    return meetings;
}
