// bucketSelect as printed (Alabi et al. 2012, Alg. 4, copyElements): copies the keys of a bucket. One global counter
// gives each key its place, by one atomicInc for each key. Reads the bucket of each key, and the keys of the chosen
// bucket. `count` is 0 before.

#include "keys.cuh"
#include "assigned.cuh"

extern "C" __global__ void __launch_bounds__(1024)
    alabi_copy_elements(const RAW* keys, u64 n, const u32* bucket, u64 chosen, RAW* copies, u64 room, u32* count) {
    for_each_place(n, [&](u64 i) {
        if (bucket[i] != chosen) return;
        const u32 place = atomicInc(count, ~0u);
        if (place < room) copies[place] = keys[i];
    });
}
