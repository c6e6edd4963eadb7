"""Where the keys are that selection finds: places, without the keys.

In the words of CUB's requirements: the results are deterministic, and `ties` is the tie break.
"""

from typing import Any, overload

import numpy.typing as npt

from modern.arrays import OnDevice, Tensor, TensorLike, is_on_gpu, served
from modern.homes import answers_at_home
from modern.rows.asked import asked, is_flat, shaped
from shadersort.keys.codes import code
from shadersort.keys.types import Integers
from shadersort.selection.driver import count_of_numbers, rank_of, selected
from shadersort.selection.rows.axes import Axis
from shadersort.selection.rows.protocol import Ties, check_ties
from shadersort.selection.top_keys import SMALLEST


@overload
def argselect(
    x: Tensor,
    k: int,
    *,
    axis: Axis = ...,
    keepdims: bool = ...,
    out: Any = ...,
    ties: Ties = ...,
) -> Tensor: ...


@overload
def argselect(
    x: npt.ArrayLike,
    k: int,
    *,
    axis: Axis = ...,
    keepdims: bool = ...,
    out: Integers | None = ...,
    ties: Ties = ...,
) -> Integers: ...


@overload
def argselect(
    x: OnDevice,
    k: int,
    *,
    axis: Axis = ...,
    keepdims: bool = ...,
    out: Any = ...,
    ties: Ties = ...,
) -> Any: ...


@answers_at_home()
def argselect(
    x: npt.ArrayLike | OnDevice | TensorLike,
    k: int,
    *,
    axis: Axis = -1,
    keepdims: bool = False,
    out: Any = None,
    ties: Ties = "lowest",
) -> Any:
    """Return the place of the key that `select` finds: x[argselect(x, k)] equals select(x, k).

    Parameters
    ----------
    x, k, axis, keepdims, out
        As for `select`. Along several axes, a place is that in the flat array of these axes.
    ties
        Which place is returned, if several keys are equal: the "lowest", the "highest", or "any".
        −0.0 equals 0.0, and all NaNs are equal.

    Raises
    ------
    BadOption
        There is no such rule for ties. The other errors are those of `select`.

    Examples
    --------
    >>> argselect([30, 10, 20, 10], 0), argselect([30, 10, 20, 10], 0, ties="highest")
    (np.int64(1), np.int64(3))
    >>> argselect([[30, 10, 20], [1, 3, 2]], 1, axis=1)
    array([2, 2])
    """
    rule, given = check_ties(ties), shaped(x)
    if is_on_gpu(given) and is_flat(given, axis, keepdims, out):
        return _flat_place(given, k, rule)
    with asked(given, axis, keepdims, out) as call:
        rows = call.rows
        return rows.result(rows.places(rows.ranks([rank_of(k, rows.length)])[0], rule))


@overload
def argmedian(
    x: Tensor,
    *,
    axis: Axis = ...,
    keepdims: bool = ...,
    out: Any = ...,
    ties: Ties = ...,
) -> Tensor: ...


@overload
def argmedian(
    x: npt.ArrayLike,
    *,
    axis: Axis = ...,
    keepdims: bool = ...,
    out: Integers | None = ...,
    ties: Ties = ...,
) -> Integers: ...


@overload
def argmedian(
    x: OnDevice,
    *,
    axis: Axis = ...,
    keepdims: bool = ...,
    out: Any = ...,
    ties: Ties = ...,
) -> Any: ...


@answers_at_home()
def argmedian(
    x: npt.ArrayLike | OnDevice | TensorLike,
    *,
    axis: Axis = None,
    keepdims: bool = False,
    out: Any = None,
    ties: Ties = "lowest",
) -> Any:
    """Return the place of the median, or of the lower of two middle keys; of a NaN if any is NaN.

    So x[argmedian(x)] equals median(x) if the number of keys is odd. The parameters are those of
    `argselect`; as for `median`, all keys are one row unless an axis is named.

    Examples
    --------
    >>> argmedian([4, 1, 3, 2]), argmedian([4, 1, float("nan")])
    (np.int64(3), np.int64(2))
    """
    rule, given = check_ties(ties), shaped(x)
    with asked(given, axis, keepdims, out) as call:
        call.check_length()
        if call.is_one_on_gpu():
            return call.by_one_row(lambda row: _flat_median(row, rule), "")
        rows = call.rows
        lower = rows.ranks_unless_nan([(rows.length - 1) // 2])[0]
        return rows.result(rows.places(lower, rule))


def _flat_place(x: Any, k: int, ties: Ties) -> Any:
    """Return the place of the key of a rank of one dimension, by the primitives."""
    with served(x) as (xp, keys):
        key, counts = selected(keys, rank_of(k, keys.size))
        nth = counts.equal - 1 if ties == "highest" else 0
        return xp.asarray(keys.nth_equal(SMALLEST, code(key), nth), dtype=xp.int64)[()]


def _flat_median(x: Any, ties: Ties) -> Any:
    """Return the place of the lower middle key of one dimension, or of a NaN."""
    with served(x) as (_, keys):
        count = count_of_numbers(keys)
        return _flat_place(x, -1 if count < keys.size else (count - 1) // 2, ties)
