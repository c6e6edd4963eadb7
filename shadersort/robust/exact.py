"""Tiny problems: the least trimmed squares of all subsets of the rows."""

from collections.abc import Iterator
from itertools import combinations, islice

import numpy as np

from shadersort.errors import BadOption
from shadersort.robust.concentration import stepped
from shadersort.robust.problem import Numbers, Problem
from shadersort.robust.starts import Places, fits_of

FEW = 5_000
"""Subsets that are all tried if nobody asks for it: those of up to 14 rows."""

MOST = 2_000_000
"""Subsets that are all tried if somebody asks for it: that takes about a minute."""

BATCH = 1 << 12
"""Subsets at a time."""


def subsets_of(rows: int, size: int) -> Iterator[Places]:
    """Yield all subsets of the rows, in batches.

    Examples
    --------
    >>> list(subsets_of(3, 2))
    [array([[0, 1],
           [0, 2],
           [1, 2]])]
    """
    all_of_them = combinations(range(rows), size)
    while batch := list(islice(all_of_them, BATCH)):
        yield np.array(batch)


def number_of(rows: int, size: int, most: int) -> int:
    """Return how many subsets there are, or any number above `most` if there are more.

    `math.comb` would take seconds for a million rows.

    Examples
    --------
    >>> number_of(14, 7, 5000), number_of(10**6, 5 * 10**5, 5000) > 5000
    (3432, True)
    """
    count = 1
    for place in range(min(size, rows - size)):
        count = count * (rows - place) // (place + 1)
        if count > most:
            break
    return count


def check_number(count: int, what: str) -> None:
    """Raise BadOption if there are too many candidates to try all of them."""
    if count > MOST:
        raise BadOption(f"starts='exact' would try more than {MOST:,} {what}: use 'auto' instead")


def exact(problem: Problem, h: int) -> Numbers:
    """Return the fit that has the least sum of the h smallest squares of all.

    It is the least squares fit of some h rows, so all subsets are tried. Raises BadOption if there
    are too many.
    """
    check_number(number_of(problem.rows, h, MOST), f"subsets of {h} of {problem.rows} rows")
    best, found = np.inf, np.zeros(problem.parameters)
    for subsets in subsets_of(problem.rows, h):
        thetas = fits_of(problem, subsets)
        objectives, _ = stepped(problem, thetas, h)
        place = int(objectives.argmin())
        if objectives[place] < best:
            best, found = float(objectives[place]), thetas[place]
    return found
