"""The keys of some ranks in each row of a copy, which may be put in another order for that.

Rows that are in order already, and those with many equal keys, have ways of their own: see
ordered_already.py and crowded.py. The answer of a partition needs no proof by counts.

Measured with NumPy 2.4 on an x86-64 CPU with AVX-512: a sort of a row of up to 2 KiB takes no
longer than a partition, and a sort of a longer one as long as three partitions. Keys of 8 bits are
sorted by their digits in a quarter of the time of a partition, except in tiny rows. Keys of 16 bits
are widened to 32: see sixteen_bits.py.
"""

import numpy as np

from shadersort.keys.types import Integers, Keys
from shadersort.selection.rows.crowded import has_short_crowded_rows, ranked_in_crowd
from shadersort.selection.rows.ordered_already import ordered_already
from shadersort.selection.rows.partitions import ranked_by_partitions
from shadersort.selection.rows.sixteen_bits import HALF, is_widened, narrowed, widened

SHORT = 1 << 11
"""Rows of up to this many bytes are sorted."""

TINY = 1 << 5
"""In rows of fewer keys than this, a partition finds one rank faster than a sort."""

DIGITS = 1 << 4
"""Rows of so many keys of 8 bits, or more, are sorted fastest by their digits."""

SEVERAL = 3
"""With more ranks than this, neighbours counted once, a row is sorted."""

NARROW = 4
"""A window of ranks is narrow if it has at most one in this many keys."""


def ranked(work: Keys, ks: Integers, *, own: bool = True) -> Keys:
    """Return the keys of ascending distinct ranks in each row.

    Rows that are not the caller's `own` stay as they are; others may be reordered.

    Examples
    --------
    >>> ranked(np.array([[30, 10, 20], [3, 1, 2]]), np.array([0, 2]))
    array([[10, 30],
           [ 1,  3]])
    """
    if is_widened(work):
        return narrowed(ranked(widened(work), ks), work.dtype)
    ordered = ordered_for(work, ks, own=own)
    if ordered is not None:
        return of_ordered(ordered, ks)
    found = ranked_in_crowd(work, ks)
    return ranked_by_partitions(work if own else work.copy(), ks) if found is None else found


def ordered_for(work: Keys, ks: Integers, *, own: bool = True) -> Keys | None:
    """Return each row in ascending order, if it is so already, or if a sort is the fastest way."""
    ordered = ordered_already(work)
    if ordered is None and (is_sorted_for(work, ks) or has_short_crowded_rows(work)):
        return in_rows(work if own else work.copy())
    return ordered


def of_ordered(rows: Keys, ks: Integers) -> Keys:
    """Return the keys of ranks in each of some rows in ascending order."""
    if ks.size == 1:
        k = int(ks[0])
        return rows[:, k : k + 1]  # that of an array takes several times as long
    return rows[:, ks]


def is_short(work: Keys) -> bool:
    """Whether a sort of each row takes no longer than one partition."""
    if work.itemsize == 2:
        return is_widened(work) and 4 * work.shape[1] <= SHORT
    return work.shape[1] * work.itemsize <= SHORT or work.itemsize == 1


def is_sorted_for(work: Keys, ks: Integers) -> bool:
    """Whether a sort of each row takes less time than partitions for some ranks."""
    if is_short(work):
        tiny = DIGITS if work.itemsize == 1 else TINY
        return ks.size > 1 or work.shape[1] >= tiny
    return ks.size > SEVERAL and int(np.count_nonzero(np.diff(ks) > 1)) >= SEVERAL


def ranked_each(work: Keys, ks: Integers) -> Keys:
    """Return the keys of each row's own ranks, which may come in any order; may reorder the rows.

    If all ranks lie in a window that is narrow enough, the rows are divided at its ends, and only
    the window is sorted.

    Examples
    --------
    >>> ranked_each(np.array([[30, 10, 20], [3, 1, 2]]), np.array([[0], [2]]))
    array([[10],
           [ 3]])
    """
    if is_widened(work):
        return narrowed(ranked_each(widened(work), ks), work.dtype)
    low, high = int(ks.min()), int(ks.max())
    length = work.shape[1]
    if is_short(work) or (high - low) * NARROW > length:
        return taken(in_rows(work), ks)
    work.partition(high, axis=1)
    if low:
        work[:, :high].partition(low - 1, axis=1)
    return taken(in_rows(work[:, low : high + 1]), ks - low)


def in_rows(work: Keys) -> Keys:
    """Return each row in ascending order, perhaps in the same memory; NaNs are all alike."""
    if work.dtype == HALF or is_widened(work):
        wide = widened(work)
        wide.sort(axis=1)
        return narrowed(wide, work.dtype)
    by_digits = work.itemsize == 1 and work.shape[1] >= DIGITS
    work.sort(axis=1, kind="stable" if by_digits else None)
    return work


def taken(rows: Keys, places: Integers) -> Keys:
    """Return what each row has at its own places, as `np.take_along_axis` does, with less effort.

    Examples
    --------
    >>> taken(np.array([[30, 10, 20], [3, 1, 2]]), np.array([[0], [2]]))
    array([[30],
           [ 2]])
    """
    if len(rows) == 1:
        return np.asarray(rows[0].take(places))
    starts = np.arange(0, rows.size, rows.shape[1])[:, None]
    if rows.flags.c_contiguous:
        return np.asarray(rows.reshape(-1).take(places + starts))
    return np.asarray(rows[np.arange(len(rows))[:, None], places])
