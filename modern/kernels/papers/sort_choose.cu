// Sort and choose: looks up the keys of some ranks among sorted keys. `found` has three rows of `count` numbers: the
// bits of each key, how many keys are below it, and how many equal it.
//
// Two searches for each rank, by one thread. Any grid with at least `count` threads.

#include "keys.cuh"

extern "C" __global__ void sort_choose(const RAW* ordered, u64 n, const u64* ranks, u64 count, u64* found) {
    const u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const RAW bits = ordered[ranks[i]], code = encode(bits);
    u64 ends[2];  // keys below, and those below or equal
    for (int upto = 0; upto < 2; ++upto) {
        u64 first = 0, last = n;
        while (first < last) {
            const u64 middle = (first + last) / 2;
            const RAW here = encode(ordered[middle]);
            if (here < code || upto && here == code) first = middle + 1;
            else last = middle;
        }
        ends[upto] = first;
    }
    found[i] = bits, found[count + i] = ends[0], found[2 * count + i] = ends[1] - ends[0];
}
