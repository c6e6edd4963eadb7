"""Keys of ranks in rows of NumPy, which lie along the last axis: by partitions, sorts, comparators.

NumPy's partition is introselect (Musser 1997), with AVX-512 or AVX2 on x86-64. Its answers are
trusted: no counts prove them. It finds one rank at a time fast. So several ranks are found by
dividing, the middle one first; of two neighbours, the lower one is the largest key before the
upper. Keys of 8 bits, and many ranks, are found by a sort. Half floats become integers in their
order, which NumPy compares faster, and its sort of them has a fault (see `keys/in_order.py`).
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from shadersort.drawing.networks import odd_even_merge
from shadersort.keys.codes import from_ordinals, nans, ordinals
from shadersort.keys.types import Integers, Keys

HALF = np.dtype(np.float16)
"""To compare types with a type takes less time than with its class."""

NAN = np.int16(0x7FFF)
"""Stands for every NaN of a half: an ordinal above that of infinity."""

FEW = 1 << 12
"""Up to so many halves become float32 instead, which takes fewer calls."""

SEVERAL = 8
"""More ranks than this are found by a sort."""

DIGITS = 1 << 7
"""Rows of at least this many keys of 8 bits are sorted by their digits."""

SHORT, MANY = 12, 32
"""Rows of up to SHORT keys are compared by columns, if there are MANY for each comparator: its two
calls of NumPy then take less time than a partition of each row."""

LONG = 1 << 12
"""In rows of at least this many keys, each row's own ranks are found row by row."""


def ranked(rows: Keys, ks: Sequence[int] | Integers, *, nan_spreads: bool = False) -> Keys:
    """Return the keys of ascending distinct ranks: of shape (ranks, *rows).

    With `nan_spreads`, a row that has a NaN gets NaN for every rank.

    Examples
    --------
    >>> ranked(np.array([[30, 10, 20], [3, 1, 2]]), [0, 2])
    array([[10,  1],
           [30,  3]])
    """
    if rows.dtype == HALF and rows.size <= FEW:
        return ranked(rows.astype(np.float32), ks, nan_spreads=nan_spreads).astype(HALF)
    if rows.dtype == HALF:
        found = from_ordinals(_found(_half_ordinals(rows), ks, nan_spreads), HALF)
    else:
        nan_spreads = nan_spreads and rows.dtype.kind == "f"
        found = _found(rows, ks, nan_spreads)
    if not nan_spreads:
        return found
    last = found[-1]
    lost = last != last
    if lost.any():
        found = np.where(lost, last, found)
    return found[:-1]


def ranked_each(rows: Keys, ks: Integers) -> Keys:
    """Return the keys of each row's own ranks, in any order: both of shape (r, *rows).

    Examples
    --------
    >>> ranked_each(np.array([[30, 10, 20], [3, 1, 2]]), np.array([[0, 2]]))
    array([[10,  3]])
    """
    if rows.dtype == HALF:
        return from_ordinals(ranked_each(_half_ordinals(rows), ks), HALF)
    if rows.shape[-1] < LONG:
        ordered = np.array(rows, order="C")
        ordered.sort(kind="stable" if rows.itemsize == 1 else None)
        return np.moveaxis(np.take_along_axis(ordered, np.moveaxis(ks, 0, -1), -1), -1, 0)
    found = np.empty(ks.shape, rows.dtype)
    for row in np.ndindex(rows.shape[:-1]):
        distinct, places = np.unique(ks[:, *row], return_inverse=True)
        found[:, *row] = _found(rows[row], distinct, False)[places]
    return found


def _half_ordinals(rows: Keys) -> Keys:
    numbers = ordinals(rows)
    numbers[nans(rows)] = NAN
    return numbers


def _found(rows: Keys, ks: Sequence[int] | Integers, last: bool) -> Keys:
    """Return the keys of ascending ranks, and with `last`, the largest key of each row behind."""
    length, found = rows.shape[-1], np.empty((len(ks) + last, *rows.shape[:-1]), rows.dtype)
    if not len(ks):
        return found
    if length <= SHORT and rows.size >= MANY * length * length:
        wanted = tuple(map(int, ks)) + (length - 1,) * last
        return _by_columns(np.array(np.moveaxis(rows, -1, 0), order="C"), wanted)
    work = np.array(rows, order="C")
    if (rows.itemsize == 1 and length >= DIGITS) or len(ks) > SEVERAL:
        work.sort(kind="stable" if rows.itemsize == 1 else None)
        wanted = (*ks, length - 1) if last else ks
        return np.moveaxis(work[..., wanted], -1, 0)
    _divide(work, [int(k) for k in ks], found)
    if last:
        work[..., int(ks[-1]) :].max(-1, out=found[-1, ...])
    return found


def _divide(work: Keys, ks: list[int], found: Keys) -> None:
    """Find ranks by partitions in place: the middle rank first, then those on its two sides."""
    half = len(ks) // 2
    k, below = ks[half], half
    work.partition(k, axis=-1)
    found[half] = work[..., k]
    if half and ks[half - 1] == k - 1:
        below = half - 1
        work[..., :k].max(-1, out=found[below, ...])
    if below:
        _divide(work[..., :k], ks[:below], found[:below])
    if half + 1 < len(ks):
        above = [each - k - 1 for each in ks[half + 1 :]]
        _divide(work[..., k + 1 :], above, found[half + 1 :])


def _by_columns(columns: Keys, ks: tuple[int, ...]) -> Keys:
    """Return the keys of ranks of the rows (length, *rows), which are changed; NaNs come last.

    A call of `np.fmin` and one of `np.maximum` are a comparator for all rows, which takes the
    number of a number and a NaN first.
    """
    each, spare = list(columns), np.empty_like(columns[0])
    with np.errstate(invalid="ignore"):
        for low, high in _comparators(len(each), ks):
            np.fmin(each[low], each[high], out=spare)
            np.maximum(each[low], each[high], out=each[high])
            each[low], spare = spare, each[low]
    return np.stack([each[k] for k in ks])


@lru_cache(maxsize=64)
def _comparators(length: int, ks: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """Return the comparators of Batcher's network on which the keys of some ranks depend.

    The network is that for a power of two, without the wires that a row has no keys for: there
    would be the largest keys already.

    Examples
    --------
    >>> _comparators(3, (0,))
    ((0, 1), (0, 2))
    """
    network = odd_even_merge(1 << (length - 1).bit_length())
    wanted, used = set(ks), []
    for step in reversed(network.steps):
        for low, high in zip(*step.comparators(network.n), strict=True):
            if high < length and not wanted.isdisjoint((low, high)):
                wanted |= {int(low), int(high)}
                used.append((int(low), int(high)))
    return tuple(reversed(used))
