// Takes the `count` first keys of each row in an order, in the order of their places: those before the last one, and
// as many of its equals as are missing.
//
// Reads every key once. `starts` and `totals` are those of firsts_started.cu. With TOLD, writes the keys and their
// places (outer, count, inner), as answers; otherwise their codes and places, of 32 bits, as rows of `count`. HIGHEST:
// of equal keys takes those at the highest places, and writes codes in the opposite order. See firsts.cuh.

#include "keys.cuh"
#include "firsts.cuh"

#define WARPS (THREADS / LANES)

struct Counts {
    u32 before, equal;
};

// How many keys of both kinds the tile has in earlier warps.
__device__ __forceinline__ Counts in_earlier_warps(const Sides& sides) {
    __shared__ u32 before[WARPS], equal[WARPS];
    const u32 warp = threadIdx.x / LANES;
    const Counts mine = {sum_in_warp(__popc(sides.before)), sum_in_warp(__popc(sides.equal))};
    if (!lane_of()) before[warp] = mine.before, equal[warp] = mine.equal;
    __syncthreads();
    const bool earlier = lane_of() < warp;
    return {sum_in_warp(earlier ? before[lane_of()] : 0), sum_in_warp(earlier ? equal[lane_of()] : 0)};
}

// Which of the equal keys of a row are taken: `count` of them, from number `first` on.
struct Equals {
    u32 first, count;
    __device__ __forceinline__ bool has(u32 number) const { return number >= first && number - first < count; }
    __device__ __forceinline__ u32 taken_before(u32 number) const {
        return number < first ? 0 : lesser(number - first, count);
    }
};

extern "C" __global__ void __launch_bounds__(THREADS)
    firsts_taken(const RAW* keys, u64 row_step, u32 length, u32 tiles, u32 most, const RAW* pivots, const u32* starts,
                 const u32* totals, u32 count, RAW* found, u32* places, long long* indices) {
    const RowTile tile(keys, row_step, length, tiles, most);
    const Sides sides(tile, pivots[tile.row]);
    const u32 missing = count - totals[2 * tile.row], all = totals[2 * tile.row + 1];
    const Equals equals = {HIGHEST ? all - missing : 0, missing};
    Counts passed = in_earlier_warps(sides);
    passed.before += starts[2ull * blockIdx.x], passed.equal += starts[2ull * blockIdx.x + 1];
    const u32 lanes_before = (1u << lane_of()) - 1;
    for (int i = 0; i < ITEMS; ++i) {
        const bool before = sides.before >> i & 1, equal = sides.equal >> i & 1;
        const u32 befores = __ballot_sync(FULL, before), equal_ones = __ballot_sync(FULL, equal);
        const u32 number = passed.equal + __popc(equal_ones & lanes_before);
        const u32 at = passed.before + __popc(befores & lanes_before) + equals.taken_before(number);
        passed.before += __popc(befores), passed.equal += __popc(equal_ones);
        if (!(before || (equal && equals.has(number)))) continue;
        const u64 to = tile.row * count + (HIGHEST && !TOLD ? count - 1 - at : at);
        const RAW key = tile.keys[tile.place(i)];
        const u32 place = tile.first + tile.place(i);
        found[to] = TOLD ? key : order_of(key);
        if (TOLD) indices[to] = place;
        else places[to] = place;
    }
}
