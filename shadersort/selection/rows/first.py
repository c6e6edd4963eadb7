"""The first keys of rows of NumPy: a partition finds the last one, a comparison the others."""

import numpy as np

from shadersort.keys.types import Integers, Keys
from shadersort.selection.rows.protocol import Ties
from shadersort.selection.rows.ranks import HALF, find_ranks


def find_first(
    keys: Keys, count: int, *, smallest: bool = False, in_order: bool = True, ties: Ties = "lowest"
) -> Integers:
    """Return the places of the `count` largest or smallest keys of each row, (rows, count).

    The keys are of shape (rows, length), and a place is that in the flat array of all rows. Among
    equal keys those that `ties` names are taken. Without `in_order`, they come in any order.

    Examples
    --------
    >>> find_first(np.array([[10, 30, 20, 30]]), 3)
    array([[1, 3, 2]])
    """
    if not count:
        return np.empty((len(keys), 0), np.int64)
    if keys.dtype == HALF:
        keys = keys.astype(np.float32)  # NumPy compares half floats slowly
    if ties == "highest":  # they are the lowest ones from the other end
        turned = find_first(keys[::-1, ::-1], count, smallest=smallest, in_order=in_order)
        return np.asarray(keys.size - 1 - turned[::-1])
    last = find_ranks(keys, [count - 1 if smallest else keys.shape[1] - count])[0]
    found = keys <= last[:, None] if smallest else ~(keys < last[:, None])  # NaN is the largest
    if keys.dtype.kind == "f" and (lost := last != last).any():
        found = np.where(lost[:, None], smallest | (keys != keys), found)
    places, flat = found.reshape(-1).nonzero()[0], keys.reshape(-1)
    rows, surplus = len(keys), places.size > count * len(keys)
    if surplus and rows > 1:
        places = _drop_surplus(places, flat[places], last, keys.shape[1], count)
    elif not surplus and not in_order:
        return places.reshape(rows, count)
    values = flat[places].reshape(rows, -1)
    if smallest:
        order = values.argsort(1, kind="stable")
    else:  # the stable order from the other end, read backwards, has the largest first
        order = values.shape[1] - 1 - values[:, ::-1].argsort(1, kind="stable")[:, ::-1]
    if rows > 1:
        order += np.arange(0, places.size, count)[:, None]
    return np.asarray(places[order[:, :count]])


def _drop_surplus(places: Integers, values: Keys, last: Keys, length: int, count: int) -> Integers:
    """Leave out the last of the keys that equal the last key of their row, where they are too many.

    The places are ascending, and have at least `count` values in each row.
    """
    rows = places // length
    ends = last[rows]
    tied = (values == ends) | ((values != values) & (ends != ends))
    ties = tied.nonzero()[0]
    surplus = np.bincount(rows, minlength=last.size) - count
    upto = np.bincount(rows[ties], minlength=last.size).cumsum() - surplus
    left = ~tied
    left[ties] = np.arange(ties.size) < upto[rows[ties]]
    return np.asarray(places[left])
