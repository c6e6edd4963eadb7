// Quickselect by one thread, over a copy of the codes: Hoare's partition at random pivots
// (shadersort/selection/primitives/quickselect_serial.py). result: the k-th code, and the numbers of
// codes read and written.
//
// One block of one thread: a lesson, not a fast method. Reads about 4 n codes and writes about 2 n,
// including n each for the copy. `codes` has room for n codes; sizes have 64 bits.

#include "keys.cuh"

extern "C" __global__ void quickselect_serial(const RAW* keys, u64 n, u64 k, u64 seed, RAW* codes, u64* result) {
    for (u64 i = 0; i < n; ++i) codes[i] = encode(keys[i]);
    u64 read = n, written = n;
    long long low = 0, high = (long long)n - 1;  // signed: `right` may pass the first code
    const long long rank = (long long)k;
    while (low < high) {
        seed = seed * 6364136223846793005ull + 1442695040888963407ull;
        const RAW pivot = codes[low + (long long)__umul64hi(seed, (u64)(high - low + 1))];
        long long left = low, right = high;
        ++read;
        while (left <= right) {
            RAW first, last;
            while ((first = codes[left]) < pivot) ++left, ++read;
            while ((last = codes[right]) > pivot) --right, ++read;
            read += 2;
            if (left <= right) {
                codes[left++] = last, codes[right--] = first;
                written += 2;
            }
        }
        if (rank <= right) high = right;
        else if (rank >= left) low = left;
        else low = high = rank;  // all codes between the two places equal the pivot
    }
    result[0] = codes[low], result[1] = read + 1, result[2] = written;
}
