"""Few keys of a long row that hold its first ones: a sample shows where to look.

A key of the sample probably has enough keys ahead of it, and not many more: one look at the row
finds them. If the key has many equals, fewer are ahead, and the first of the equals complete them.
"""

from collections.abc import Iterator
from math import ceil, sqrt

import numpy as np

from shadersort.keys.types import Integers, Key, Keys
from shadersort.selection.rows.protocol import Ties

LONG = 1 << 15
"""Rows of so many keys are worth a sample."""

SHARE = 8
"""At most one in so many keys is wanted."""

SAMPLE = 1 << 12
"""Keys of a sample, about."""

SLACK = 4
"""So many standard deviations of its number of keys ahead, a key of the sample is farther away."""

MORE = 64
"""If more than twice the wanted keys are ahead, and one in so many of all, the sample misled."""

PIECE = 1 << 16
"""Keys are compared in pieces, which stay in a cache."""


def is_worth_a_sample(length: int, count: int) -> bool:
    """Whether a row is long enough, and few of its keys are wanted.

    Examples
    --------
    >>> is_worth_a_sample(1 << 20, 10), is_worth_a_sample(1 << 20, 1 << 19)
    (True, False)
    """
    return length >= LONG and count * SHARE <= length


def few_of_row(row: Keys, count: int, smallest: bool, ties: Ties) -> Integers | None:
    """Return places, ascending, of a few keys that hold the first `count` of a row.

    Of keys that equal the last of these, there are all, or those that `ties` names. None if the
    sample was no help.

    Examples
    --------
    >>> row = np.arange(1 << 16) % 7
    >>> few_of_row(row, 4, smallest=True, ties="lowest")
    array([ 0,  7, 14, 21])
    """
    key = _probable(row, count, smallest)
    most = 2 * count + row.size // MORE
    return None if key is None else up_to(row, key, count, smallest, ties, most)


def up_to(
    row: Keys, key: Key, count: int, smallest: bool, ties: Ties, most: int
) -> Integers | None:
    """Return places, ascending, of the keys ahead of a key; if they are too few, of equals as well.

    None if more than `most` are ahead, or if there are not `count` altogether.

    Examples
    --------
    >>> up_to(np.array([30, 10, 20, 10, 10]), 10, 3, smallest=False, ties="lowest", most=5)
    array([0, 1, 2])
    """
    ahead = _joined(_ahead(row, key, smallest), most)
    if ahead is None or ahead.size >= count:
        return ahead
    equal = _equal(row, key, count - ahead.size, ties)
    if ahead.size + equal.size < count:
        return None
    return np.sort(np.concatenate([ahead, equal])) if ahead.size else equal


def _probable(row: Keys, count: int, smallest: bool) -> Key | None:
    """Return a key that probably has at least `count` keys ahead of it, or as many equals."""
    some = row[:: row.size // SAMPLE + 1]
    some = np.sort(some, kind="stable" if some.itemsize <= 2 else None)
    expected = count * some.size / row.size
    place = ceil(expected + SLACK * sqrt(expected)) + SLACK
    if place >= some.size:
        return None
    return some[place] if smallest else some[-1 - place]


def _ahead(row: Keys, key: Key, smallest: bool) -> Iterator[Integers]:
    """Yield the places of the keys that come before a key; NaNs are the largest."""
    for start in range(0, row.size, PIECE):
        piece = row[start : start + PIECE]
        if key == key:
            yield np.flatnonzero(piece < key if smallest else ~(piece <= key)) + start
        elif smallest:
            yield np.flatnonzero(piece == piece) + start


def _joined(parts: Iterator[Integers], most: int) -> Integers | None:
    """Return places as one array, or None if they are more than that."""
    found, size = [np.empty(0, np.int64)], 0
    for places in parts:
        found.append(places)
        size += places.size
        if size > most:
            return None
    return np.concatenate(found)


def _equal(row: Keys, key: Key, count: int, ties: Ties) -> Integers:
    """Return the lowest or highest places of so many keys that equal a key, or of fewer: ascending.

    It reads no more of the row than it must.
    """
    starts, found, missing = range(0, row.size, PIECE), [np.empty(0, np.int64)], count
    highest = ties == "highest"
    for start in reversed(starts) if highest else starts:
        piece = row[start : start + PIECE]
        places = np.flatnonzero(piece == key if key == key else piece != piece) + start
        found.append(places[-missing:] if highest else places[:missing])
        missing -= found[-1].size
        if not missing:
            break
    return np.concatenate(found[::-1] if highest else found)
