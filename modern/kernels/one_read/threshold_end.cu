// Thresholding: the place behind the last key that is kept among those of the last magnitude, which one_read.cu told.
// *end is n if all of them are kept. With SOFT only NaNs of that magnitude are kept.
//
// Reads nothing if all are kept, or none; otherwise the keys from the start, until the place is found. Blocks of 1,024
// threads, which all run at the same time.

#include "keys.cuh"
#include "entries.cuh"

struct Common {
    u32 arrived, ticket;  // 0 before and after
    BlockCounts counts;
};

// `told`: `Told` in one_read.cu, of which numbers 0, 2 and 4 are a key, the keys below it, and its equals.
extern "C" __global__ void __launch_bounds__(THREADS, 1)
    threshold_end(const RAW* keys, u64 n, u64 count, const u64* told, Common* common, u64* end) {
    const RAW bits = (RAW)told[0];
    const u64 surplus = SOFT && !is_nan(bits) ? 0 : n - told[2] - count, wanted = told[4] - surplus;
    if (!blockIdx.x && !threadIdx.x && !surplus) *end = n;
    if (!surplus) return;
    u32 meetings = 0;
    first_equals(order_of(bits), wanted, keys, n, common->counts, &common->arrived, meetings, [&](u64 number, u64 place) {
        if (number == wanted - 1) *end = place + 1;
    });
    if (comes_last(&common->ticket) && !threadIdx.x) common->arrived = 0;
}
