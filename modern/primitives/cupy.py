"""The primitives on a GPU, for CuPy arrays: a call is one kernel, and a few numbers come back."""

from modern.primitives import (
    bucket_multi_select,
    cells,
    compaction,
    counting,
    fused_radix,
    histograms,
    one_read,
    printed,
    quickselect_serial,
    reductions,
    sort_choose,
    thresholding,
    top_k,
)
from modern.primitives.gpu_keys import GPUKeys


class CuPyPrimitives(GPUKeys):
    """Primitives over a CuPy array, which is not changed. Strided arrays are copied first, once.

    The class is a table: each call is a function of the module that owns its kernels.
    """

    extent = reductions.extent
    counts = reductions.counts
    counts_at = reductions.counts_at
    objective = reductions.objective
    log_objective = reductions.log_objective
    at_or_above = reductions.at_or_above
    at_or_below = reductions.at_or_below

    between = compaction.between
    parted = compaction.parted
    parted_and_nans = compaction.parted_and_nans
    with_prefixes = compaction.with_prefixes
    of_buckets = compaction.of_buckets

    digit_histogram = histograms.digit_histogram
    digit_histograms = histograms.digit_histograms
    bucket_histogram = histograms.bucket_histogram
    histogram_and_nans = histograms.histogram_and_nans
    around = bucket_multi_select.around

    sample = sort_choose.sample
    sort = sort_choose.sort
    take = sort_choose.take
    ranked = sort_choose.ranked
    given = sort_choose.given

    bracketed = fused_radix.bracketed
    fused_radix = fused_radix.fused_radix
    one_read = one_read.one_read
    counting = counting.counting
    cells = cells.cells
    quickselect_serial = quickselect_serial.quickselect_serial

    working_codes = printed.working_codes
    assignment = printed.assignment
    block_assignment = printed.block_assignment
    tangent = printed.tangent
    extent_in_doubles = printed.extent_in_doubles

    first = top_k.first
    order_codes = top_k.order_codes
    nth_equal = top_k.nth_equal
    top_places = top_k.top_places
    in_order = top_k.in_order
    cut = thresholding.cut
