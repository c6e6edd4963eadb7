"""The sorter of stream summaries where there is a GPU.

The answers are those of `NumPySorter`, so every summary is the same, byte for byte. Keys stay where
they are, and summaries of windows are merged and compressed there: only what the summary of a
stream holds is copied to the host.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import cupy
import numpy as np
from cupy.cuda import runtime

from modern.opening import as_cupy, is_on_gpu
from modern.streams import (
    correlated_masses,
    gk_list,
    greenwald_khanna,
    item_counts,
    lossy_counting,
    lossy_prefixes,
    staging,
)
from modern.streams.transfers import CuPyLink, explain_lack_of_memory, to_host
from modern.streams.windows import HALF, order_of_rows, plain_zeros, sort_windows, widen
from shadersort.keys.types import Integers, Keys
from shadersort.streams.correlated_masses import Masses
from shadersort.streams.cuts import cuts
from shadersort.streams.greenwald_khanna import GKStack
from shadersort.streams.item_counts import ItemCounts
from shadersort.streams.levels import Levels
from shadersort.streams.lossy_counting import LossyCounts
from shadersort.streams.lossy_windows import Counts
from shadersort.streams.pairs import Pairs
from shadersort.streams.prefixes import Hierarchy
from shadersort.streams.sorted_batch import Batch
from shadersort.streams.sorters.numpy_sorter import NumPySorter
from shadersort.streams.summary import Timed

BATCH, LEAST_BATCH = 1 << 25, 1 << 20
BYTES_A_KEY = 128
"""Bytes of the device that a key may need: counting keys of 64 bits needs the most."""

GROWS = 8
"""The largest copy divided by the first one."""


class CUDASorting(NumPySorter):
    """What a `Sorter` does where there is a GPU."""

    name = "cuda"

    def __init__(self, batch: int | None = None) -> None:
        super().__init__(batch=batch or _fitting_batch())

    def label(self, dtype: np.dtype[Any]) -> str:
        """Return what sorts keys of a type: "CUDA, float16, NVIDIA H200"."""
        name = runtime.getDeviceProperties(runtime.getDevice())["name"].decode()
        return f"CUDA, {dtype}, {name}"

    def accepted(self, values: Any, dtype: np.dtype[Any] | None) -> Any:
        """Return values as a flat array of numbers; values on the device stay there."""
        if not is_on_gpu(values):
            return super().accepted(values, dtype)
        array = cupy.asarray(as_cupy(values))  # a copy, if it is on another device
        if array.ndim > 1 or array.dtype.kind not in "iuf" or array.dtype != (dtype or array.dtype):
            return super().accepted(array.get(), dtype)  # CuPy's conversions flush denormals
        return cupy.ascontiguousarray(array.reshape(-1))

    def staged(self, keys: Any, first: int, window: int) -> Iterator[Any]:
        """Yield parts of the keys on the device, host keys as copies; few keys stay there.

        No part is cut off to fill a window: `together` does that.
        """
        if not isinstance(keys, np.ndarray):
            yield from super().staged(keys, 0, window)
            return
        bounds = cuts(len(keys), 0, window, self.batch, self.batch // GROWS)
        with explain_lack_of_memory():
            yield from staging.staged(keys, bounds, CuPyLink())

    @explain_lack_of_memory()
    def together(self, waiting: Keys, numbers: Any) -> Any:
        """Return keys that wait with others, on the device, behind them; None for host arrays."""
        if isinstance(numbers, Pairs):
            first = Pairs.unpack(waiting)
            x, y = self.together(first.x, numbers.x), self.together(first.y, numbers.y)
            return None if x is None or y is None else Pairs(x, y)
        if isinstance(numbers, np.ndarray):
            return None
        return cupy.concatenate([cupy.asarray(waiting), numbers])

    @explain_lack_of_memory()
    def without_nans(self, keys: Any) -> tuple[Any, int]:
        """Return keys without their NaNs and the number of NaNs; the same array if none."""
        if isinstance(keys, np.ndarray) or keys.dtype.kind != "f":
            return super().without_nans(keys)
        are_nans = cupy.isnan(keys)
        nans = int(are_nans.sum())
        return (keys[~are_nans] if nans else keys), nans

    def on_host(self, keys: Any) -> Keys:
        """Return the keys as a NumPy array."""
        return keys if isinstance(keys, np.ndarray) else to_host(keys)

    @explain_lack_of_memory()
    def set_aside(self, keys: Any, one_zero: bool) -> Any:
        """Return a copy of keys where they are."""
        if isinstance(keys, np.ndarray):
            return super().set_aside(keys, one_zero)
        return plain_zeros(keys) if one_zero and keys.dtype.kind == "f" else keys.copy()

    @explain_lack_of_memory()
    def sort(self, windows: Any) -> Keys:
        """Return windows with each row in order."""
        return to_host(sort_windows(_on_device(windows)))

    def in_order(self, keys: Any, bounds: Iterable[tuple[int, int]]) -> Iterator[tuple[Batch, int]]:
        """Yield each part in order, without its NaNs; the next parts are copied meanwhile."""
        on_host = isinstance(keys, np.ndarray)
        if on_host and keys.nbytes < staging.FEW:
            yield from super().in_order(keys, bounds)
            return
        with explain_lack_of_memory():
            slices = (keys[start:stop] for start, stop in bounds)
            parts = staging.staged(keys, bounds, CuPyLink()) if on_host else slices
            yield from gk_list.in_order(parts, self._ordered)

    @explain_lack_of_memory()
    def gk_summaries(self, windows: Any, ranks: Integers) -> GKStack:
        """Return a Greenwald-Khanna summary of each window; −0.0 becomes 0.0."""
        return greenwald_khanna.gk_summaries(_on_device(windows), ranks)

    @explain_lack_of_memory()
    def item_counts(self, windows: Any, above: int | Integers = 0) -> ItemCounts:
        """Return how often each key comes in each window; only keys that come more than `above`."""
        return item_counts.item_counts(_on_device(windows), above)

    @explain_lack_of_memory()
    def tallies(self, windows: Any, above: Integers, first: int, timed: Timed) -> Any:
        """Return how often keys come in windows as blocks numbered from `first`."""
        with timed("sort"):
            return item_counts.TalliesOnGPU.count(_on_device(windows), above, first).nearer()

    @explain_lack_of_memory()
    def lossy_counts(
        self, held: LossyCounts, windows: Any, buckets: int, timed: Timed
    ) -> LossyCounts:
        """Return lossy counts with windows added in their order."""
        return lossy_counting.lossy_counts(held, _on_device(windows), buckets, timed)

    @explain_lack_of_memory()
    def prefix_counts(
        self, held: Counts, windows: Any, hierarchy: Hierarchy, buckets: int, timed: Timed
    ) -> Counts:
        """Return the lossy counts of all levels of a hierarchy with windows added."""
        return lossy_prefixes.prefix_counts(held, _on_device(windows), hierarchy, buckets, timed)

    @explain_lack_of_memory()
    def side_by_side(self, x: Any, y: Any) -> tuple[Any, Any]:
        """Return two accepted arrays, both on the device if one of them is there."""
        if isinstance(x, np.ndarray) == isinstance(y, np.ndarray):
            return x, y
        return _on_device(x), _on_device(y)

    @explain_lack_of_memory()
    def whole_pairs(self, x: Any, y: Any) -> tuple[Pairs, int]:
        """Return the pairs without a NaN and the number of the others; the same arrays if none."""
        if isinstance(x, np.ndarray) and isinstance(y, np.ndarray):
            return super().whole_pairs(x, y)
        return correlated_masses.whole_pairs(_on_device(x), _on_device(y))

    @explain_lack_of_memory()
    def with_pairs(
        self, levels: Levels[Any], pairs: Pairs, step: int, slots: int, timed: Timed
    ) -> Levels[Any]:
        """Return levels of summaries with windows of pairs added."""
        with timed("sort"):
            x, y = _on_device(pairs.x), _on_device(pairs.y)
            stack = correlated_masses.mass_summaries(x, y, step, slots)
        return levels.with_stack(0, stack, timed)[0]

    @explain_lack_of_memory()
    def window_sums(self, windows: Any) -> Masses:
        """Return the sum of each window in float64."""
        return correlated_masses.window_sums(_on_device(windows))

    @explain_lack_of_memory()
    def order(self, windows: Any) -> Integers:
        """Return the indices that sort each row; equal keys keep their order."""
        numbers = to_host(order_of_rows(widen(_on_device(windows))))
        return (numbers & np.uint64((1 << HALF) - 1)).view(np.int64)


def _on_device(array: Any) -> Any:
    """Return a contiguous array on the current device."""
    return cupy.ascontiguousarray(cupy.asarray(array))


def _fitting_batch() -> int:
    """Return how many keys can be sorted at once with the memory that the device has left."""
    free, _ = runtime.memGetInfo()
    free += cupy.get_default_memory_pool().free_bytes()
    return max(LEAST_BATCH, min(BATCH, int(free) // BYTES_A_KEY))
