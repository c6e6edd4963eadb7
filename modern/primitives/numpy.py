"""The primitives in NumPy, with the calls that top-k and thresholding need.

These calls are the reference of top_k.py and thresholding.py, where kernels do the same.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.keys.types import Integers, Key, Keys
from shadersort.selection.driver import selected
from shadersort.selection.primitives import NumPyPrimitives, check_count
from shadersort.selection.thresholds import masked, shrunk
from shadersort.selection.top_keys import (
    MAGNITUDE,
    TopKeys,
    magnitudes,
    order_codes,
    selected_first,
    top_keys,
)

PIECE = 1 << 24
"""This many keys are worked on at a time, which bounds the memory for it."""


class HostPrimitives(NumPyPrimitives):
    """Primitives over a NumPy array, with those of top-k and thresholding.

    Examples
    --------
    >>> from shadersort.selection.top_keys import SMALLEST
    >>> keys = HostPrimitives(np.uint8([7, 5, 7, 9, 7]))
    >>> keys.nth_equal(SMALLEST, 7, 1)
    2
    >>> places = keys.top_places(TopKeys(SMALLEST, pivot=7, end=3, count=3))
    >>> keys.in_order(places, SMALLEST)
    (array([5, 7, 7], dtype=uint8), array([1, 0, 2]))
    """

    def order_codes(self, by: int) -> npt.NDArray[Any]:
        """Return the codes of the keys in an order."""
        self.traffic.add(self.size, self.size)
        return order_codes(self.keys, by)

    def nth_equal(self, by: int, pivot: int, nth: int) -> int:
        """Return the place of the nth key, from zero, among the keys that have a code."""
        self.traffic.add(self.size)
        for start, piece in self._pieces():
            places = np.flatnonzero(order_codes(piece, by) == pivot)
            if nth < places.size:
                return start + int(places[nth])
            nth -= places.size
        raise IndexError(f"there are {nth + 1} too few keys of code {pivot}")

    def top_places(self, top: TopKeys) -> Integers:
        """Return the places of the keys at the top."""
        self.traffic.add(self.size)
        found = [
            np.flatnonzero(top.has(order_codes(piece, top.by), start)) + start
            for start, piece in self._pieces()
        ]
        places = np.concatenate(found).astype(np.int64, copy=False)
        check_count(places.size, top.count)
        return places

    def in_order(self, places: Integers, by: int) -> tuple[Keys, Integers]:
        """Return the keys at some places in order, and their places: of equal keys, the first."""
        places = np.sort(places)
        places = places[np.argsort(order_codes(self.keys[places], by), kind="stable")]
        return self.keys[places], places

    def first(self, by: int, count: int) -> tuple[Keys, Integers]:
        """Return the `count` largest or smallest keys in order, and their places."""
        return selected_first(self, by, count)

    def cut(self, count: int, soft: bool, written: Keys) -> Keys:
        """Write the `count` keys of largest magnitude, and zero for all others.

        "soft" moves keys towards zero by the largest magnitude that is not kept. One more read
        finds the first of equal magnitudes, if only some of them are kept.
        """
        self.traffic.add(self.size, self.size)
        sizes, others = NumPyPrimitives(magnitudes(self.keys), self.traffic), self.size - count
        last, counts = selected(sizes, others - 1 if soft else others)
        if soft and last == last:
            count = counts.above  # equal magnitudes become zero, whichever are kept
        top = top_keys(self, MAGNITUDE, last, counts, count)
        return self.thresholded(top, last if soft else None, written)

    def thresholded(self, top: TopKeys, out: Key | None, written: Keys) -> Keys:
        """Write the keys at the top, and zero for all others, into an array: perhaps their own.

        If `out` is not None, it is a magnitude by which the kept keys are moved towards zero.
        """
        self.traffic.add(self.size, self.size)
        for start, piece in self._pieces():
            kept = masked(piece, top.has(order_codes(piece, top.by), start))
            written[start : start + PIECE] = kept if out is None else shrunk(kept, out)
        return written

    def _pieces(self) -> Iterator[tuple[int, Keys]]:
        """Yield all keys piece by piece, with the place of the first key of each piece."""
        for start in range(0, self.size, PIECE):
            yield start, self.keys[start : start + PIECE]


class BlockedPrimitives(HostPrimitives):
    """The same, where reading all keys is the work: in blocks that caches hold.

    Examples
    --------
    >>> keys = BlockedPrimitives(np.float32([5, 1, np.nan, 3]))
    >>> keys.parted(np.float32(1), np.float32(5))[2].keys
    array([3.], dtype=float32)
    """
