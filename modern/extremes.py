"""The largest or the smallest keys with their places: one selection, and one compaction."""

import operator
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from modern.arrays import served
from modern.codes import codes
from shadersort.errors import BadCount, BadRank
from shadersort.primitives.codes import code
from shadersort.selection import select

__all__ = ["TopK", "count_of", "first_places", "topk"]

PIECE = 1 << 24
"""Keys that are searched at once, so that the memory for it is bounded."""


class TopK(NamedTuple):
    """Extreme keys in their order, and where each of them is in the input."""

    values: Any
    indices: Any


def topk(x: npt.ArrayLike, k: int, *, largest: bool = True) -> TopK:
    """Return the k largest keys in descending order, or the k smallest ascending, and their places.

    The order is that of `np.sort`: a NaN is larger than any number. Of equal keys, −0.0 and 0.0 or
    several NaNs say, those at the lowest places are taken, and they come in the order of their
    places, so the result is always the same.

    One key is selected, and all beyond it are copied; only these are sorted. Beyond the input that
    needs what `select` needs, or 16 k bytes and 9 for each of 2**24 keys.

    Parameters
    ----------
    x
        One-dimensional; floats of at most 64 bits, or integers. It is not changed. An array on a
        GPU stays there, and the results are CuPy arrays on the same device.
    k
        How many, from 0 to all.
    largest
        Whether the largest keys are wanted, or the smallest.

    Returns
    -------
    TopK
        The pair (values, indices), each of k elements; indices are int64.

    Raises
    ------
    UnsupportedKeys, KeysNotFlat
        There is nothing that can be selected from.
    BadCount, BadRank
        There are not so many keys, or k is no integer.

    Examples
    --------
    >>> topk([10, 30, 20, 30], 3)
    TopK(values=array([30, 30, 20]), indices=array([1, 3, 2]))
    >>> topk([10, 30, 20, 30], 2, largest=False).indices
    array([0, 2])
    """
    with served(x) as (xp, keys):
        count = count_of(k, keys.size)
        places = _extreme(xp, keys, count, largest)
        values = keys.keys[places]
        order = _order(xp, values, largest)
        return TopK(values[order], places[order])


def count_of(k: Any, n: int) -> int:
    """Return a number of keys, from 0 to n.

    Examples
    --------
    >>> count_of(4, 3)
    Traceback (most recent call last):
    ...
    shadersort.errors.BadCount: of 3 keys 0 to 3 can be taken, not 4
    """
    try:
        count = operator.index(k)
    except TypeError as error:
        raise BadRank(f"k is an integer, the number of keys, not {k!r}") from error
    if not 0 <= count <= n:
        raise BadCount(f"of {n} keys 0 to {n} can be taken, not {count}")
    return count


def _extreme(xp: Any, keys: Any, count: int, largest: bool) -> Any:
    """Return the places of so many extreme keys."""
    if not count:
        return xp.empty(0, np.int64)
    last = select(keys, keys.size - count if largest else count - 1)
    pivot = np.array(code(last), f"u{keys.dtype.itemsize}")[()]
    compare = operator.gt if largest else operator.lt
    strict = first_places(xp, keys.keys, lambda some: compare(codes(xp, some), pivot), count)
    left = count - strict.size
    ties = first_places(xp, keys.keys, lambda some: codes(xp, some) == pivot, left)
    return xp.concatenate([strict, ties])


def first_places(xp: Any, keys: Any, chosen: Callable[[Any], Any], most: int) -> Any:
    """Return the places of the first `most` keys for which `chosen` is true, or of all of them."""
    found = [xp.empty(0, np.int64)]
    for start in range(0, keys.size, PIECE):
        if most <= 0:
            break
        places = xp.flatnonzero(chosen(keys[start : start + PIECE]))[:most]
        found.append(places.astype(np.int64, copy=False) + start)
        most -= places.size
    return xp.concatenate(found)


def _order(xp: Any, values: Any, largest: bool) -> Any:
    """Return the places of a stable sort, in which all zeros are equal, and all NaNs."""
    found = codes(xp, values)
    return xp.argsort(~found if largest else found, kind="stable")
