"""Batches in order on a GPU, and long lists of entries beside them.

The same as `shadersort/streams/sorted_batch.py` and `gk_list.py`, byte for byte. The device has the
order-preserving codes of keys in their place, because CuPy's comparisons flush denormals, and
because integers are sorted faster. A short list stays on the host, which asks the batch: its few
entries are copied faster than many small kernels are launched.
"""

from dataclasses import dataclass
from typing import Any

import cupy
import numpy as np

from modern.primitives.cupy import CuPyPrimitives
from modern.streams.row_sort import widened
from modern.streams.staging import to_host
from shadersort.keys.codes import decode, encode
from shadersort.keys.types import Keys
from shadersort.selection.top_keys import SMALLEST
from shadersort.streams.gk_list import GKList, repeats_of

LONG = 1 << 13
"""Entries of a list that is brought to the device."""


@dataclass(frozen=True, slots=True, eq=False)
class BatchOnGPU:
    """Values in order on a GPU, for a list that is there.

    Attributes
    ----------
    codes
        The codes of the values.
    dtype
        The type of the values.
    """

    codes: Any
    dtype: np.dtype[Any]

    @property
    def xp(self) -> Any:
        """CuPy."""
        return cupy

    def __len__(self) -> int:
        return int(self.codes.size)

    def below(self, points: Any) -> Any:
        """Return how many values are less than each point, given by codes."""
        return cupy.searchsorted(self.codes, points)

    def through(self, points: Any) -> Any:
        """Return how many values are at most each point, given by codes."""
        return cupy.searchsorted(self.codes, points, side="right")

    def at(self, places: Any) -> Any:
        """Return the codes of the values at some places."""
        return self.codes[places]

    def beside(self, entries: GKList) -> "tuple[BatchOnGPU | BatchAsked, GKList]":
        """Return this batch and a list of entries, where the two can work together."""
        if len(entries) > LONG:
            return self, on_gpu(entries, self.dtype)
        return BatchAsked(self.codes, self.dtype), entries.on_host()

    def values(self) -> Keys:
        """Return all values on the host."""
        return decoded(to_host(self.codes), self.dtype)


class BatchAsked(BatchOnGPU):
    """The same for a list on the host: questions and answers are copied."""

    __slots__ = ()

    @property
    def xp(self) -> Any:
        """NumPy."""
        return np

    def below(self, points: Keys) -> Any:
        """Return how many values are less than each point."""
        return to_host(super().below(self._there(points)))

    def through(self, points: Keys) -> Any:
        """Return how many values are at most each point."""
        return to_host(super().through(self._there(points)))

    def at(self, places: Any) -> Keys:
        """Return the values at some places."""
        return decoded(to_host(super().at(cupy.asarray(places))), self.dtype)

    def _there(self, points: Keys) -> Any:
        return cupy.asarray(encoded(points))


@dataclass(frozen=True, slots=True, eq=False)
class GKListOnGPU(GKList):
    """A list whose arrays are on a GPU; its values are codes of a type."""

    dtype: np.dtype[Any]

    def on_host(self) -> GKList:
        """Return the list in arrays of NumPy."""
        values = decoded(to_host(self.values), self.dtype)
        ranks = to_host(self.smallest), to_host(self.before)
        return GKList(values, *ranks, repeats_of(np, values), self.size, self.limit)

    def _of(
        self, values: Any, smallest: Any, before: Any, repeats: Any, size: int, limit: int
    ) -> "GKListOnGPU":
        return GKListOnGPU(values, smallest, before, repeats, size, limit, self.dtype)


def on_gpu(entries: GKList, dtype: np.dtype[Any]) -> GKListOnGPU:
    """Return a list of values of a type on the current device."""
    if isinstance(entries, GKListOnGPU):
        return entries
    columns = encoded(entries.values), entries.smallest, entries.before, entries.repeats
    values, smallest, before, repeats = map(cupy.asarray, columns)
    return GKListOnGPU(values, smallest, before, repeats, entries.size, entries.limit, dtype)


def ordered(keys: Any) -> tuple[BatchOnGPU, int]:
    """Return the keys of a CuPy array in order, without NaNs, and the number of NaNs."""
    codes = CuPyPrimitives(widened(keys)).order_codes(SMALLEST)
    codes.sort()
    nans = 0
    if keys.dtype.kind == "f":
        last = cupy.full(1, np.iinfo(codes.dtype).max, codes.dtype)  # the code of every NaN
        nans = codes.size - int(cupy.searchsorted(codes, last)[0])
    return BatchOnGPU(codes[: codes.size - nans], np.dtype(keys.dtype)), nans


def encoded(values: Keys) -> Keys:
    """Return the codes of values on the host, as wide as they are on the device.

    Examples
    --------
    >>> encoded(np.int8([-1, 0])), encoded(np.float16([0])).dtype
    (array([2147483647, 2147483648], dtype=uint32), dtype('uint16'))
    """
    return encode(widened(values))


def decoded(codes: Keys, dtype: np.dtype[Any]) -> Keys:
    """Return the values of a type that have these codes.

    Examples
    --------
    >>> decoded(encoded(np.int8([-1, 0])), np.dtype(np.int8))
    array([-1,  0], dtype=int8)
    """
    wide = widened(np.empty(0, dtype)).dtype
    return decode(codes, wide).astype(dtype, copy=False)
