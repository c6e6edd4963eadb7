"""Answers of the numbers in each row: rows that have NaNs, without a look at each row by itself.

A row with NaNs has fewer numbers, so its quantiles have lower ranks than those of other rows.

=====================  ==========================================================================
rows                   the way
=====================  ==========================================================================
many very short ones   a sorting network that puts NaNs last finds the ranks of all rows
short ones, or with    a sort puts NaNs last, where few keys show how many there are
many ranks
longer ones            some NaNs become −inf and the others inf, which moves numbers up, so that
                       one partition finds the same rank in all rows
long ones              row by row
=====================  ==========================================================================
"""

import numpy as np

from shadersort.keys.types import Integers, Keys
from shadersort.selection.driver import distinct_ranks
from shadersort.selection.rows.by_count import PlanByCount
from shadersort.selection.rows.columns import columns_of, ranked_columns
from shadersort.selection.rows.ordered import in_rows, is_sorted_for, ranked, ranked_each, taken

SORTED = {2: 1 << 14, 4: 1 << 10, 8: 1 << 8}
"""Rows of up to so many keys are sorted, by the bytes of a key: beyond, a partition is faster."""

LONG = 1 << 14
"""Rows of so many keys are asked one after the other."""

PIECE = 1 << 16
"""NaNs are counted in so many keys at a time, which stay in a cache."""

SMALL = 1 << 12
"""Up to so many keys, of all rows together, rows without NaN are asked like those with some."""

FEW = 1 << 4
"""NaNs at the end of sorted rows are looked for among so many keys first."""


def answers_of_numbers(rows: Keys, plan: PlanByCount) -> tuple[Keys, bool]:
    """Return answers of rows, (answers, rows), and whether a row has no numbers.

    The rows are contiguous, and are changed. The answers of a row without numbers are NaN.

    Examples
    --------
    >>> from shadersort.selection.rows.means import MedianByCount
    >>> rows = np.array([[3.0, 1.0, 2.0], [np.nan, 5.0, np.nan]])
    >>> answers_of_numbers(rows, MedianByCount(3, rows.dtype))
    (array([[2., 5.]]), False)
    """
    if rows.shape[1] >= LONG:
        return _one_by_one(rows, plan)
    if rows.shape[1] <= SORTED[rows.itemsize] or is_sorted_for(rows, plan.ranks):
        return _of_sorted(in_rows(rows), plan)
    places = np.flatnonzero(rows != rows)
    if not places.size:
        return plan.whole(ranked(rows, plan.ranks).T), False
    missing = np.bincount(places // rows.shape[1], minlength=len(rows))
    counts = rows.shape[1] - missing
    ks, weight = plan.planned(np.maximum(counts, 1))
    found = _by_one_partition(rows, places, missing, ks)
    if found is None:
        found = ranked_each(rows, ks.T).T
    answers = plan.mixed(found, weight)
    if counts.all():
        return answers, False
    answers[:, counts == 0] = np.nan
    return answers, True


def answers_in_columns(part: Keys, plan: PlanByCount) -> tuple[Keys, bool]:
    """Do as `answers_of_numbers` does for many short rows, those of a part (outer, length, inner).

    The part is not changed.
    """
    columns = columns_of(part)
    missing = (columns != columns).view(np.uint8).sum(axis=0, dtype=np.uint8)
    some = np.flatnonzero(missing != 0)  # that of booleans is several times as fast
    if not some.size:
        return plan.whole(ranked_columns(columns, plan.ranks)), False
    counts = plan.length - missing[some].astype(np.int64)
    ks, weight = plan.planned(np.maximum(counts, 1))
    wanted = np.zeros(plan.length, bool)
    wanted[plan.ranks] = wanted[ks] = True
    place = np.cumsum(wanted) - 1
    found = ranked_columns(columns, np.flatnonzero(wanted), nan_last=True)
    answers = plan.whole(found if len(found) == plan.ranks.size else found[place[plan.ranks]])
    own = found.reshape(-1).take(place[ks] * found.shape[1] + some)
    answers[:, some] = plan.mixed(own, weight)  # NaN of a row without numbers
    return answers, not counts.all()


def _of_sorted(rows: Keys, plan: PlanByCount) -> tuple[Keys, bool]:
    """Answer for rows in order: as if no key were NaN, and again for the rows that have some."""
    last = rows[:, -1]
    some = np.flatnonzero(last != last)
    if some.size and (some.size == len(rows) or rows.size <= SMALL):
        return _with_nans(rows, plan)
    answers = plan.whole(rows[:, plan.ranks].T)
    if not some.size:
        return answers, False
    answers[:, some], none = _with_nans(rows[some], plan)
    return answers, none


def _with_nans(rows: Keys, plan: PlanByCount) -> tuple[Keys, bool]:
    """Answer for rows in order, of which some end with NaNs."""
    counts = rows.shape[1] - _missing(rows)
    none = not counts.all()
    ks, weight = plan.planned(np.maximum(counts, 1) if none else counts)
    return plan.mixed(taken(rows, ks.T).T, weight), none


def _missing(rows: Keys) -> Integers:
    """Return how many NaNs each row has, at its end."""
    length = rows.shape[1]
    width = min(FEW, length)
    while True:
        tail = rows[:, length - width :]
        none = tail != tail
        if width == length or not none[:, 0].any():
            return np.asarray((width - none.argmax(axis=1)) * none[:, -1])
        width = min(4 * width, length)


def _by_one_partition(rows: Keys, places: Integers, missing: Integers, ks: Integers) -> Keys | None:
    """Return keys of each row's own ranks ks, (r, rows), by one partition; None if it cannot be.

    A row can have one rank, or a pair of neighbours. NaNs are at some places, and so many are
    `missing` in each row.
    """
    lowest = ks.min(axis=0)
    inside, most = ks - lowest, int(lowest.max())
    last = most + int(inside.max())
    shift = most - lowest
    if last > most + 1 or last >= rows.shape[1] or (shift > missing).any():
        return None
    starts = np.cumsum(missing) - missing
    low = np.arange(places.size) < np.repeat(starts + shift, missing)
    rows.reshape(-1)[places] = np.where(low, -np.inf, np.inf)
    found = ranked(rows, np.arange(most, last + 1))
    return taken(found, inside.T).T


def _one_by_one(rows: Keys, plan: PlanByCount) -> tuple[Keys, bool]:
    counts = np.array([_count(row) for row in rows])
    if (counts == plan.length).all():
        return plan.whole(ranked(rows, plan.ranks).T), False
    ks, weight = plan.planned(np.maximum(counts, 1))
    found = np.empty(ks.shape, rows.dtype)
    for place, row in enumerate(rows):
        distinct, places = distinct_ranks(ks[:, place])
        found[:, place] = ranked(row[None], distinct)[0, places]
    return plan.mixed(found, weight), not counts.all()


def _count(row: Keys) -> int:
    """Return how many keys are numbers."""
    pieces = (row[start : start + PIECE] for start in range(0, row.size, PIECE))
    return sum(int(np.count_nonzero(piece == piece)) for piece in pieces)
