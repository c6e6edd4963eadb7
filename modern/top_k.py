"""Top-k: the largest or smallest keys with their places, by one read on a GPU."""

from typing import Any, overload

import numpy.typing as npt

from modern.arrays import Elsewhere, Tensor, is_on_gpu, served
from modern.gradients import of_topk
from modern.homes import answers_at_home
from modern.rows.asked import asked, is_flat, shaped
from modern.rows.outputs import TopK
from shadersort.errors import BadOption
from shadersort.keys.types import Integers, Keys
from shadersort.selection.rows.axes import Axis
from shadersort.selection.rows.protocol import Ties, check_ties
from shadersort.selection.top_keys import LARGEST, SMALLEST, count_of


@overload
def topk(
    x: Tensor,
    k: int,
    *,
    axis: Axis = ...,
    largest: bool = ...,
    sorted: bool = ...,
    ties: Ties = ...,
    out: Any = ...,
) -> TopK[Tensor, Tensor]: ...


@overload
def topk(
    x: npt.ArrayLike,
    k: int,
    *,
    axis: Axis = ...,
    largest: bool = ...,
    sorted: bool = ...,
    ties: Ties = ...,
    out: tuple[Keys, Integers] | None = ...,
) -> TopK[Keys, Integers]: ...


@overload
def topk(
    x: Elsewhere,
    k: int,
    *,
    axis: Axis = ...,
    largest: bool = ...,
    sorted: bool = ...,
    ties: Ties = ...,
    out: Any = ...,
) -> TopK[Any, Any]: ...


@answers_at_home(rows="chosen", gradient=of_topk)
def topk(
    x: npt.ArrayLike | Elsewhere,
    k: int,
    *,
    axis: Axis = -1,
    largest: bool = True,
    sorted: bool = True,
    ties: Ties = "lowest",
    out: Any = None,
) -> TopK[Any, Any]:
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
    4,096, three times the result. Over 1,024 keys of each row on a GPU need up to 25 bytes a key,
    of 2**26 keys or one row at a time, and columns a copy. Without a GPU it needs at most 50 k
    bytes, a copy of the keys, and 3 bytes for each, or at most 24 bytes for each of up to 2**20
    keys; of rows, that for a few chunks of them (`shadersort/selection/rows/chunks.py`).

    Parameters
    ----------
    x
        An array of any number of dimensions: floats of at most 64 bits, integers, booleans, or
        `ml_dtypes.bfloat16`; on the host also datetime64 and timedelta64, NaT last. It is not
        changed. An array on a GPU stays there, and so do the results. In
        PyTorch, the values have gradients.
    k
        How many keys of each row, from 0 to all.
    axis
        Along which axis the rows lie: the last one, as in PyTorch; None for all keys in one row.
        In the results, this axis has the length k.
    largest
        Whether to return the largest keys, or the smallest.
    sorted
        Whether the keys come in order. Otherwise they come in any, which may take less time.
    ties
        Which of equal keys are taken, and come first: those at the "lowest" places, at the
        "highest", or "any". In CUB's words, the first two are determinism and a tie break, and
        `sorted` is the output ordering.
    out
        Where the results go: a pair of arrays (values, indices) of their shapes and types.

    Returns
    -------
    TopK
        The pair (values, indices), each of k elements for each row; indices are int64.

    Raises
    ------
    UnsupportedKeys, KeysNotFlat
        These keys cannot be selected from.
    BadOption, BadRank
        There are fewer than k keys in a row, or k is no integer.
    np.exceptions.AxisError, BadAxis, BadOption
        There is no such axis, several are named, there is no such rule, or `out` does not fit.

    Examples
    --------
    >>> topk([10, 30, 20, 30], 3)
    TopK(values=array([30, 30, 20]), indices=array([1, 3, 2]))
    >>> topk([10, 30, 20, 30], 2, largest=False).indices
    array([0, 2])
    >>> topk([[10, 30, 20], [3, 1, 2]], 1, axis=1).values
    array([[30],
           [ 3]])
    """
    rule, given, by = check_ties(ties), shaped(x), LARGEST if largest else SMALLEST
    if is_on_gpu(given) and is_flat(given, axis, out=out) and rule != "highest":
        return _flat_on_gpu(given, k, largest)
    with asked(given, axis, single="topk") as call:
        count = count_of(k, call.rows.length)
        if call.is_one_on_gpu() and rule != "highest":
            found = tuple(each[None, :, None] for each in _flat_on_gpu(call.row(), count, largest))
        else:
            found = call.rows.first(count, by, in_order=sorted, ties=rule)
        outs = (None, None) if out is None else _pair(out)
        return TopK(*map(call.rows.along, found, outs))


@overload
def argtopk(x: Tensor, k: int, **options: Any) -> Tensor: ...


@overload
def argtopk(
    x: npt.ArrayLike,
    k: int,
    *,
    axis: Axis = ...,
    largest: bool = ...,
    sorted: bool = ...,
    ties: Ties = ...,
) -> Integers: ...


@overload
def argtopk(x: Elsewhere, k: int, **options: Any) -> Any: ...


def argtopk(
    x: npt.ArrayLike | Elsewhere,
    k: int,
    *,
    axis: Axis = -1,
    largest: bool = True,
    sorted: bool = True,
    ties: Ties = "lowest",
    **options: Any,
) -> Any:
    """Return the places that `topk` finds; its parameters are those of `topk`, without `out`.

    Options that say how the keys of a file are read may follow, as for `select`.

    Examples
    --------
    >>> argtopk([10, 30, 20, 30], 3)
    array([1, 3, 2])
    """
    if options:  # of keys in a file
        from modern.files import OPTIONS

        if "out" in options:
            raise BadOption("argtopk takes no out: topk(x, k, out=…) writes into a pair of arrays")
        for name in options.keys() - set(OPTIONS):
            raise TypeError(f"argtopk() got an unexpected keyword argument {name!r}")
    same: Any = {"axis": axis, "largest": largest, "sorted": sorted, "ties": ties}
    return topk(x, k, **same, **options).indices


def _pair(out: Any) -> tuple[Any, Any]:
    """Return the two arrays of `out`."""
    if not isinstance(out, tuple | list) or len(out) != 2:
        raise BadOption(
            f"out is a pair of arrays, for values and indices, not {type(out).__name__}"
        )
    return out[0], out[1]


def _flat_on_gpu(x: Any, k: int, largest: bool) -> TopK[Any, Any]:
    """Return the keys at the top of an array of one dimension on a GPU."""
    with served(x) as (xp, keys):
        count, by = count_of(k, keys.size), LARGEST if largest else SMALLEST
        if not count:
            return TopK(keys.own(keys.keys[:0].copy()), xp.empty(0, "int64"))
        values, indices = keys.first(by, count)
        return TopK(keys.own(values), indices)
