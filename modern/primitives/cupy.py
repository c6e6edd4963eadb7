"""The primitives on a GPU, for CuPy arrays: a call is one kernel, and a few numbers come back."""

from collections.abc import Sequence
from typing import Any

import cupy
import numpy as np
import numpy.typing as npt

from modern.primitives.chosen import Choosing
from modern.primitives.fused_radix import Ranking
from modern.primitives.ordering import ordered
from modern.primitives.quickselect_serial import OneThread
from modern.primitives.reductions import Reductions
from shadersort.keys.types import Keys

__all__ = ["CuPyPrimitives"]


class CuPyPrimitives(Reductions, Ranking, Choosing, OneThread):
    """Primitives over a CuPy array, which is not changed.

    Strided arrays are copied first, once.
    """

    def sample(self, count: int, seed: int) -> Keys:
        """Return keys from random places."""
        self.traffic.read += count
        start = np.uint64((seed << 32) % 2**64)
        arguments = (*self._all, start, np.uint32(count))
        return self._launcher.gathered(self._launcher.kernel("sample"), arguments, count)

    def sort(self) -> "CuPyPrimitives":
        """Return the keys in order, by CuPy."""
        return self._of(self._sorted(cupy.sort if self._numbers else ordered), self._numbers)

    def given(self, found: npt.ArrayLike) -> Any:
        """Return numbers, an answer say, as an array on the device."""
        return self._launcher.given(np.asarray(found))

    def take(self, indices: Sequence[int] | npt.NDArray[np.int64]) -> Keys:
        """Return the keys at some places."""
        self.traffic.read += len(indices)
        return self._launcher.fetched(self.keys[cupy.asarray(np.asarray(indices, np.int64))])
