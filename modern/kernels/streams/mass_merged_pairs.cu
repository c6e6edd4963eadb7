// Merges summaries with masses in pairs: the first row with the second, and so on. Equal values keep their
// order, those of the first row come first (MassSummaries.merged_in_pairs in
// shadersort/streams/correlated_masses.py).
//
// `lower` and `upper` hold three planes of (rows, entries) increments. Reads and writes every entry once,
// and reads what the searches need. One thread for each entry, whose place is its column plus the number
// of entries of the other row before it.

#include "keys.cuh"
#include "gk_places.cuh"

extern "C" __global__ void mass_merged_pairs(const RAW* values, const double* lower,
                                             const double* upper, u64 rows, u64 entries, RAW* merged,
                                             double* merged_lower, double* merged_upper) {
    const u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    const u64 plane = rows * entries;
    if (i >= plane) return;
    const u64 row = i / entries, column = i % entries, is_second = row & 1, other = row ^ 1;
    const RAW code = encode(values[i]);
    const u64 passed = entries_before(values + other * entries, entries, code, is_second);
    const u64 place = (row - is_second) * entries + column + passed;
    merged[place] = values[i];
    for (u32 mass = 0; mass < 3; ++mass) {
        merged_lower[mass * plane + place] = lower[mass * plane + i];
        merged_upper[mass * plane + place] = upper[mass * plane + i];
    }
}
