"""Keys of ranks in many short rows: by a sorting network, whose comparators each join two columns.

A sort of a row of ten keys mostly takes the time of a call. The columns of many such rows are long:
one call of `np.minimum` and one of `np.maximum` are a comparator for all rows. Only the comparators
that the wanted ranks depend on are used.

Both calls answer NaN if one of two keys is NaN. Each key could have any rank, so a NaN reaches all
ranks: a row that has a NaN has NaN everywhere. With `np.fmin` in the place of `np.minimum`, NaNs
come last instead.
"""

from functools import lru_cache
from typing import TypeAlias

import numpy as np

from shadersort.drawing.networks import odd_even_merge
from shadersort.keys.types import Integers, Keys
from shadersort.selection.rows.sixteen_bits import HALF

SHORT = 12
"""Rows of more keys are sorted in less time than a network takes."""

MANY = 32
"""With fewer rows for each comparator, its two calls take longer than sorts."""

Comparators: TypeAlias = tuple[tuple[int, int], ...]
"""Pairs of columns: the smaller keys go to the first."""


def in_columns(shape: tuple[int, int, int], dtype: np.dtype[np.generic], ks: Integers) -> bool:
    """Whether the rows of (outer, length, inner) are short and many, and compared fast.

    Examples
    --------
    >>> in_columns((1, 3, 10_000), np.dtype("f4"), np.array([1]))
    True
    >>> in_columns((10, 3, 1), np.dtype("f4"), np.array([1]))
    False
    """
    outer, length, inner = shape
    if not 1 < length <= SHORT or not ks.size or dtype == HALF:
        return False
    if outer * inner < MANY * (length - 1):  # every rank depends on all columns
        return False
    return outer * inner >= MANY * len(comparators(length, tuple(ks.tolist())))


@lru_cache(maxsize=64)
def comparators(length: int, ks: tuple[int, ...]) -> Comparators:
    """Return the comparators, in their order, by which keys of some ranks get to these places.

    They are those of a network for a power of two, without the wires that a row has no keys for:
    there would be the largest keys already.

    Examples
    --------
    >>> comparators(3, (0,))
    ((0, 1), (0, 2))
    """
    network = odd_even_merge(1 << (length - 1).bit_length())
    pairs = [
        (int(low), int(high))
        for step in network.steps
        for low, high in zip(*step.comparators(network.n), strict=True)
        if high < length
    ]
    wanted, used = set(ks), []
    for pair in reversed(pairs):
        if wanted.intersection(pair):
            wanted.update(pair)
            used.append(pair)
    return tuple(reversed(used))


def columns_of(part: Keys) -> Keys:
    """Return a copy of the rows of (outer, length, inner) as (length, rows).

    Examples
    --------
    >>> columns_of(np.array([[[3], [1]], [[4], [2]]]))
    array([[3, 4],
           [1, 2]])
    """
    columns = np.empty((part.shape[1], part.shape[0], part.shape[2]), part.dtype)
    columns[...] = part.transpose(1, 0, 2)
    return columns.reshape(len(columns), -1)


def ranked_columns(columns: Keys, ks: Integers, *, nan_last: bool = False) -> Keys:
    """Return the keys of ranks, (ranks, rows); the columns are changed.

    A row that has a NaN gets NaNs, or with `nan_last` its keys, of which NaNs are the last: `fmin`
    takes the number of a number and a NaN, and `maximum` the NaN.

    Examples
    --------
    >>> columns = np.array([[3.0, 30.0], [1.0, 10.0], [2.0, np.nan]])
    >>> ranked_columns(columns.copy(), np.array([1, 2]))
    array([[ 2., nan],
           [ 3., nan]])
    >>> ranked_columns(columns, np.array([1, 2]), nan_last=True)
    array([[ 2., 30.],
           [ 3., nan]])
    """
    each, spare = list(columns), np.empty_like(columns[0])
    lower: np.ufunc = np.fmin if nan_last else np.minimum
    with np.errstate(invalid="ignore"):
        for low, high in comparators(len(each), tuple(ks.tolist())):
            lower(each[low], each[high], out=spare)
            np.maximum(each[low], each[high], out=each[high])
            each[low], spare = spare, each[low]
    return np.stack([each[k] for k in ks.tolist()])
