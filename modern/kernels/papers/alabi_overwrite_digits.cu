// In-place radixSelect as printed (Alabi et al. 2012, Alg. 2): writes 0 over the codes whose digit is
// smaller than KDigit, and all ones over those whose digit is larger.
//
// Reads every code once. Any grid.

#include "keys.cuh"
#include "assigned.cuh"

extern "C" __global__ void alabi_overwrite_digits(RAW* codes, u64 n, u32 shift, u32 width, u32 kdigit) {
    const u32 mask = (1u << width) - 1;
    for_each_place(n, [&](u64 i) {
        const u32 digit = (u32)(codes[i] >> shift) & mask;
        if (digit < kdigit) codes[i] = 0;
        else if (digit > kdigit) codes[i] = (RAW)~(RAW)0;
    });
}
