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
from modern.primitives.device_primitives import DevicePrimitives, at_home
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
        return rows.along(values).get(), rows.along(places).get()

    extent = at_home(reductions.extent)
    counts = at_home(reductions.counts)
    count_numbers = at_home(reductions.count_numbers)
    counts_at = at_home(reductions.counts_at)
    objective = at_home(reductions.objective)
    log_objective = at_home(reductions.log_objective)
    at_or_above = at_home(reductions.at_or_above)
    at_or_below = at_home(reductions.at_or_below)

    between = at_home(compaction.between)
    split = at_home(compaction.split)
    with_prefixes = at_home(compaction.with_prefixes)
    of_buckets = at_home(compaction.of_buckets)

    digit_histograms = at_home(histograms.digit_histograms)
    bucket_histogram = at_home(histograms.bucket_histogram)

    sample = at_home(ordering.sample)
    sort = at_home(ordering.sort)
    take = at_home(ordering.take)
    quickselect_serial = at_home(ordering.quickselect_serial)

    one_read = at_home(one_read.one_read)
    cells = at_home(cells.cells)
    count_values = cells  # a counter for every value is a cell of its own

    printed_vector = at_home(printed.printed_vector)
    tangent = at_home(printed.tangent)
