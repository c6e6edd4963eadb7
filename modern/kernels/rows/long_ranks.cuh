// Keys of some ranks of long rows, by three launches: a sample of each row, one read of all rows, and what is left
// (modern/rows/cuda_long.py). A job is a rank of a row, or the median of a row; a row has `some` jobs from rank
// number `from` on.

#include "keys.cuh"
#include "code_ranges.cuh"
#include "sampled_load.cuh"
#include "bracket_read.cuh"

#define CODE_OF encode
#include "row_brackets.cuh"
#include "row_parts.cuh"

struct Job {
    u64 first, last, tied;  // the bracket
    Totals totals;
};
