"""Rows whose keys are in order before anything was done: one look at them is all they need.

NumPy finds a single rank by a vectorised partition, which takes as long for keys in order as for
any others. On some CPUs (AMD Zen 4: its compressing stores are slow) that is five times as long as
introselect, which NumPy takes for several ranks and which is fast for keys in order. To see that
they are in order takes a tenth of either.
"""

from operator import ge, le
from typing import Any

import numpy as np

from shadersort.keys.types import Keys

WORTH = 1 << 12
"""With fewer keys, a partition takes hardly longer than a look."""

SAMPLE = 1 << 5
"""About so many keys of the first row are looked at first: they show that most rows are in none."""

PIECE = 1 << 16
"""Keys are compared in pieces, which stay in a cache."""


def ordered_already(rows: Keys) -> Keys | None:
    """Return rows that are all in order, as they are, or turned if they all descend; None if not.

    A row that has a NaN is in no order.

    Examples
    --------
    >>> keys = np.arange(10_000)
    >>> ordered_already(keys[None, ::-1])[0, :3]
    array([0, 1, 2])
    >>> ordered_already(keys[None] % 5000) is None
    True
    """
    if rows.size < WORTH:
        return None
    some = sample_of(rows[0])
    for holds, compare, step in ((le, np.less_equal, 1), (ge, np.greater_equal, -1)):
        if all(map(holds, some, some[1:])) and is_chain(rows, compare):
            return rows[:, ::step]
    return None


def sample_of(row: Keys) -> list[Any]:
    """Return about `SAMPLE` keys of a row, evenly spread, in the order that they have there.

    Python compares a few numbers before NumPy has begun with an array.
    """
    found: list[Any] = row[:: max(1, row.size // SAMPLE)].tolist()
    return found


def is_chain(rows: Keys, compare: np.ufunc) -> bool:
    """Whether every key of contiguous rows, or of one row, compares like this with the next one.

    Examples
    --------
    >>> rows = np.array([[1, 2, 2], [0, 1, 5]])
    >>> is_chain(rows, np.less_equal), is_chain(rows, np.less)
    (True, False)
    """
    flat, length = rows.reshape(-1), rows.shape[1]
    for start in range(0, flat.size - 1, PIECE):
        end = min(start + PIECE, flat.size - 1)
        holds = compare(flat[start:end], flat[start + 1 : end + 1])
        holds[(length - 1 - start) % length :: length] = True  # from one row to the next
        if not holds.all():
            return False
    return True
