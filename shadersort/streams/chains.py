"""A greedy choice of entries: links from each to the next one, and following them.

Thinning Greenwald-Khanna summaries keeps the last entry of a row. Whatever entry is kept, the next
one is the first that the gap between both allows, or the first with the same value if that comes
earlier: no point lies between equal values. So each entry has a link to an earlier one, and
following the links from the last entry finds all that are kept.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.keys.types import Integers

FEW = 12
"""Up to so many rows a loop over each row is faster than a step of all rows at a time."""


def links_of(
    xp: Any, values: Any, smallest: Any, before: Any, size: int, least: Callable[..., Any]
) -> Any:
    """Return, for each entry, the column of the first one that may be its neighbour.

    Parameters
    ----------
    xp
        NumPy or CuPy, whose arrays the others are.
    values
        The values of the entries of several sets in order, row by row; or their bits.
    smallest, before
        The smallest ranks of the entries, and the largest less 1.
    size
        How many values each set has.
    least
        Takes `xp` and largest ranks; returns the smallest rank that a neighbour before may have.

    Examples
    --------
    >>> ranks = np.array([[1, 3, 4, 6, 9]])
    >>> links_of(np, ranks, ranks, ranks - 1, 9, lambda xp, largest: largest - 3)
    array([[0, 0, 0, 1, 3]])
    >>> equal = np.array([[5, 5, 5, 7, 7]])
    >>> links_of(np, equal, ranks, ranks - 1, 9, lambda xp, largest: largest - 3)
    array([[0, 0, 0, 1, 3]])
    """
    rows, entries = smallest.shape
    apart = xp.arange(rows)[:, None] * (size + 1)  # then all rows together are in order
    wanted = xp.maximum(least(xp, before.astype(np.int64) + 1), 1) + apart
    found = xp.searchsorted((smallest.astype(np.int64) + apart).ravel(), wanted.ravel())
    columns = found.reshape(rows, entries) - xp.arange(rows)[:, None] * entries
    equal = values[:, 1:] == values[:, :-1]
    if equal.any():
        columns = xp.minimum(columns, _first_of_equal(xp, equal))
    return xp.minimum(columns, xp.maximum(xp.arange(entries) - 1, 0))


def _first_of_equal(xp: Any, equal: Any) -> Any:
    """Return the column of the first entry with the value of each one, in rows.

    `equal` says for all but the first of a row whether its value is also that of the one before.

    Examples
    --------
    >>> _first_of_equal(np, np.array([[True, False, True], [False, True, True]]))
    array([[0, 0, 2, 2],
           [0, 1, 1, 1]])
    """
    rows, entries = len(equal), equal.shape[1] + 1
    begins = xp.ones((rows, entries), np.bool_)
    begins[:, 1:] = ~equal
    run = xp.cumsum(begins.ravel(), dtype=np.int64) - 1
    first = xp.flatnonzero(begins)[run].reshape(rows, entries)
    return first - xp.arange(rows)[:, None] * entries


def chains(links: Integers) -> npt.NDArray[np.intp]:
    """Return the columns on the way from the last column to column 0, in order, for each row.

    Each column links to an earlier one, and column 0 to itself. Shorter rows begin with more zeros.

    Examples
    --------
    >>> chains(np.array([[0, 0, 1, 2], [0, 0, 0, 1]]))
    array([[0, 1, 2, 3],
           [0, 0, 1, 3]])
    """
    return _row_by_row(links) if len(links) <= FEW else _together(links)


def _row_by_row(links: Integers) -> npt.NDArray[np.intp]:
    ways = [_way(row) for row in links.tolist()]
    found = np.zeros((len(ways), max(map(len, ways))), np.intp)
    for row, way in zip(found, ways, strict=True):
        row[len(row) - len(way) :] = way
    return found


def _way(links: list[int]) -> list[int]:
    at = len(links) - 1
    way = [at]
    while at:
        at = links[at]
        way.append(at)
    return way[::-1]


def _together(links: Integers) -> npt.NDArray[np.intp]:
    flat, starts = links.ravel(), np.arange(len(links)) * links.shape[1]
    at = np.full(len(links), links.shape[1] - 1)
    steps = [at]
    while at.any():
        at = flat[starts + at]
        steps.append(at)
    return np.array(steps[::-1], np.intp).T
