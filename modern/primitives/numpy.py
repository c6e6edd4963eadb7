"""The primitives in NumPy, and what extremes and thresholding ask of keys beside them.

It is the reference of modern/primitives/chosen.py, where kernels do the same.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from modern.primitives.choice import Choice, magnitudes, orders
from shadersort.keys.types import Key, Keys
from shadersort.selection.primitives import NumPyPrimitives, counted

__all__ = ["PIECE", "HostPrimitives", "shrunk"]

PIECE = 1 << 24
"""Keys that are looked at together, so that the memory for it is bounded."""

Places = npt.NDArray[np.int64]


class HostPrimitives(NumPyPrimitives):
    """Primitives over a NumPy array that also choose keys.

    Examples
    --------
    >>> from modern.primitives.choice import SMALLEST
    >>> keys = HostPrimitives(np.uint8([7, 5, 7, 9, 7]))
    >>> keys.place_of_equal(SMALLEST, 7, 1)
    2
    >>> places = keys.chosen(Choice(SMALLEST, pivot=7, end=3, count=3))
    >>> keys.in_order(places, SMALLEST)
    (array([5, 7, 7], dtype=uint8), array([1, 0, 2]))
    """

    def magnitudes(self) -> "HostPrimitives":
        """Return the magnitudes, in a copy unless the keys are unsigned integers."""
        return HostPrimitives(magnitudes(self.keys), self.traffic)

    def orders(self, by: int) -> npt.NDArray[Any]:
        """Return the codes of the keys in an order."""
        self.traffic.add(self.size, self.size)
        return orders(self.keys, by)

    def place_of_equal(self, by: int, pivot: int, nth: int) -> int:
        """Return the place of the nth key, from zero, of those that have a code."""
        self.traffic.add(self.size)
        for start, piece in self._pieces():
            places = np.flatnonzero(orders(piece, by) == pivot)
            if nth < places.size:
                return start + int(places[nth])
            nth -= places.size
        raise IndexError(f"there are {nth + 1} too few keys of code {pivot}")

    def chosen(self, choice: Choice) -> Places:
        """Return the places of the chosen keys."""
        self.traffic.add(self.size)
        found = [
            np.flatnonzero(choice.has(orders(piece, choice.by), start)) + start
            for start, piece in self._pieces()
        ]
        places = np.concatenate(found).astype(np.int64, copy=False)
        counted(places.size, choice.count)
        return places

    def in_order(self, places: Places, by: int) -> tuple[Keys, Places]:
        """Return the keys at some places in order, and their places: of equal ones, the first."""
        places = np.sort(places)
        places = places[np.argsort(orders(self.keys[places], by), kind="stable")]
        return self.keys[places], places

    def kept(self, choice: Choice, out: Key | None, written: Keys) -> Keys:
        """Write the chosen keys, and zero for all others, into an array without other use.

        If `out` is no None, it is a magnitude that the kept keys are moved towards zero by.
        """
        self.traffic.add(self.size, self.size)
        for start, piece in self._pieces():
            kept = np.where(choice.has(orders(piece, choice.by), start), piece, piece.dtype.type(0))
            written[start : start + PIECE] = kept if out is None else shrunk(kept, out)
        return written

    def _pieces(self) -> Iterator[tuple[int, Keys]]:
        """Yield all keys, piece by piece, with the place of the first of each."""
        for start in range(0, self.size, PIECE):
            yield start, self.keys[start : start + PIECE]


def shrunk(kept: Keys, out: Key) -> Keys:
    """Move keys towards zero by a magnitude, and those that are no larger to zero. NaNs stay.

    Examples
    --------
    >>> shrunk(np.array([5, -5, 1], np.int8), np.uint8(2))
    array([ 3, -3,  0], dtype=int8)
    """
    step = np.asarray(out).view(kept.dtype)[()]  # where it is no signed integer, none is larger
    with np.errstate(invalid="ignore", over="ignore"):
        moved = np.where(kept < 0, kept + step, kept - step)
    found = np.where(magnitudes(kept) > out, moved, kept.dtype.type(0))
    return np.where(kept != kept, kept, found)
