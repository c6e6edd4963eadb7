// cells, fifth kernel: finds the key of each rank in the part that has the keys of its cell, by histograms
// (code_ranges.cuh). `ends` has the place where each part ends; `table` and `result` are those of
// cells_counted.cu. Ranks without a part are skipped, and so are parts of more than `most` keys.
//
// One block of THREADS for each rank. Reads the part once for each 12 bits until few keys are left, and
// once more.

#include "keys.cuh"
#include "code_ranges.cuh"

// Large blocks are for few ranks: one is on a multiprocessor, and its threads have more loads on their way.
#define BLOCKS (THREADS == 1024 ? 1 : 2048 / THREADS)
#define AT_ONCE (THREADS == 1024 ? 8 : 4)

struct Part {
    const RAW* keys;
    u32 size;
    template <class Body>
    __device__ __forceinline__ void operator()(Body body) const {
        for (u32 i = threadIdx.x; i < size; i += AT_ONCE * THREADS) {
            RAW some[AT_ONCE];
#pragma unroll
            for (u32 j = 0; j < AT_ONCE; ++j)
                if (i + j * THREADS < size) some[j] = keys[i + j * THREADS];
#pragma unroll
            for (u32 j = 0; j < AT_ONCE; ++j)
                if (i + j * THREADS < size) body(encode(some[j]));
        }
    }
};

extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS)
    cells_ranked(const RAW* keys, u64 n, u64 most, const u64* ends, const u64* table, u32 asked, u64* result) {
    __shared__ u64 rank[2];
    __shared__ Range range[2];
    const u64* row = table + blockIdx.x;
    const u64 before = row[asked], size = row[2 * asked], number = row[3 * asked];
    if (!number || size > most || ends[number - 1] > n) return;  // without room it was not copied
    const Part part{keys + (ends[number - 1] - size), (u32)size};
    if (threadIdx.x < 2) {
        rank[threadIdx.x] = row[4 * asked] - before;
        range[threadIdx.x] = {(RAW)row[5 * asked], (RAW)row[6 * asked], 0, size};
    }
    __syncthreads();
    if (!row[5 * asked] || (RAW)row[6 * asked] == (RAW)~(RAW)0) find_ends(range, part);
    narrow_to_few(range, rank, part);
    compare(range, rank, part);
    if (threadIdx.x) return;
    result[blockIdx.x] = decode(range[0].first);
    result[asked + blockIdx.x] = before + range[0].before;
    result[2 * asked + blockIdx.x] = range[0].here;
}
