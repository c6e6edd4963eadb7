// Step 6 of many ranks of pieces, on the first device: the key of each rank among the staged keys of its range.

#include "many.cuh"

extern "C" __global__ void __launch_bounds__(THREADS, 1)
    select_in_pieces(const RAW* staged, u64 asked, u64 unless_nan, Common* common, RAW* answers) {
    if (common->ranges) select_staged(staged, (u32)asked, common);
    if (comes_last(&common->zero.ticket)) write_keys(common, (u32)asked, unless_nan, answers, nullptr);
}
