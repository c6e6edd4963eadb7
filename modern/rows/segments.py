"""Ragged rows: segments of a flat array, given by offsets.

Segments of one length are copied together as rows, a bounded number of keys at a time. There are at
most sqrt(2 n) different lengths in n keys, so few calls do the work even if all lengths differ.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from modern.arrays import as_cupy, is_on_gpu, module_of
from shadersort.errors import BadSegments
from shadersort.keys.types import Integers

MOST = 1 << 20
"""Keys that are copied at a time, if a segment has no more."""


@dataclass(frozen=True)
class Part:
    """Some segments of the same length."""

    places: Integers  # which segments
    starts: Integers  # where they begin in the flat array
    length: int

    def of_keys(self, array: Any) -> Any:
        """Return what a flat array has for the keys of the segments: (segments, length, 1)."""
        if self.places.size == 1:
            start = int(self.starts[0])
            return array[start : start + self.length].reshape(1, self.length, 1)
        return array[self._inside(module_of(array))][..., None]

    def of_rows(self, values: Any) -> Any:
        """Return what the last axis has for the segments, which gets the shape (segments, 1)."""
        return values[..., self.places, None]

    def put(self, array: Any, values: Any) -> None:
        """Write what was found for the keys, (segments, length, 1), where they are in an array."""
        if self.places.size == 1:
            start = int(self.starts[0])
            array[start : start + self.length] = values.reshape(-1)
        else:
            array[self._inside(module_of(array))] = values[..., 0]

    def _inside(self, xp: Any) -> Any:
        """Return the places of the keys, (segments, length), made where the keys are."""
        return self._on_host if xp is np else _places(xp, self.starts, self.length)

    @cached_property
    def _on_host(self) -> Integers:
        places: Integers = _places(np, self.starts, self.length)
        return places


@dataclass(frozen=True)
class Segments:
    """Where the segments of a flat array begin, and how many keys they have."""

    starts: Integers
    lengths: Integers

    @property
    def count(self) -> int:
        """How many segments there are."""
        return self.lengths.size

    @property
    def empty(self) -> Integers:
        """The segments without keys."""
        return np.flatnonzero(self.lengths == 0)

    def parts(self) -> Iterator[Part]:
        """Yield all segments that have keys: those of one length together, up to MOST keys.

        Examples
        --------
        >>> [part.places.tolist() for part in segments_of([0, 2, 3, 3, 5], 5).parts()]
        [[1], [0, 3]]
        """
        if not self.count:
            return
        order = _order(self.lengths)
        ordered = self.lengths[order]
        firsts = np.flatnonzero(np.diff(ordered, prepend=-1))
        lengths = ordered[firsts].tolist()
        for length, some in zip(lengths, np.split(order, firsts[1:]), strict=True):
            step = max(MOST // length, 1) if length else 0
            for start in range(0, some.size if step else 0, step or 1):
                places = some[start : start + step]
                yield Part(places, self.starts[places], length)


def _places(xp: Any, starts: Integers, length: int) -> Any:
    """Return the places of so many keys from each start on, as an array of a module."""
    return xp.asarray(starts)[:, None] + xp.arange(length)


def _order(lengths: Integers) -> Integers:
    """Return the order of lengths, equal ones in their own; NumPy sorts 16 bits by their digits."""
    short = int(lengths.max()) < 1 << 16
    return np.argsort(lengths.astype(np.uint16) if short else lengths, kind="stable")


def segments_of(offsets: Any, n: int) -> Segments:
    """Return the segments of n keys: the one at i lies from offset i to offset i + 1.

    Examples
    --------
    >>> segments_of([0, 2, 5], 4)
    Traceback (most recent call last):
    ...
    shadersort.errors.BadSegments: segments end at 5, and there are 4 keys
    """
    given = np.asarray(as_cupy(offsets).get() if is_on_gpu(offsets) else offsets)
    if given.ndim != 1 or not given.size or given.dtype.kind not in "iu":
        raise BadSegments(
            "segments are integers in an array of one dimension: the offset of each segment, and "
            f"the end of the last; not {given.dtype} of shape {given.shape}"
        )
    if int(given[0]) < 0:
        raise BadSegments(f"segments begin at 0 or later, not at {given[0]}")
    falls = np.flatnonzero(given[1:] < given[:-1])
    if falls.size:
        place = int(falls[0])
        raise BadSegments(
            f"segments ascend: offset {place + 1} is {given[place + 1]}, and the one before it "
            f"{given[place]}"
        )
    if int(given[-1]) > n:
        raise BadSegments(f"segments end at {given[-1]}, and there are {n} keys")
    each = given.astype(np.int64)
    return Segments(each[:-1], np.diff(each))
