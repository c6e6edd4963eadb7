"""The magnitude of a rank over several arrays: a bracket from a sample, and one read of all keys.

As in one-read (`shadersort.selection.primitives.one_read`): a sample says between which magnitudes
the answer almost certainly lies. One read counts the keys above this bracket and at its ends, and
collects the few inside. The counts prove whether the answer is there, and add up over any parts.
"""

from dataclasses import dataclass
from threading import Lock
from typing import Any

import numpy as np

from shadersort.selection.primitives.one_read import ATTEMPTS, WIDE, aimed
from shadersort.selection.rows.chunks import in_threads
from shadersort.sparse.parts import Parts

SAMPLE = 1 << 16
"""Keys of a sample on a CPU."""

LARGER = 4
"""On a GPU it is so many times as large: it takes no longer, and fewer keys are inside."""


@dataclass(frozen=True)
class Level:
    """A magnitude, by its code, and how many keys have a larger one, and the same.

    Attributes
    ----------
    code
        The code; that of a NaN is `Parts.nan`.
    above, equal
        Numbers of keys.
    """

    code: int
    above: int
    equal: int


@dataclass
class Counts:
    """What one read finds about a bracket."""

    above: int = 0
    last: int = 0
    first: int = 0
    inside: Any = ()


def level_of(parts: Parts, nth: int) -> Level:
    """Return the nth largest magnitude, from one.

    Examples
    --------
    >>> from shadersort.arrays import NumPyHome
    >>> from shadersort.sparse.parts import parts_of
    >>> level_of(parts_of(NumPyHome(), [np.int8([3, -7]), np.int8([5, 5])]), 2)
    Level(code=5, above=1, equal=2)
    """
    for attempt in range(ATTEMPTS * (parts.size > 2 * LARGER * SAMPLE)):
        first, last = _bracket(parts, nth, WIDE * 4**attempt)
        if (found := _located(parts, nth, first, last)) is not None:
            return found
    found = _located(parts, nth, 0, parts.nan)
    assert found is not None  # all codes are in this bracket
    return found


def _bracket(parts: Parts, nth: int, wide: float) -> tuple[int, int]:
    """Return two codes between which the nth largest most likely is."""
    count = SAMPLE if parts.home.xp is np else SAMPLE * LARGER
    sample = parts.sampled(count)
    rank = parts.size - nth
    low, high = (aimed(rank, parts.size, count, wide, side) for side in (-1, 1))
    ranks = np.unique([low % count, min(high, count - 1)])
    ends = parts.home.rows(sample[None, :, None]).ranks(ranks).ravel().tolist()
    return ends[0] if low < count else 0, ends[-1] if high < count else parts.nan


def _located(parts: Parts, nth: int, first: int, last: int) -> Level | None:
    """Return the nth largest magnitude by one read; None if it is not in the bracket."""
    found = counted(parts, first, last)
    left = nth - found.above
    if left <= 0:
        return None
    if left <= found.last:
        return Level(last, found.above, found.last)
    left -= found.last
    if left <= found.inside.size:
        return _among(parts, found, left)
    left -= found.inside.size
    if left <= found.first:
        return Level(first, nth - left, found.first)
    return None


def _among(parts: Parts, found: Counts, left: int) -> Level:
    """Return the level of one of the collected codes, of which it is a given one from the top."""
    inside, rank = found.inside, found.inside.size - left
    own = parts.home.steps.ranked(inside, rank)
    if own is None:
        code = parts.home.rows(inside[None, :, None]).ranks(np.array([rank])).ravel()
        own = int(code[0]), int((inside > code).sum()), int((inside == code).sum())
    code, above, equal = own
    return Level(code, found.above + found.last + above, equal)


def counted(parts: Parts, first: int, last: int) -> Counts:
    """Count the codes above a bracket and at its ends; collect those inside.

    Examples
    --------
    >>> from shadersort.arrays import NumPyHome
    >>> from shadersort.sparse.parts import parts_of
    >>> counted(parts_of(NumPyHome(), [np.int8([3, -7]), np.int8([5, 5])]), 3, 6)
    Counts(above=1, last=0, first=1, inside=array([5, 5], dtype=uint8))
    """
    own = parts.home.steps.counted(parts.arrays, first, last, parts.nan)
    return _counted(parts, first, last) if own is None else Counts(*own)


def _counted(parts: Parts, first: int, last: int) -> Counts:
    """Do so piece by piece."""
    xp, lock, found = parts.home.xp, Lock(), Counts()
    inside: list[Any] = []

    def do(piece: tuple[Any, ...]) -> None:
        codes = parts.codes(piece[0]).ravel()
        if last == parts.nan:
            codes = xp.minimum(codes, codes.dtype.type(last))
        above = xp.count_nonzero(codes > codes.dtype.type(last))
        near = codes[codes - codes.dtype.type(first) <= codes.dtype.type(last - first)]
        counts = xp.count_nonzero(near == last), xp.count_nonzero(near == first)
        near = near[(near > first) & (near < last)]
        with lock:
            found.above += above
            found.last += counts[0]
            found.first += counts[1] * (first < last)
            inside.append(near)

    in_threads(parts.pieces(), do, parts.size if xp is np else 0)
    return Counts(int(found.above), int(found.last), int(found.first), xp.concatenate(inside))
