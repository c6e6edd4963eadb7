"""The largest or the smallest keys with their places: one selection, and one or two reads."""

import operator
from typing import Any, NamedTuple

import numpy.typing as npt

from modern.arrays import served
from modern.primitives.choice import LARGEST, SMALLEST, choice_of
from shadersort.errors import BadCount, BadRank
from shadersort.selection.driver import located

__all__ = ["TopK", "count_of", "topk"]


class TopK(NamedTuple):
    """Extreme keys in their order, and where each of them is in the input."""

    values: Any
    indices: Any


def topk(x: npt.ArrayLike, k: int, *, largest: bool = True) -> TopK:
    """Return the k largest keys in descending order, or the k smallest ascending, and their places.

    The order is that of `np.sort`: a NaN is larger than any number. Of equal keys, −0.0 and 0.0 or
    several NaNs say, those at the lowest places are taken, and they come in the order of their
    places, so the result is always the same.

    One key is selected. One more read tells where the keys beyond it are, and another one, where
    only some of its equals are wanted, which of them come first. Only the k keys are sorted.

    Beyond the input that needs what `select` needs. When that is free again, it is the result and
    8 k bytes on a GPU, or, if k is over 4,096, three times the result, in which each of the k takes
    8 bytes and a key. Without a GPU it is at most 50 k bytes, and 25 for each of 2**24 keys.

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
        count, by = count_of(k, keys.size), LARGEST if largest else SMALLEST
        if not count:
            return TopK(keys.keys[:0].copy(), xp.empty(0, "int64"))
        last, counts = located(keys, keys.size - count if largest else count - 1)
        places = keys.chosen(choice_of(keys, by, last, counts, count))
        return TopK(*keys.in_order(places, by))


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
