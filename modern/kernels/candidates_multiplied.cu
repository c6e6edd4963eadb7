// Nearest neighbours: the points whose products with a query, plus their norms, are within its limit. Products
// are made on tensor cores and looked at in registers; they are never written.
//
// A float is the sum of two shorter ones of 11 bits (TF32), but for about 2^-22 of it, so three products of
// these are as good as one of floats. A block has 128 queries, a warp 16 of them, and goes through the tiles of
// 64 points of its slice (blockIdx.y) in order; so candidates come in the order of the points.
//
// `points` is (padded, features), and `padded` a multiple of 64; behind the last point norms are NaN, which is
// within no limit. WIDE is the number of features, rounded up to a multiple of 8. counts is (queries, slices)
// and may exceed the room; places and sums are (queries, slices, room). Blocks of 256; compute capability 8.0.

#include "keys.cuh"

#define QUERIES 128
#define TILE 64
#define STEPS (WIDE / 8)   // products of 16 × 8 and 8 × 8 numbers
#define PARTS (TILE / 8)   // of a tile: 8 points each

struct Split {
    u32 high, low;
};

#if __CUDA_ARCH__ >= 800
__device__ __forceinline__ u32 shortened(float value) {
    u32 found;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(found) : "f"(value));
    return found;
}

__device__ __forceinline__ void multiply(float (&sum)[4], const u32 (&a)[4], u32 b0, u32 b1) {
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__device__ __forceinline__ Split split(float value) {
    const u32 high = shortened(value);
    return {high, shortened(value - __uint_as_float(high))};
}
#endif

// Coordinates of a point for this lane: two for each step, 4 apart.
struct Pieces {
    float first[STEPS], second[STEPS];
    __device__ __forceinline__ void load(const float* row, u32 features) {
        const u32 lane = threadIdx.x % 4;
#pragma unroll
        for (u32 i = 0; i < STEPS; ++i) {
            const u32 at = 8 * i + lane;
            first[i] = row && at < features ? row[at] : 0;
            second[i] = row && at + 4 < features ? row[at + 4] : 0;
        }
    }
};

// The candidates of one query in a slice; the four lanes of a query have the same count.
struct Found {
    u32 *places, room, count;
    float *sums, limit;

    // Notes those among the sums of a row of a tile: two for each part of it.
    __device__ __forceinline__ void note(const float (&sum)[PARTS][4], u32 half, u32 first) {
        const u32 column = threadIdx.x % 4 * 2;
        u64 mask = 0;
#pragma unroll
        for (u32 i = 0; i < PARTS; ++i)
#pragma unroll
            for (u32 j = 0; j < 2; ++j)
                if (sum[i][2 * half + j] <= limit) mask |= 1ull << (8 * i + column + j);
        mask |= __shfl_xor_sync(FULL, mask, 1);
        mask |= __shfl_xor_sync(FULL, mask, 2);
#pragma unroll
        for (u32 i = 0; i < PARTS; ++i)
#pragma unroll
            for (u32 j = 0; j < 2; ++j) {
                const u32 bit = 8 * i + column + j;
                const u32 at = count + __popcll(mask & ((1ull << bit) - 1));
                if (mask >> bit & 1 && at < room) places[at] = first + bit, sums[at] = sum[i][2 * half + j];
            }
        count += __popcll(mask);
    }
};

extern "C" __global__ void __launch_bounds__(256, 2)
    candidates_multiplied(const float* points, u32 features, u32 padded, const float* norms, const float* asked,
                          u32 queries, const float* limits, u32* counts, u32* places, float* sums, u32 room) {
#if __CUDA_ARCH__ >= 800
    __shared__ uint4 tile[STEPS][PARTS][LANES];  // what each lane needs: two numbers, each split
    const u32 lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
    const u32 tiles = padded / TILE;
    const u32 begin = (u32)((u64)tiles * blockIdx.y / gridDim.y);
    const u32 end = (u32)((u64)tiles * (blockIdx.y + 1) / gridDim.y);

    u32 high[STEPS][4], low[STEPS][4];
    Found found[2];
#pragma unroll
    for (u32 half = 0; half < 2; ++half) {
        const u32 query = blockIdx.x * QUERIES + warp * 16 + half * 8 + lane / 4;
        Pieces own;
        own.load(query < queries ? asked + (u64)query * features : nullptr, features);
#pragma unroll
        for (u32 i = 0; i < STEPS; ++i) {
            const Split first = split(own.first[i]), second = split(own.second[i]);
            high[i][half] = first.high, low[i][half] = first.low;
            high[i][2 + half] = second.high, low[i][2 + half] = second.low;
        }
        const u64 row = (u64)(query < queries ? query : 0) * gridDim.y + blockIdx.y;
        found[half] = {places + row * room, query < queries ? room : 0, 0, sums + row * room,
                       query < queries ? limits[query] : __uint_as_float(0x7fffffff)};
    }

    Pieces next;  // warp w splits part w of the next tile
    static_assert(PARTS == 8, "a part for each warp");
    const auto fetch = [&](u32 number) {
        next.load(points + (u64)(number * TILE + warp * 8 + lane / 4) * features, features);
    };
    if (begin < end) fetch(begin);
    for (u32 number = begin; number < end; ++number) {
#pragma unroll
        for (u32 i = 0; i < STEPS; ++i) {
            const Split first = split(next.first[i]), second = split(next.second[i]);
            tile[i][warp][lane] = {first.high, second.high, first.low, second.low};
        }
        __syncthreads();
        if (number + 1 < end) fetch(number + 1);
        const u32 first = number * TILE;
        float sum[PARTS][4];
#pragma unroll
        for (u32 i = 0; i < PARTS; ++i) {
            const float2 norm = *(const float2*)(norms + first + 8 * i + lane % 4 * 2);
            sum[i][0] = sum[i][2] = norm.x, sum[i][1] = sum[i][3] = norm.y;
        }
#pragma unroll
        for (u32 step = 0; step < STEPS; ++step)
#pragma unroll
            for (u32 i = 0; i < PARTS; ++i) {
                const uint4 b = tile[step][i][lane];
                multiply(sum[i], low[step], b.x, b.y);
                multiply(sum[i], high[step], b.z, b.w);
                multiply(sum[i], high[step], b.x, b.y);
            }
        bool any = false;
#pragma unroll
        for (u32 i = 0; i < PARTS; ++i)
#pragma unroll
            for (u32 j = 0; j < 4; ++j) any |= sum[i][j] <= found[j / 2].limit;
        if (__any_sync(FULL, any)) found[0].note(sum, 0, first), found[1].note(sum, 1, first);
        __syncthreads();
    }
#pragma unroll
    for (u32 half = 0; half < 2; ++half) {
        const u32 query = blockIdx.x * QUERIES + warp * 16 + half * 8 + lane / 4;
        if (query < queries && !(lane % 4)) counts[(u64)query * gridDim.y + blockIdx.y] = found[half].count;
    }
#endif
}
