// Steps of a sorting network, tile by tile in shared memory. Twin: Network.apply (shadersort/drawing/networks.py).
//
// A tile is a set of wires that the steps do not leave (modern/rows/network_tiles.py plans it): 2^bits places, and a wire
// is the XOR of the columns of those bits that the place and, above it, the number of the tile have. Columns keep the
// order. So a step compares place with place ^ mask, and leaves the smaller key at the lower place, as on the wires.
//
// Wires behind the end of a row hold PAD, the largest key. Every comparator leaves it there, so they need no memory.
//
// Reads and writes every key once; may sort in place. One block of THREADS for each tile of each row, of at most THREADS *
// ITEMS places. `from_raw`, `to_raw`: 1 if the keys that are read, or written, are as in the array; 0 if they are flipped.

#include "keys.cuh"
#include "flipped_keys.cuh"

struct Steps {
    u64 columns[COLUMNS];
    unsigned short masks[MASKS];

    __device__ __forceinline__ u64 wire_of(u64 place) const {
        u64 wire = 0;
        for (u32 bit = 0; place >> bit; ++bit)
            if (place >> bit & 1) wire ^= columns[bit];
        return wire;
    }
};

extern "C" __global__ void __launch_bounds__(THREADS)
    network_tile(const RAW* keys, u64 length, u64 tiles, u32 bits, u32 count, u32 from_raw, u32 to_raw, RAW* sorted,
                 const __grid_constant__ Steps steps) {
    __shared__ RAW held[THREADS * ITEMS];
    const u64 start = blockIdx.x / tiles * length, tile = blockIdx.x % tiles;
    if (steps.wire_of(tile << bits) >= length) return;  // all wires of the tile are behind the end
    const u64 own = steps.wire_of(tile << bits | threadIdx.x);  // the number of a thread may have more bits than a place
    const u32 size = 1u << bits;
    UNROLLED for (u32 i = 0; i < ITEMS; ++i) {
        const u32 place = i * THREADS + threadIdx.x;
        const u64 wire = own ^ steps.wire_of(i * THREADS);
        if (place >= size) continue;
        held[place] = PAD;
        if (wire < length) held[place] = from_raw ? flip(keys[start + wire]) : keys[start + wire];
    }
    for (u32 step = 0; step < count; ++step) {
        const u32 mask = steps.masks[step], half = 1u << (31 - __clz(mask));
        __syncthreads();
#pragma unroll 4
        for (u32 i = threadIdx.x; i < size / 2; i += THREADS) {
            const u32 low = 2 * i - (i & (half - 1)), high = low ^ mask;
            const RAW a = held[low], b = held[high];
            if (b < a) held[low] = b, held[high] = a;
        }
    }
    __syncthreads();
    UNROLLED for (u32 i = 0; i < ITEMS; ++i) {
        const u32 place = i * THREADS + threadIdx.x;
        const u64 wire = own ^ steps.wire_of(i * THREADS);
        if (place < size && wire < length) sorted[start + wire] = to_raw ? unflip(held[place]) : held[place];
    }
}
