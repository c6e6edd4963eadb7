// Counts the keys of each column below a bracket of its own, and stages those inside (modern/rows/cuda_columns.py).
//
// Reads every key once. A thread has a part of a column, and a list of CAPACITY keys in shared memory, at most LANES.
// When a list is nearly full, the warp empties its lists: it copies one after the other to the room of its column, so
// that neighbouring lanes write neighbouring keys. `ends` are (outer, inner, 2): the first and the last key of each
// bracket, of which there may be many: they are counted, and so are NaNs, but a second time only where a group of keys
// has one. `counts` are (outer, inner), 0 before; NUMBERS: whether numbers are counted, and with 2, whether many keys
// may be NaN. `staged` is (outer, inner, room), and no key is written behind the room. Blocks of THREADS, with CAPACITY
// times ROW bytes of shared memory.

#include "keys.cuh"
#include "shared_lists.cuh"
#include "column_counts.cuh"
#include "column_span.cuh"

// Bytes from a key of a list to the next one: one word or key more than keys of all threads, so that the lanes that
// read a list find its keys in different banks.
#define ROW (THREADS * KEY_BYTES + (KEY_BYTES < 4 ? 4 : KEY_BYTES))
#define RESIDENT (KEY_BYTES < 8 ? 1024 : 768)  // threads of a multiprocessor: with more, there are too few registers

extern __shared__ u64 memory[];

// The lists of a warp: that of this lane goes from `start` to before `end`, as addresses in shared memory.
struct Lists {
    u32 start, end;

    __device__ __forceinline__ Lists() : start(address_of((RAW*)memory + threadIdx.x)), end(start) {}

    __device__ __forceinline__ void put(RAW bits) { store(end, bits), end += ROW; }
    __device__ __forceinline__ bool is_nearly_full() const { return end > start + (CAPACITY - AHEAD) * ROW; }
    __device__ __forceinline__ u32 held() const { return (end - start) / ROW; }

    // Copies each lane's list to `place`, of which `fits` keys at most are written. By all lanes of a warp.
    __device__ __forceinline__ void empty(RAW* place, u32 fits) {
        const u32 lane = lane_of(), held = lesser(this->held(), fits);
        const u32 of_lane = start - lane * KEY_BYTES + lane * ROW;
        __syncwarp();
#pragma unroll 4
        for (u32 other = 0; other < LANES; ++other) {
            RAW* const to = (RAW*)__shfl_sync(FULL, (u64)place, other);
            if (lane < __shfl_sync(FULL, held, other)) to[lane] = loaded(of_lane + other * KEY_BYTES);
        }
        __syncwarp();
        end = start;
    }
};

extern "C" __global__ void __launch_bounds__(THREADS, RESIDENT / THREADS)
    columns_staged(const RAW* keys, u64 outer_step, u64 step, u32 length, u32 outers, u32 inner,
                   const RAW* ends, u32 each, ColumnCounts* counts, RAW* staged, u32 room) {
    const Span span(keys, outer_step, step, length, outers, inner, each);
    if (span.none) return;
    const RAW* of_bracket = ends + 2 * span.number;
    const VALUE low = value_of(end_of(of_bracket[0]));
    const VALUE high = span.here ? value_of(end_of(of_bracket[1])) : low;  // nothing is between them
    ColumnCounts& total = counts[span.number];
    Lists lists;
    u32 upto_low = 0, low_equal = 0, high_equal = 0, nans = 0;
    bool odd = false;  // whether a key of the group equals an end, or is NaN
    const auto empty = [&] {
        const u32 held = lists.held(), at = held ? atomicAdd(&total.inside, held) : 0;
        lists.empty(staged + span.number * room + at, at < room ? room - at : 0);
    };
    span.each_key(
        [&](RAW bits, u32) {
            const VALUE value = value_of(bits);
            const bool under = value <= low;
            add_if(upto_low, under);
            if (!under && value < high) lists.put(bits);
            odd = odd || value == low || value == high || NUMBERS == 1 && value != value;
            if (NUMBERS == 2) add_if(nans, value != value);
        },
        [&](const Group& group, u32 held, bool last) {
            if (odd) {
#pragma unroll
                for (int j = 0; j < AHEAD; ++j) {
                    const VALUE value = value_of(group[j]);
                    add_if(low_equal, j < held && value == low);
                    add_if(high_equal, j < held && value == high && value != low);
                    if (NUMBERS == 1) add_if(nans, j < held && value != value);
                }
            }
            odd = false;
            if (__any_sync(FULL, lists.is_nearly_full() || last)) empty();
        });
    if (!span.here) return;
    if (upto_low > low_equal) atomicAdd(&total.below, upto_low - low_equal);
    if (NUMBERS && span.count > nans) atomicAdd(&total.numbers, span.count - nans);
    if (low_equal) atomicAdd(&total.low_equal, low_equal);
    if (high_equal) atomicAdd(&total.high_equal, high_equal);
}
