"""Rows with a crowd, many equal keys: it is counted, and kept behind all ranks that are looked for.

Zeros are such a crowd in many pictures and measurements. NumPy finds a single rank by a vectorised
partition (x86-simd-sort), which puts keys that equal a pivot behind it. So hardly any pivot divides
keys of which many are the smallest: a partition of a million keys then takes ten to forty times as
long as of others. A sample names the crowd, and two counts say where it begins and ends. Rows of
few different keys need none of this: each pivot leaves a large part of them behind.

===============  ==============================================================================
the rank         the way to its key
===============  ==============================================================================
is in the crowd  the counts are the proof
is below it      a partition: the pivots soon leave the crowd behind
is above it      a partition of the keys turned round, so that the crowd is behind the rank again
===============  ==============================================================================
"""

from collections.abc import Sequence
from operator import eq

import numpy as np

from shadersort.keys.codes import nans
from shadersort.keys.types import Integers, Key, Keys
from shadersort.selection.rows.ordered_already import sample_of
from shadersort.selection.rows.partitions import ranked_by_partitions

WORTH = 1 << 12
"""Shorter rows are sorted if they have a crowd: that takes no longer than a look at each."""

FEW = 1 << 12
"""So few keys of all rows together are not worth any look."""

SAMPLE = 1 << 8
"""About so many keys of a row are looked at to name a crowd."""

CROWD = 8
"""More than one in so many of them is a crowd."""


def ranked_in_crowd(rows: Keys, ks: Sequence[int] | Integers) -> Keys | None:
    """Return the keys of ascending distinct ranks in each row; None if a row has no crowd.

    Examples
    --------
    >>> keys = np.arange(100_000) % 7 // 5 * np.arange(100_000)
    >>> ranked_in_crowd(keys[None], [0, 70_000, 80_000])
    array([[    0,     0, 30000]])
    >>> ranked_in_crowd(np.arange(100_000)[None], [50_000]) is None
    True
    """
    if not (len(rows) and len(ks)) or rows.shape[1] < WORTH or not _seems_crowded(rows[0]):
        return None
    wanted = np.asarray(ks)
    found = np.empty((len(rows), wanted.size), rows.dtype)
    for row, answers in zip(rows, found, strict=True):
        crowd = _crowd_near(row, int(wanted[wanted.size // 2]))
        if crowd is None:
            return None
        answers[:] = _ranked_around(row, crowd, wanted)
    return found


def has_short_crowded_rows(rows: Keys) -> bool:
    """Whether rows too short for a look at each seem to have a crowd.

    Examples
    --------
    >>> keys = np.arange(100_000) % 7 // 5 * np.arange(100_000)
    >>> has_short_crowded_rows(keys.reshape(-1, 1000)), has_short_crowded_rows(keys[None])
    (True, False)
    """
    return rows.shape[1] < WORTH and rows.size >= FEW and _seems_crowded(rows[0])


def _seems_crowded(row: Keys) -> bool:
    """Whether a few keys of a row say that it may have a crowd, among others that mostly differ."""
    some = sample_of(row)
    different = len(set(some))
    if CROWD * different > (CROWD - 1) * len(some):
        return False
    crowd = len(some) - 2 * (different - 1)  # then each other key is there twice on average
    some.sort()
    return any(map(eq, some, some[max(0, crowd - 1) :]))


def _crowd_near(row: Keys, k: int) -> Key | None:
    """Return the key of the crowd that is nearest to a rank, or None if a sample shows none."""
    some = np.sort(row[:: max(1, row.size // SAMPLE)])
    length = max(1, some.size // CROWD)
    (runs,) = np.nonzero(some[length:] == some[:-length])
    if not runs.size:
        return None
    aside = np.abs(runs + length // 2 - k * some.size // row.size)
    crowd: Key = some[runs[aside.argmin()]]
    return crowd


def _ranked_around(row: Keys, crowd: Key, ks: Integers) -> Keys:
    """Return the keys of ranks in a row, some of which may have the key of a crowd."""
    begin = np.count_nonzero(row < crowd)
    end = begin + np.count_nonzero(row == crowd)
    below, above = ks < begin, ks >= end
    found = np.full(ks.size, crowd)
    if below.any():
        found[below] = ranked_by_partitions(row.copy()[None], ks[below])[0]
    if above.any():
        found[above] = _ranked_from_above(row, ks[above])
    return found


def _ranked_from_above(row: Keys, ks: Integers) -> Keys:
    """Return the keys of ranks in a row by a partition of its keys in the opposite order."""
    floats = row.dtype.kind == "f"
    numbers = row.size - (np.count_nonzero(nans(row)) if floats else 0)
    inside = ks < numbers
    found = np.full(ks.size, np.nan if floats else 0, row.dtype)
    if inside.any():
        turned = ranked_by_partitions(_turned(row)[None], numbers - 1 - ks[inside][::-1])
        found[inside] = _turned(turned[0, ::-1])
    return found


def _turned(keys: Keys) -> Keys:
    """Return keys in the opposite order; NaNs stay the last ones."""
    return np.asarray(-keys if keys.dtype.kind == "f" else ~keys)
