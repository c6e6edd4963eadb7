// bucketMultiSelect, third kernel: finds the key of each rank in the part that has it, digit by digit.
// `ends` has the place where each part ends; `table` is that of bucket_multi_select_count.cu. Ranks
// without a part are skipped.
//
// `result` has three rows of `asked` numbers: the bits of the key of a rank, how many of all keys are
// below it, and how many equal it.
//
// One block of THREADS for each rank. Reads the part once for its smallest and largest code, once for
// each digit in which codes differ, and once more for the last code.

#include "keys.cuh"
#include "narrowing.cuh"

extern "C" __global__ void __launch_bounds__(THREADS)
    bucket_multi_select_rank(const RAW* keys, u64 n, const u64* ends, const u64* table, u32 asked,
                 u64* result) {
    __shared__ u32 bins[BINS];
    __shared__ u64 inverse_of_first, last, only;
    const u64 before = table[asked + blockIdx.x], size = table[2 * asked + blockIdx.x];
    const u64 number = table[3 * asked + blockIdx.x], rank = table[4 * asked + blockIdx.x];
    if (!number || ends[number - 1] > n) return;  // there was no room, so it was not copied
    const RAW* part = keys + (ends[number - 1] - size);
    if (!threadIdx.x) inverse_of_first = last = only = 0;
    __syncthreads();
    RAW low = (RAW)~(RAW)0, high = 0;
    for_each_key_of_block(part, size, [&](RAW bits) {
        const RAW code = encode(bits);
        low = code < low ? code : low, high = code > high ? code : high;
    });
    const u64 inverse = ~warp_least((u64)low), most = ~warp_least(~(u64)high);
    if (!(threadIdx.x % LANES)) atomicMax(&inverse_of_first, inverse), atomicMax(&last, most);
    __syncthreads();
    Narrowed to{(RAW)~inverse_of_first, (RAW)last, before, size};
    while (!to.is_told()) {
        const Digits digits(to);
        for (u32 i = threadIdx.x; i < BINS; i += THREADS) bins[i] = 0;
        __syncthreads();
        for_each_key_of_block(part, size, [&](RAW bits) {
            u32 bin;
            if (digits.has(bits, bin)) atomicAdd(&bins[bin], 1);
        });
        __syncthreads();
        narrow(to, rank, digits, [&](u32 bin) { return (u64)bins[bin]; });
    }
    if (to.first < to.last) {
        for_each_key_of_block(part, size, [&](RAW bits) {
            const RAW code = encode(bits);
            if (code >= to.first && code <= to.last) only = code;
        });
        __syncthreads();
        to.first = (RAW)only;
    }
    if (threadIdx.x) return;
    result[blockIdx.x] = decode(to.first);
    result[asked + blockIdx.x] = to.before;
    result[2 * asked + blockIdx.x] = to.here;
}
