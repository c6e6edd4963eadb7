"""Answers of the numbers in rows where they are in order already, with NaNs anywhere between them.

A number of rank k stands k places from the start of its row, and as many more as there are NaNs
before it. So nothing is put in order: see ordered_already.py for what that saves.
"""

from operator import le

import numpy as np

from shadersort.keys.types import Integers, Keys
from shadersort.selection.rows.by_count import PlanByCount
from shadersort.selection.rows.chunks import rows_of
from shadersort.selection.rows.ordered import of_ordered
from shadersort.selection.rows.ordered_already import WORTH, is_chain, ordered_already, sample_of


def answers_in_order(part: Keys, plan: PlanByCount) -> tuple[Keys, bool] | None:
    """Return answers of rows, (answers, rows), and whether a row has no numbers.

    The rows are those of a part (outer, length, inner), which is not changed. None if the numbers
    of some row do not ascend. The answers of a row without numbers are NaN.

    Examples
    --------
    >>> from shadersort.selection.rows.means import MedianByCount
    >>> keys = np.arange(6000, dtype=float)
    >>> keys[10:20] = np.nan
    >>> answers_in_order(keys[None, :, None], MedianByCount(6000, keys.dtype))
    (array([[3004.5]]), False)
    """
    if part.size < WORTH or not _may_ascend(part[0, :, 0]):
        return None
    rows = rows_of(part, own=True)
    flat = rows.reshape(-1)
    holes = np.flatnonzero(flat != flat)
    if not holes.size:
        ordered = ordered_already(rows)
        return None if ordered is None else (plan.whole(of_ordered(ordered, plan.ranks).T), False)
    flat[holes] = _numbers_before(flat, holes, plan.length)
    if not is_chain(rows, np.less_equal):
        return None
    flat[holes] = np.nan
    starts = np.arange(0, flat.size + 1, plan.length)
    first = np.searchsorted(holes, starts)
    missing, starts, first = np.diff(first), starts[:-1], first[:-1]
    counts = plan.length - missing
    ks, weight = plan.planned(np.maximum(counts, 1))
    before = holes - np.arange(holes.size) + np.repeat(first, missing)  # numbers before each NaN
    ks = ks + starts
    places = ks + np.searchsorted(before, ks, side="right") - first
    places = np.minimum(places, starts + plan.length - 1)  # rows without numbers have NaNs there
    return plan.mixed(flat.take(places), weight), not counts.all()


def _may_ascend(row: Keys) -> bool:
    """Whether some numbers of a row ascend."""
    numbers = [key for key in sample_of(row) if key == key]
    return all(map(le, numbers, numbers[1:]))


def _numbers_before(flat: Keys, holes: Integers, length: int) -> Keys:
    """Return the last number before each NaN in its row, or −inf; the NaNs' places ascend."""
    begins = holes % length == 0
    opens = begins.copy()  # a run of NaNs in one row
    opens[0] = True
    opens[1:] |= holes[1:] - holes[:-1] > 1
    run = np.maximum.accumulate(np.where(opens, np.arange(holes.size), 0))
    found = flat.take(holes[run] - 1, mode="wrap")
    found[begins[run]] = -np.inf
    return np.asarray(found)
