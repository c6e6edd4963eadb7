// Nearest neighbours: the points of a block whose products with a query are within its limit, for many
// queries. A warp takes a query, and looks at its products in the order of the points; so its candidates come
// in that order, and launches for one block after the other go on where the last one ended.
//
// `products` is (queries, points), and the number of points is a multiple of 512; each product gets the norm
// of its point. `first` is the place of the block's first point. counts[query] says how many candidates there
// are, which may exceed the room; places and sums are (queries, room). Blocks of any number of warps.

#include "keys.cuh"
#include "scan.cuh"

#define AT_ONCE 4  // loads of a lane
#define ACROSS (4 * LANES)

struct Found {
    u32 *places, room, count;
    float* sums;
    // Notes the candidates among four neighbouring points of each lane.
    __device__ __forceinline__ void note(const float4& sum, float limit, u32 place) {
        const float each[4] = {sum.x, sum.y, sum.z, sum.w};
        u32 mine = 0;
#pragma unroll
        for (u32 i = 0; i < 4; ++i) mine += each[i] <= limit;
        if (!__any_sync(FULL, mine)) return;
        u32 at = count + before_in_warp(mine);
        count = __shfl_sync(FULL, at + mine, LANES - 1);
#pragma unroll
        for (u32 i = 0; i < 4; ++i)
            if (each[i] <= limit) {
                if (at < room) places[at] = place + i, sums[at] = each[i];
                ++at;
            }
    }
};

extern "C" __global__ void __launch_bounds__(256)
    candidates_staged(const float* products, u32 points, const float* norms, u32 first, u32 queries,
                      const float* limits, u32* counts, u32* places, float* sums, u32 room) {
    const u32 lane = threadIdx.x % LANES;
    const u32 query = blockIdx.x * (blockDim.x / LANES) + threadIdx.x / LANES;
    if (query >= queries) return;
    const float limit = limits[query];
    Found found{places + (u64)query * room, room, counts[query], sums + (u64)query * room};
    const float* own = products + (u64)query * points;
    for (u32 start = 4 * lane; start < points; start += AT_ONCE * ACROSS) {
        float4 sum[AT_ONCE];
#pragma unroll
        for (u32 i = 0; i < AT_ONCE; ++i) {
            const float4 product = __ldcs((const float4*)(own + start + i * ACROSS));
            const float4 norm = *(const float4*)(norms + start + i * ACROSS);
            sum[i] = make_float4(product.x + norm.x, product.y + norm.y, product.z + norm.z, product.w + norm.w);
        }
#pragma unroll
        for (u32 i = 0; i < AT_ONCE; ++i) found.note(sum[i], limit, first + start + i * ACROSS);
    }
    if (!lane) counts[query] = found.count;
}
