"""Answers of the numbers in each row: rows that have NaNs, without a look at each row by itself.

A row with NaNs has fewer numbers, so its quantiles have lower ranks than those of other rows.

=====================  ==========================================================================
rows                   the way
=====================  ==========================================================================
many very short ones   a sorting network that puts NaNs last finds the ranks of all rows
numbers in order       their places tell their ranks: see numbers_in_order.py
short ones, or with    a sort puts NaNs last, where few keys show how many there are
many ranks
longer ones            more −inf are put into rows whose ranks are lower, which moves numbers up,
                       so that one partition finds the same rank in all rows
long ones              row by row
=====================  ==========================================================================
"""

import numpy as np

from shadersort.keys.codes import nans
from shadersort.keys.types import Integers, Keys
from shadersort.selection.driver import distinct_ranks
from shadersort.selection.rows.by_count import PlanByCount
from shadersort.selection.rows.chunks import rows_of
from shadersort.selection.rows.columns import columns_of, ranked_columns
from shadersort.selection.rows.numbers_in_order import answers_in_order
from shadersort.selection.rows.ordered import in_rows, is_sorted_for, ranked, ranked_each, taken

LONG = 1 << 14
"""Rows of so many keys are asked one after the other."""

ROOM = 32
"""Behind rows is room for so many times fewer keys than they have."""

PIECE = 1 << 16
"""NaNs are counted in so many keys at a time, which stay in a cache."""

SMALL, MOST = 1 << 12, 2
"""Rows without NaN are asked like those with some if all rows have at most so many keys together,
or if at least one in so many rows has NaNs. NaNs of so few keys are counted at once."""

FEW, SHARE = 1 << 4, 1 << 5
"""NaNs at the end of sorted rows are looked for among so many keys first, or one in so many."""


def answers_of_numbers(part: Keys, plan: PlanByCount) -> tuple[Keys, bool]:
    """Return answers of rows, (answers, rows), and whether a row has no numbers.

    The rows are those of a part (outer, length, inner), which is not changed. The answers of a row
    without numbers are NaN.

    Examples
    --------
    >>> from shadersort.selection.rows.means import MedianByCount
    >>> rows = np.array([[3.0, 1.0, 2.0], [np.nan, 5.0, np.nan]])
    >>> answers_of_numbers(rows[:, :, None], MedianByCount(3, rows.dtype))
    (array([[2., 5.]]), False)
    """
    answers = answers_in_order(part, plan)
    if answers is not None:
        return answers
    if plan.length >= LONG:
        return _one_by_one(rows_of(part, own=True), plan)
    if is_sorted_for(part, plan.ranks):
        return _of_sorted(in_rows(rows_of(part, own=True)), plan)
    return _parted(rows_of(part, own=True, room=plan.length // ROOM), plan)


def answers_in_columns(part: Keys, plan: PlanByCount) -> tuple[Keys, bool]:
    """Do as `answers_of_numbers` does for many short rows, those of a part (outer, length, inner).

    The part is not changed.
    """
    columns = columns_of(part)
    missing = (columns != columns).view(np.uint8).sum(axis=0, dtype=np.uint8)
    most = int(missing.max())
    if not most:
        return plan.whole(ranked_columns(columns, plan.ranks)), False
    fewer, weights = plan.planned(np.maximum(np.arange(plan.length - most, plan.length), 1))
    wanted = sorted({*plan.ranks.tolist(), *fewer.reshape(-1).tolist()})
    found = ranked_columns(columns, np.array(wanted), nan_last=True)
    answers = plan.whole(_of_ranks(found, wanted, plan.ranks))
    (some,) = (missing > 0).nonzero()
    each = most - missing.take(some).astype(np.intp)
    starts = (np.searchsorted(wanted, fewer) * missing.size).take(each, axis=1)
    own = None if weights is None else weights.take(each, axis=-1)
    answers[:, some] = plan.mixed(found.reshape(-1).take(starts + some), own)
    return answers, most == plan.length  # NaN of a row without numbers


def _of_ranks(found: Keys, wanted: list[int], ranks: Integers) -> Keys:
    """Return the keys of ranks, given those of all wanted ones; a view of neighbours."""
    first, last = wanted.index(int(ranks[0])), wanted.index(int(ranks[-1])) + 1
    if last - first == ranks.size:
        return found[first:last]
    return np.asarray(found[np.searchsorted(wanted, ranks)])


def _of_sorted(rows: Keys, plan: PlanByCount) -> tuple[Keys, bool]:
    """Answer for rows in order: as if no key were NaN, and again for the rows that have some."""
    last = rows[:, -1]
    (some,) = (last != last).nonzero()
    if some.size and (MOST * some.size >= len(rows) or rows.size <= SMALL):
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
    starts = np.arange(0, rows.size, rows.shape[1])
    return plan.mixed(rows.reshape(-1).take(ks + starts), weight), none


def _missing(rows: Keys) -> Integers:
    """Return how many NaNs each row has, at its end."""
    length = rows.shape[1]
    width = length if rows.size <= SMALL else min(max(FEW, length // SHARE), length)
    while True:
        tail = np.ascontiguousarray(rows[:, length - width :].T)  # its few long rows are fast
        none = (tail != tail).view(np.uint8)
        if width == length or not none[0].any():
            return np.asarray(none.sum(axis=0, dtype=np.uint16), np.int64)
        width = min(4 * width, length)


def _parted(room: Keys, plan: PlanByCount) -> tuple[Keys, bool]:
    """Answer for rows at the beginning of longer ones, by partitions."""
    rows = room[:, : plan.length]
    none = nans(room)[:, : plan.length]  # of contiguous rows, which takes less time
    missing = none.view(np.uint8).sum(axis=1, dtype=np.uint16)  # its sums are fast
    if not missing.any():
        return plan.whole(ranked(rows, plan.ranks).T), False
    counts = plan.length - missing.astype(np.int64)
    ks, weight = plan.planned(np.maximum(counts, 1))
    found = _by_one_partition(room, plan.length, ks)
    if found is None:
        found = ranked_each(rows, ks.T).T
    return plan.mixed(found, weight), not counts.all()  # NaN of a row without numbers


def _by_one_partition(room: Keys, length: int, ks: Integers) -> Keys | None:
    """Return keys of each row's own ranks ks, (r, rows), by one partition; None if it cannot be.

    A row can have one rank, or a pair of neighbours. There is room behind the rows, of a length.
    """
    lowest = ks.min(axis=0)
    inside, most = ks - lowest, int(lowest.max())
    last, shift = most + int(inside.max()), most - lowest
    more = int(shift.max())
    if last > most + 1 or length + more > room.shape[1]:
        return None
    work = room[:, : length + more]
    work[:, length:] = np.where(np.arange(more) < shift[:, None], -np.inf, np.inf)
    found = ranked(work, np.arange(most, last + 1))
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
    return row.size - sum(int(np.count_nonzero(nans(piece))) for piece in pieces)
