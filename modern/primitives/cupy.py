"""The primitives on a GPU: a call is one kernel, and a few numbers come back."""

from typing import Any

from modern.opening import open_rows
from modern.primitives import (
    cells,
    compaction,
    histograms,
    one_read,
    ordering,
    printed,
    reductions,
)
from modern.primitives.device_primitives import DevicePrimitives, run_at_home
from shadersort.keys.types import Integers, Keys


class CuPyPrimitives(DevicePrimitives):
    """Primitives over keys on a GPU, which are not changed. Strided arrays are copied first, once.

    The class is a table: each call is a function, or a class, of the module that owns its kernels.
    """

    def supports(self, call: str) -> bool:
        """Whether there is a call: that for many ranks needs much shared memory."""
        return super().supports(call) and (
            call not in ("cells", "count_values") or cells.is_possible(self.device_keys)
        )

    def first(self, by: int, count: int) -> tuple[Keys, Integers]:
        """Return the first keys in an order, and their places, on the host."""
        rows: Any = open_rows("topk", self.array, 0)
        values, places = rows.first(count, by, in_order=True, ties="lowest")
        return rows.axis_result(values).get(), rows.axis_result(places).get()

    extent = run_at_home(reductions.extent)
    counts = run_at_home(reductions.counts)
    count_numbers = run_at_home(reductions.count_numbers)
    counts_at = run_at_home(reductions.counts_at)
    objective = run_at_home(reductions.objective)
    log_objective = run_at_home(reductions.log_objective)
    at_or_above = run_at_home(reductions.at_or_above)
    at_or_below = run_at_home(reductions.at_or_below)

    between = run_at_home(compaction.between)
    split = run_at_home(compaction.split)
    with_prefixes = run_at_home(compaction.with_prefixes)
    of_buckets = run_at_home(compaction.of_buckets)

    digit_histograms = run_at_home(histograms.digit_histograms)
    bucket_histogram = run_at_home(histograms.bucket_histogram)

    sample = run_at_home(ordering.sample)
    sort = run_at_home(ordering.sort)
    take = run_at_home(ordering.take)
    quickselect_serial = run_at_home(ordering.quickselect_serial)

    one_read = run_at_home(one_read.one_read)
    cells = run_at_home(cells.cells)
    count_values = cells  # a counter for every value is a cell of its own

    printed_vector = run_at_home(printed.printed_vector)
    tangent = run_at_home(printed.tangent)
