"""Following links: the columns that a greedy choice keeps, from the last one to the first."""

import numpy as np
import numpy.typing as npt

from shadersort.keys.types import Integers

FEW = 12
"""Up to so many rows a loop over each row is faster than a step of all rows at a time."""


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
