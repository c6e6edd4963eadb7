"""Top-k: the largest or smallest keys with their places, by one read on a GPU."""

from typing import Any, Generic, NamedTuple, TypeVar, overload

import numpy.typing as npt

from modern.arrays import OnDevice, served
from modern.primitives.top_keys import LARGEST, SMALLEST, count_of
from shadersort.keys.types import Integers, Keys

V = TypeVar("V")
P = TypeVar("P")


class TopK(NamedTuple, Generic[V, P]):
    """The keys at the top in order, and the place of each in the input."""

    values: V
    indices: P


@overload
def topk(x: npt.ArrayLike, k: int, *, largest: bool = ...) -> TopK[Keys, Integers]: ...


@overload
def topk(x: OnDevice, k: int, *, largest: bool = ...) -> TopK[Any, Any]: ...


def topk(x: npt.ArrayLike | OnDevice, k: int, *, largest: bool = True) -> TopK[Any, Any]:
    """Return the k largest keys in descending order, or the k smallest ascending, and their places.

    The order is that of `np.sort`: a NaN is larger than any number. Among equal keys (−0.0 and 0.0
    are equal, and so are all NaNs) those at the lowest places are taken, and come in the order of
    their places. So the result is always the same.

    On a GPU, a sample gives a bound, and one read stages the keys up to it with their places. They
    hold the result if they are enough, which their number proves; only they are sorted. If they are
    too few or too many, or without a GPU, one key is selected. One more read finds the places of
    the keys beyond it, and another one the first of its equals, if only some of them are in the
    result.

    Beside input and result, the function needs 8 bytes and a key for each staged key on a GPU:
    about 1.5 k + 50,000 of 2**28 keys, at most 1 in 8; three times as much to sort k over 4,096.
    Otherwise it needs the memory of `select`, and after that is free again, 8 k bytes; for k over
    4,096, three times the result. Without a GPU it needs at most 50 k bytes, and 25 bytes for each
    of 2**24 keys.

    Parameters
    ----------
    x
        One-dimensional; floats of at most 64 bits, integers, booleans, or `ml_dtypes.bfloat16`;
        on the host also datetime64 and timedelta64, NaT last. It is not changed. An array on a
        GPU stays there, and the results are CuPy arrays on the same device.
    k
        How many keys, from 0 to all.
    largest
        Whether to return the largest keys, or the smallest.

    Returns
    -------
    TopK
        The pair (values, indices), each of k elements; indices are int64.

    Raises
    ------
    UnsupportedKeys, KeysNotFlat
        These keys cannot be selected from.
    BadCount, BadRank
        There are fewer than k keys, or k is no integer.

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
            return TopK(keys.own(keys.keys[:0].copy()), xp.empty(0, "int64"))
        values, indices = keys.first(by, count)
        return TopK(keys.own(values), indices)
