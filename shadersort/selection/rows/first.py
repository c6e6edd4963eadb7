"""The first keys of rows of NumPy: a partition finds the last one, a comparison the others."""

import numpy as np

from shadersort.keys.codes import encode
from shadersort.keys.types import Integers, Keys, Mask
from shadersort.selection.rows.protocol import Ties
from shadersort.selection.rows.ranked import HALF, ranked


def first_places(
    keys: Keys, count: int, *, smallest: bool = False, in_order: bool = True, ties: Ties = "lowest"
) -> Integers:
    """Return the places of the `count` largest or smallest keys of each row: (rows, count).

    The keys are of shape (rows, length). Among equal keys those that `ties` names are taken.
    Without `in_order`, they come in any order.

    Examples
    --------
    >>> keys = np.array([[10, 30, 20, 30]])
    >>> first_places(keys, 3)
    array([[1, 3, 2]])
    >>> first_places(keys, 1, ties="highest")
    array([[3]])
    """
    if keys.dtype == HALF:
        keys = encode(keys)  # NumPy compares half floats several times slower than integers
    length = keys.shape[1]
    if ties == "highest":  # they are the lowest ones from the other end
        turned = first_places(keys[:, ::-1], count, smallest=smallest, in_order=in_order)
        return np.asarray(length - 1 - turned)
    places = np.flatnonzero(chosen(keys, count, smallest)).reshape(len(keys), count)
    if len(keys) != 1:
        places -= np.arange(0, keys.size, length)[:, None]
    if not in_order:
        return places
    values = np.take_along_axis(keys, places, 1) if len(keys) != 1 else keys[:, places[0]]
    if smallest:
        order = values.argsort(1, kind="stable")
    else:  # the stable order from the other end, read backwards, has the largest first
        order = count - 1 - values[:, ::-1].argsort(1, kind="stable")[:, ::-1]
    return np.take_along_axis(places, order, 1) if len(keys) != 1 else places[:, order[0]]


def chosen(keys: Keys, count: int, smallest: bool = False) -> Mask:
    """Return which keys of each row are the first: exactly `count`, of equal ones the lowest.

    Examples
    --------
    >>> chosen(np.array([[10, 30, 20, 30]]), 1)
    array([[False,  True, False, False]])
    """
    last = ranked(keys, [count - 1 if smallest else keys.shape[1] - count])[0][:, None]
    found: Mask = keys <= last if smallest else ~(keys < last)  # a NaN is the largest key
    if np.count_nonzero(found) == count * len(keys):
        return found
    nan, equal = last != last, keys == last  # no comparison tells NaNs from each other
    found &= ~equal
    if nan.any():
        missing = keys != keys
        found, equal = np.where(nan, ~missing & smallest, found), np.where(nan, missing, equal)
    left = count - np.count_nonzero(found, axis=1)
    if len(keys) == 1:
        found[0, np.flatnonzero(equal)[: left[0]]] = True
        return found
    return found | (equal & (np.cumsum(equal, axis=1) <= left[:, None]))
