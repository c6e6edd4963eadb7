// In-place radixSelect as printed (Alabi et al. 2012, Alg. 2): writes 0 over the codes whose digit is smaller than
// KDigit, and all ones over those whose digit is larger. Reads every code once. Any grid.

#include "keys.cuh"
#include "assigned.cuh"

extern "C" __global__ void alabi_overwrite_digits(RAW* codes, u64 n, u64 shift, u64 width, u64 kdigit) {
    const u32 mask = (1u << (u32)width) - 1;
    for_each_place(n, [&](u64 i) {
        const u32 digit = (u32)(codes[i] >> (u32)shift) & mask;
        if (digit < kdigit) codes[i] = 0;
        else if (digit > kdigit) codes[i] = (RAW)~(RAW)0;
    });
}
