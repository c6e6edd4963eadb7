"""`Sorter`: what sorts the windows of stream summaries on a GPU.

The answers are those of `NumPySorter`, so every summary is the same, byte for byte. Keys stay where
they are, and summaries of windows are merged and compressed there: only what the summary of a
stream holds is copied to the host.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Self

import numpy as np

from modern.opening import as_cupy, has_gpu, is_on_gpu
from modern.streams.supplied import SuppliedSorter, told
from shadersort.errors import DeviceUnavailable
from shadersort.keys.types import Integers, Keys
from shadersort.streams.correlated_masses import Masses
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


class Sorter(SuppliedSorter):
    """A sorter for stream summaries on the current CUDA device; without one, NumPy sorts.

    Arrays on the device stay there: those of CuPy, and all with DLPack or
    `__cuda_array_interface__`. Host arrays are copied in parts while earlier parts are sorted; from
    pinned memory at the speed of the link, other arrays at the speed of copying into pinned memory.
    An array on another device is copied to this one; an array whose type is not that of the stream
    is converted on the host. The `seconds` of a summary are measured on the host, which does not
    wait for the device.

    Parameters
    ----------
    batch
        How many keys are sorted at once; by default 2**25, or fewer if memory is short.

    Examples
    --------
    >>> import shadersort as ss
    >>> summary = ss.QuantileSummary(0.01, sorter=Sorter())
    >>> summary = summary.update(np.arange(100_001, dtype=np.float32))
    >>> abs(summary.median() - 50_000) <= 0.01 * summary.n
    np.True_
    """

    def __init__(self, batch: int | None = None) -> None:
        super().__init__(batch=batch or (_fitting() if has_gpu() else NumPySorter.batch))

    @classmethod
    def on_gpu(cls) -> Self:
        """Return a sorter on the current device; raise DeviceUnavailable if there is no GPU."""
        if not has_gpu():
            raise DeviceUnavailable(
                "there is no CUDA GPU here, or no CuPy to use it: pip install 'shadersort[cuda]'"
            )
        return cls()

    @property
    def name(self) -> str:  # type: ignore[override]
        """The name of the sorter in reports: "cuda", or "numpy" without a GPU."""
        return "cuda" if has_gpu() else NumPySorter.name

    def label(self, dtype: np.dtype[Any]) -> str:
        """Return what sorts keys of a type: "CUDA, float16, NVIDIA H200"."""
        if not has_gpu():
            return super().label(dtype)
        from cupy.cuda import Device, runtime

        name = runtime.getDeviceProperties(Device().id)["name"].decode()
        return f"CUDA, {dtype}, {name}"

    def accepted(self, values: Any, dtype: np.dtype[Any] | None) -> Any:
        """Return values as a flat array of numbers; values on the device stay there."""
        if not is_on_gpu(values):
            return super().accepted(values, dtype)
        given = as_cupy(values)  # raises an error without CuPy
        import cupy

        array = cupy.asarray(given)  # a copy, if it is on another device
        if array.ndim > 1 or array.dtype.kind not in "iuf" or array.dtype != (dtype or array.dtype):
            return super().accepted(array.get(), dtype)  # CuPy's conversions flush denormals
        return cupy.ascontiguousarray(array.reshape(-1))

    def without_nans(self, keys: Any) -> tuple[Any, int]:
        """Return keys without their NaNs and the number of NaNs; the same array if none."""
        if isinstance(keys, np.ndarray):
            return super().without_nans(keys)
        if keys.dtype.kind != "f" or not keys.size:
            return keys, 0
        import cupy

        from modern.primitives.cupy import CuPyPrimitives

        with told():
            nans = CuPyPrimitives(keys).extent().nans
            return (keys[~cupy.isnan(keys)] if nans else keys), nans

    def on_host(self, keys: Any) -> Keys:
        """Return the keys as a NumPy array."""
        if isinstance(keys, np.ndarray):
            return keys
        from modern.streams.staging import to_host

        return to_host(keys)

    def set_aside(self, keys: Any, one_zero: bool) -> Any:
        """Return a copy of keys where they are."""
        if isinstance(keys, np.ndarray):
            return super().set_aside(keys, one_zero)
        from modern.streams.greenwald_khanna import plain_zeros

        with told():
            return plain_zeros(keys) if one_zero and keys.dtype.kind == "f" else keys.copy()

    def sort(self, windows: Any) -> Keys:
        """Return windows with each row in order."""
        if not has_gpu():
            return super().sort(windows)
        from modern.streams.row_sort import sorted_rows

        with told():
            return self.on_host(sorted_rows(_there(windows)))

    def in_order(self, keys: Any, bounds: Iterable[tuple[int, int]]) -> Iterator[tuple[Batch, int]]:
        """Yield each part in order, without its NaNs; the next parts are copied meanwhile."""
        if not has_gpu() or (isinstance(keys, np.ndarray) and _is_short(keys)):
            yield from super().in_order(keys, bounds)
            return
        from modern.streams.gk_list import in_order
        from modern.streams.staging import staged

        with told():
            on_host = isinstance(keys, np.ndarray)
            parts = staged(keys, bounds) if on_host else (keys[a:b] for a, b in bounds)
            yield from in_order(iter(parts), self._ordered)

    def gk_summaries(self, windows: Any, ranks: Integers) -> GKStack:
        """Return a Greenwald-Khanna summary of each window; −0.0 becomes 0.0."""
        if not has_gpu():
            return super().gk_summaries(windows, ranks)
        from modern.streams.greenwald_khanna import gk_summaries

        with told():
            return gk_summaries(_there(windows), ranks)

    def item_counts(self, windows: Any, above: int | Integers = 0) -> ItemCounts:
        """Return how often each key comes in each window; only keys that come more than `above`."""
        if not (has_gpu() and len(windows)):
            return super().item_counts(windows, above)
        from modern.streams.item_counts import item_counts

        with told():
            return item_counts(_there(windows), above)

    def tallies(self, windows: Any, above: Integers, first: int, timed: Timed) -> Any:
        """Return how often keys come in windows as blocks numbered from `first`."""
        if not (has_gpu() and len(windows)):
            return super().tallies(self.on_host(windows), above, first, timed)
        from modern.streams.item_counts import TalliesOnGPU

        with told(), timed("sort"):
            return TalliesOnGPU.of(_there(windows), above, first).nearer()

    def lossy_counts(
        self, held: LossyCounts, windows: Any, buckets: int, timed: Timed
    ) -> LossyCounts:
        """Return lossy counts with windows added in their order."""
        if not has_gpu():
            return super().lossy_counts(held, windows, buckets, timed)
        from modern.streams.lossy_counting import lossy_counts

        with told():
            return lossy_counts(held, _there(windows), buckets, timed)

    def prefix_counts(
        self, held: Counts, windows: Any, hierarchy: Hierarchy, buckets: int, timed: Timed
    ) -> Counts:
        """Return the lossy counts of all levels of a hierarchy with windows added."""
        if not has_gpu():
            return super().prefix_counts(held, windows, hierarchy, buckets, timed)
        from modern.streams.lossy_prefixes import prefix_counts

        with told():
            return prefix_counts(held, _there(windows), hierarchy, buckets, timed)

    def side_by_side(self, x: Any, y: Any) -> tuple[Any, Any]:
        """Return two accepted arrays, both on the device if one of them is there."""
        if isinstance(x, np.ndarray) == isinstance(y, np.ndarray):
            return x, y
        with told():
            return _there(x), _there(y)

    def whole_pairs(self, x: Any, y: Any) -> tuple[Pairs, int]:
        """Return the pairs without a NaN and the number of the others; the same arrays if none."""
        if isinstance(x, np.ndarray) and isinstance(y, np.ndarray):
            return super().whole_pairs(x, y)
        from modern.streams.correlated_masses import whole_pairs

        with told():
            return whole_pairs(_there(x), _there(y))

    def with_pairs(
        self, levels: Levels[Any], pairs: Pairs, step: int, slots: int, timed: Timed
    ) -> Levels[Any]:
        """Return levels of summaries with windows of pairs added."""
        if not has_gpu():
            return super().with_pairs(levels, pairs, step, slots, timed)
        from modern.streams.correlated_masses import mass_summaries

        with told():
            with timed("sort"):
                stack = mass_summaries(_there(pairs.x), _there(pairs.y), step, slots)
            return levels.with_stack(0, stack, timed)[0]

    def window_sums(self, windows: Any) -> Masses:
        """Return the sum of each window in float64."""
        if not has_gpu():
            return super().window_sums(windows)
        from modern.streams.correlated_masses import window_sums

        with told():
            return window_sums(_there(windows))

    def order(self, windows: Any) -> Integers:
        """Return the indices that sort each row; equal keys keep their order."""
        if not has_gpu():
            return super().order(windows)
        from modern.streams.row_sort import HALF, order_of_rows, widened

        with told():
            numbers = self.on_host(order_of_rows(widened(_there(windows))))
        return (numbers & np.uint64((1 << HALF) - 1)).view(np.int64)


def _is_short(keys: Keys) -> bool:
    """Whether keys on the host are so few that NumPy sorts them sooner."""
    from modern.streams.device_rooms import FEW

    return keys.nbytes < FEW


def _there(windows: Any) -> Any:
    """Return windows on the current device."""
    import cupy

    return cupy.ascontiguousarray(cupy.asarray(windows))


def _fitting() -> int:
    """Return how many keys are sorted at once with the memory that the device has left."""
    import cupy

    free, _ = cupy.cuda.runtime.memGetInfo()
    free += cupy.get_default_memory_pool().free_bytes()
    return max(LEAST_BATCH, min(BATCH, int(free) // BYTES_A_KEY))
