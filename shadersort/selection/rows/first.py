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
    rows, length = keys.shape
    last = find_ranks(keys, [count - 1 if smallest else length - count])[0][:, None]
    before, tied = keys < last if smallest else ~(keys <= last), keys == last  # NaN is the largest
    if keys.dtype.kind == "f" and (lost := last != last).any():
        numbers = keys == keys
        before = np.where(lost, smallest & numbers, before)
        tied = np.where(lost, ~numbers, tied)
    found = (before | tied).reshape(-1)
    places = found.nonzero()[0]
    if places.size > rows * count:  # leave out the last ties of each row
        counts, at = tied.sum(1), tied.reshape(-1).nonzero()[0]
        ends = counts.cumsum() - counts + count - before.sum(1)
        found[at[np.arange(at.size) >= np.repeat(ends, counts)]] = False
        places = found.nonzero()[0]
    if not in_order:
        return np.asarray(places.reshape(rows, count))
    values = keys.reshape(-1)[places].reshape(rows, count)
    if smallest:
        order = values.argsort(1, kind="stable")
    else:  # the stable order from the other end, read backwards, has the largest first
        order = count - 1 - values[:, ::-1].argsort(1, kind="stable")[:, ::-1]
    if rows > 1:
        order += np.arange(0, places.size, count)[:, None]
    return np.asarray(places[order])
