// Keeps fewer entries of summaries with masses: the first entry, the last one of each slot of `step` counts,
// and the last one of each of `slots` slots of the two other masses (MassSummaries.compress in
// shadersort/streams/correlated_masses.py).
//
// `lower` and `upper` hold three planes of (rows, entries) increments. With WHOLE the entries are all pairs
// of windows: `values` and `masses` are as they came, the lower halves of `order` say which columns come
// after each other, and `lower` and `upper` are not used.
//
// A sum adds the increments from left to right, as NumPy does, so that all bits agree: one thread for each sum of a
// row. Sums are written to `sums`, CHAINS planes of (rows, entries) numbers, and the columns that are kept to
// `columns`. A row whose masses overflow gets NaN as its last count.
//
// Reads every entry once and every sum a few times. One block of THREADS for each row, and a warp for each sum at
// least.

#include "keys.cuh"

#define CHAINS (WHOLE ? 2 : 6)
#define PART 512

struct Row {
    double* sums;
    u64 plane, entries;

    // The mass up to an entry, by its lower bounds and by its upper bounds: 0 the count, 1 and 2 the others.
    __device__ __forceinline__ double low(u32 mass, u64 i) const {
        if (WHOLE && !mass) return (double)(i + 1);
        return sums[(WHOLE ? mass - 1 : mass) * plane + i];
    }
    __device__ __forceinline__ double through(u32 mass, u64 i) const {
        return WHOLE ? low(mass, i) : sums[(3 + mass) * plane + i];
    }
    __device__ __forceinline__ double before(u32 mass, u64 i) const { return i ? through(mass, i - 1) : 0; }
    // Where copies of an entry begin among those that are kept: after the first one, and the slots below.
    __device__ __forceinline__ u64 begin_of(u64 i, u64 step, u64 slots, double whole) const {
        if (!i) return 0;
        const double mass = before(1, i) + before(2, i);
        const u64 slot = whole > 0 ? (u64)(mass / whole * (double)slots) : 0;
        return 1 + (u64)before(0, i) / step + (slot < slots ? slot : slots - 1);
    }
};

extern "C" __global__ void __launch_bounds__(THREADS)
    mass_compress(const RAW* values, const double* lower, const double* upper, const u64* order,
                  const double* masses, u64 rows, u64 entries, u64 step, u64 slots, u64 kept, double* sums,
                  u32* columns, RAW* found, double* found_lower, double* found_upper) {
    __shared__ double part[CHAINS][PART];
    const u64 start = blockIdx.x * entries, plane = rows * entries, target = rows * kept;
    const u32 chain = threadIdx.x / LANES;
    double sum = 0;
    for (u64 base = 0; base < entries; base += PART) {
        const u32 size = entries - base < PART ? (u32)(entries - base) : PART;
        for (u32 i = threadIdx.x; i < size; i += THREADS) {
            const u64 at = start + base + i;
#if WHOLE
            const double mass = masses[start + (u32)order[at]];
            part[0][i] = mass > 0 ? mass : 0;
            part[1][i] = mass < 0 ? -mass : 0;
#else
            for (u32 each = 0; each < 3; ++each) {
                part[each][i] = lower[each * plane + at];
                part[3 + each][i] = upper[each * plane + at];
            }
#endif
        }
        __syncthreads();
        if (chain < CHAINS && threadIdx.x % LANES == 0) {
            double* mine = part[chain];
            u32 i = 0;
            for (; i + 8 <= size; i += 8) {
                double ahead[8];  // loads come before the sums, each of which waits for the last one
                UNROLLED for (int j = 0; j < 8; ++j) ahead[j] = mine[i + j];
                UNROLLED for (int j = 0; j < 8; ++j) mine[i + j] = sum += ahead[j];
            }
            for (; i < size; ++i) mine[i] = sum += mine[i];
        }
        __syncthreads();
        for (u32 i = threadIdx.x; i < size; i += THREADS)
            for (u32 each = 0; each < CHAINS; ++each) sums[each * plane + start + base + i] = part[each][i];
        __syncthreads();
    }

    const Row row = {sums + start, plane, entries};
    const u64 last = entries - 1;
    const double whole = row.through(1, last) + row.through(2, last), count = row.through(0, last);
    const bool good = whole < __longlong_as_double(0x7ff0000000000000ll) && count == count;
    u32* chosen = columns + blockIdx.x * kept;
    for (u64 i = threadIdx.x; good && i < entries; i += THREADS) {
        const u64 end = i < last ? row.begin_of(i + 1, step, slots, whole) : kept;
        for (u64 k = row.begin_of(i, step, slots, whole); k < end && k < kept; ++k) chosen[k] = (u32)i;
    }
    for (u64 k = threadIdx.x; !good && k < kept; k += THREADS) chosen[k] = 0;
    __syncthreads();

    for (u64 k = threadIdx.x; k < kept; k += THREADS) {
        const u32 here = chosen[k];
        const u64 to = blockIdx.x * kept + k;
        found[to] = values[start + (WHOLE ? (u32)order[start + here] : here)];
        for (u32 mass = 0; mass < 3; ++mass) {
            const double next = k + 1 < kept ? row.before(mass, chosen[k + 1]) : row.through(mass, last);
            found_lower[mass * target + to] = row.low(mass, here) - (k ? row.low(mass, chosen[k - 1]) : 0);
            found_upper[mass * target + to] = next - row.before(mass, here);
        }
        if (!good && k + 1 == kept) found_upper[to] = __longlong_as_double(0x7ff8000000000000ll);
    }
}
