"""The sorter of stream summaries where there is a GPU.

The answers are those of `NumPySorter`, so every summary is the same, byte for byte. Keys stay where
they are, and summaries of windows are merged and compressed there: only what the summary of a
stream holds is copied to the host.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import cupy
import numpy as np
from cupy.cuda import runtime

from modern.opening import as_cupy, is_on_gpu
from modern.streams import (
    gk_summaries,
    greenwald_khanna,
    item_counts,
    lossy_windows,
    mass_summaries,
    staging,
    windows,
)
from modern.streams.transfers import CuPyLink, explain_lack_of_memory, to_host
from modern.streams.windows import on_device
from shadersort.keys.types import Keys
from shadersort.streams.correlated.mass_summaries import Pairs
from shadersort.streams.quantiles.greenwald_khanna import SortedBatch
from shadersort.streams.sorters.numpy_sorter import NumPySorter
from shadersort.streams.sorters.sorter import window_cuts

BATCH, LEAST_BATCH = 1 << 25, 1 << 20
BYTES_A_KEY = 128
"""Bytes of the device that a key may need: counting keys of 64 bits needs the most."""
GROWS = 8
"""The largest copy divided by the first one."""


def _as_method(function: Callable[..., Any]) -> Any:
    """Return a function of windows, on the host or the device, as a method of the sorter."""
    return staticmethod(explain_lack_of_memory()(function))


class CUDASorting(NumPySorter):
    """What a `Sorter` does where there is a GPU; arrays on the host are copied there if many."""

    name = "cuda"
    remote = True

    def __init__(self, batch: int | None = None) -> None:
        super().__init__(batch=batch or _fitting_batch())

    def label(self, dtype: np.dtype[Any]) -> str:
        """Return what sorts keys of a type: "CUDA, float16, NVIDIA H200"."""
        name = runtime.getDeviceProperties(runtime.getDevice())["name"].decode()
        return f"CUDA, {dtype}, {name}"

    @explain_lack_of_memory()
    def accept(self, values: Any, dtype: np.dtype[Any] | None) -> Any:
        """Return values as a flat array of numbers; values on the device stay there."""
        if not is_on_gpu(values):
            return super().accept(values, dtype)
        array = cupy.asarray(as_cupy(values))  # a copy, if it is on another device
        if array.ndim > 1 or array.dtype.kind not in "iuf":
            return super().accept(array.get(), dtype)  # which raises an error
        keys = cupy.ascontiguousarray(array.reshape(-1))
        converted = windows.convert(keys, dtype or keys.dtype)
        return super().accept(keys.get(), dtype) if converted is None else converted

    def stage_parts(self, keys: Any, first: int, window: int) -> Iterator[Any]:
        """Yield parts of the keys on the device, host keys as copies; few keys stay there.

        No part is cut off to fill a window: `join_waiting` does that.
        """
        if not isinstance(keys, np.ndarray):
            yield from super().stage_parts(keys, 0, window)
            return
        bounds = window_cuts(len(keys), 0, window, self.batch, self.batch // GROWS)
        with explain_lack_of_memory():
            yield from staging.stage_parts(keys, bounds, CuPyLink())

    @explain_lack_of_memory()
    def join_waiting(self, waiting: Keys, numbers: Any) -> Any:
        """Return keys that wait with others, on the device, behind them; None for host arrays."""
        if isinstance(numbers, Pairs):
            first = Pairs.unpack(waiting)
            x, y = self.join_waiting(first.x, numbers.x), self.join_waiting(first.y, numbers.y)
            return None if x is None or y is None else Pairs(x, y)
        if isinstance(numbers, np.ndarray):
            return None
        return cupy.concatenate([cupy.asarray(waiting), numbers])

    def to_host(self, keys: Any) -> Keys:
        """Return the keys as a NumPy array."""
        return keys if isinstance(keys, np.ndarray) else to_host(keys)

    def sort_parts(
        self, keys: Any, bounds: Iterable[tuple[int, int]]
    ) -> Iterator[tuple[SortedBatch, int]]:
        """Yield each part in order, without its NaNs; the next parts are copied meanwhile."""
        on_host = isinstance(keys, np.ndarray)
        if on_host and keys.nbytes < staging.FEW:
            yield from super().sort_parts(keys, bounds)
            return
        with explain_lack_of_memory():
            slices = (keys[start:stop] for start, stop in bounds)
            parts = staging.stage_parts(keys, bounds, CuPyLink()) if on_host else slices
            yield from greenwald_khanna.sort_parts(parts, self._sort_part)

    @explain_lack_of_memory()
    def bring_together(self, x: Any, y: Any) -> tuple[Any, Any]:
        """Return two accepted arrays, both on the device if one of them is there."""
        if isinstance(x, np.ndarray) == isinstance(y, np.ndarray):
            return x, y
        return on_device(x), on_device(y)

    copy_keys = explain_lack_of_memory()(NumPySorter.copy_keys)
    drop_nans = explain_lack_of_memory()(NumPySorter.drop_nans)
    drop_nan_pairs = explain_lack_of_memory()(NumPySorter.drop_nan_pairs)
    sort = _as_method(windows.sort)
    gk_summaries = _as_method(gk_summaries.gk_summaries)
    tallies = _as_method(item_counts.tallies)
    sorted_windows = _as_method(lossy_windows.sorted_windows)
    add_pairs = _as_method(mass_summaries.add_pairs)


def _fitting_batch() -> int:
    """Return how many keys can be sorted at once with the memory that the device has left."""
    free, _ = runtime.memGetInfo()
    free += cupy.get_default_memory_pool().free_bytes()
    return max(LEAST_BATCH, min(BATCH, int(free) // BYTES_A_KEY))
