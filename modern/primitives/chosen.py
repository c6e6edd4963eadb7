"""Choosing keys on a GPU: where the extreme ones are, these in order, or the array without others.

One kernel each, but for sorting many keys, which CuPy does.
"""

import struct
from typing import Any

import cupy
import numpy as np

from modern.launching.launch import THREADS
from modern.primitives.choice import Choice, magnitudes
from modern.primitives.gpu_keys import GPUKeys
from shadersort.keys.types import Key
from shadersort.selection.primitives import counted

__all__ = ["Choosing"]

FEW_IN_ORDER = 1 << 12
"""So many keys are compared each with each, in one launch, where a sort takes many."""

PLACE = struct.Struct("=Q")


class Choosing(GPUKeys):
    """The calls of `modern.primitives.numpy.HostPrimitives`, for CuPy arrays."""

    def magnitudes(self) -> Any:
        """Return the magnitudes, in a copy unless the keys are unsigned integers."""
        self.traffic.add(self.size, self.size)
        return type(self)(magnitudes(self.keys), self.traffic)

    def orders(self, by: int) -> Any:
        """Return the codes of the keys in an order."""
        self.traffic.add(self.size, self.size)
        found = cupy.empty(self.size, self._launcher.raw)
        self._launcher.run(self._launcher.kernel("orders", BY=by), (*self._all, found))
        return found

    def place_of_equal(self, by: int, pivot: int, nth: int) -> int:
        """Return the place of the nth key, from zero, of those that have a code."""
        self.traffic.add(self.size)
        kernel = self._launcher.kernel("place_of_equal", BY=by, THREADS=THREADS)
        arguments = (*self._all, self._raw(pivot), np.uint64(nth))
        (place,) = self._launcher.reduced(kernel, arguments, PLACE)
        return int(place)

    def chosen(self, choice: Choice) -> Any:
        """Return the places of the chosen keys, in any order."""
        self.traffic.add(self.size)
        places = cupy.empty(choice.count, np.int64)
        arguments = (*self._all, *self._given(choice), places, np.uint64(choice.count))
        kernel = self._launcher.kernel("chosen", BY=choice.by)
        # the wait makes sure that all places are written before anything reads keys at them
        found, *_ = self._launcher.copied(kernel, arguments, None)
        counted(found, choice.count)
        return places

    def in_order(self, places: Any, by: int) -> tuple[Any, Any]:
        """Return the keys at some places in order, and their places: of equal ones, the first.

        The places are overwritten.
        """
        if places.size <= FEW_IN_ORDER:
            return self._few_in_order(places, by)
        places.sort()
        codes = self._of(self.keys[places], False).orders(by)
        places = places[cupy.argsort(codes)]
        return self.keys[places], places

    def _few_in_order(self, places: Any, by: int) -> tuple[Any, Any]:
        count = places.size
        values, ordered = cupy.empty(count, self.dtype), cupy.empty(count, np.int64)
        if count:
            kernel = self._launcher.kernel("in_order", BY=by, THREADS=THREADS)
            arguments = (self.keys, places, np.uint32(count), values, ordered)
            self._launcher.run_threads(kernel, arguments, count)
        return values, ordered

    def kept(self, choice: Choice, out: Key | None, written: Any) -> Any:
        """Write the chosen keys, and zero for all others, into an array without other use.

        If `out` is no None, it is a magnitude that the kept keys are moved towards zero by.
        """
        self.traffic.add(self.size, self.size)
        soft = out is not None
        off = np.asarray(out).view(self._launcher.raw)[()] if soft else self._raw(0)
        kernel = self._launcher.kernel("kept", BY=choice.by, SOFT=int(soft))
        self._launcher.run(kernel, (*self._all, *self._given(choice), off, written))
        return written

    def _given(self, choice: Choice) -> tuple[Any, np.uint64]:
        return self._raw(choice.pivot), np.uint64(choice.end)
