// Writes a number for each key, so that sorting the numbers sorts the keys; −0.0 equals 0.0. NUMBERS says which:
// 0  the code of the key, as wide as the key;
// 1  32 bits of its code, from bit `from` on, in the upper half, and below them the key's column: equal keys
//    are sorted by columns. With `previous`, numbers sorted by lower bits before, keys come in their order.
// 2  the key as float64.
//
// Reads every key once. One thread for each key; rows are `length` keys long.

#include "keys.cuh"

#if NUMBERS == 2
#define NUMBER double
#elif NUMBERS
#define NUMBER u64
#else
#define NUMBER RAW
#endif

extern "C" __global__ void number_keys(const RAW* keys, u64 n, u64 length, u64 from, const u64* previous,
                                       NUMBER* found) {
    const u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const u64 column = NUMBERS != 1 ? 0 : previous ? (u32)previous[i] : i % length;
    if (NUMBERS == 0) found[i] = (NUMBER)encode(keys[i]);
    else if (NUMBERS == 2) found[i] = (NUMBER)value_of(keys[i]);
    else found[i] = (NUMBER)((u64)encode(keys[i - i % length + column]) >> from << 32 | column);
}
