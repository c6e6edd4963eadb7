"""Where the keys are that selection finds: places, without the keys.

In the words of CUB's requirements: the results are deterministic, and `ties` is the tie break.
"""

from functools import partial
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from modern import row_calls
from modern.arrays import OnDevice, Tensor, TensorLike, is_on_gpu, served
from modern.homes import answers_at_home
from modern.row_calls import RowCall
from modern.rows.asked import asked, is_flat, shaped
from modern.rows.nan_policies import POLICIES, NanPolicy, omits, policy_of
from modern.rows.ranks import Ranks
from shadersort.keys.codes import code
from shadersort.keys.types import Integers
from shadersort.selection.driver import count_of_numbers, rank_of, selected
from shadersort.selection.rows.axes import Axis
from shadersort.selection.rows.protocol import Rows, Ties, checked_ties
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
    segments: npt.ArrayLike | None = ...,
    nan_policy: NanPolicy | None = ...,
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
    segments: npt.ArrayLike | None = ...,
    nan_policy: NanPolicy | None = ...,
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
    segments: npt.ArrayLike | None = ...,
    nan_policy: NanPolicy | None = ...,
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
    segments: npt.ArrayLike | None = None,
    nan_policy: NanPolicy | None = None,
) -> Any:
    """Return the place of the key that `select` finds: x[argselect(x, k)] equals select(x, k).

    Parameters
    ----------
    x, k, axis, keepdims, out, segments, nan_policy
        As for `select`. Along several axes, a place is that in the flat array of these axes. Of
        segments, it is that in x itself, not in the segment. Where `select` returns NaN, the place
        is that of a NaN.
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
    >>> argselect([30, 10, 20, 1, 3], 0, segments=[0, 3, 5])
    array([1, 3])
    """
    rule, given = checked_ties(ties), shaped(x)
    ranks = Ranks(k, one=True, policy=policy_of(x, nan_policy, "argselect", POLICIES))
    if segments is None and is_on_gpu(given) and is_flat(given, axis, keepdims, out):
        return _flat_place(given, ranks.in_one_row(given), rule)
    call = RowCall(given, axis, keepdims, out, -1, segments)
    return row_calls.places(call, ranks.found, rule)


@overload
def argmedian(
    x: Tensor,
    *,
    axis: Axis = ...,
    keepdims: bool = ...,
    out: Any = ...,
    ties: Ties = ...,
    segments: npt.ArrayLike | None = ...,
    nan_policy: NanPolicy = ...,
) -> Tensor: ...


@overload
def argmedian(
    x: npt.ArrayLike,
    *,
    axis: Axis = ...,
    keepdims: bool = ...,
    out: Integers | None = ...,
    ties: Ties = ...,
    segments: npt.ArrayLike | None = ...,
    nan_policy: NanPolicy = ...,
) -> Integers: ...


@overload
def argmedian(
    x: OnDevice,
    *,
    axis: Axis = ...,
    keepdims: bool = ...,
    out: Any = ...,
    ties: Ties = ...,
    segments: npt.ArrayLike | None = ...,
    nan_policy: NanPolicy = ...,
) -> Any: ...


@answers_at_home()
def argmedian(
    x: npt.ArrayLike | OnDevice | TensorLike,
    *,
    axis: Axis = None,
    keepdims: bool = False,
    out: Any = None,
    ties: Ties = "lowest",
    segments: npt.ArrayLike | None = None,
    nan_policy: NanPolicy = "propagate",
) -> Any:
    """Return the place of the median, or of the lower of two middle keys; of a NaN if any is NaN.

    So x[argmedian(x)] equals median(x) if the number of keys is odd. The parameters are those of
    `argselect`; as for `median`, all keys are one row unless an axis is named. With
    `nan_policy="omit"` it is the place of the median of the numbers, or of a NaN if there are none.

    Examples
    --------
    >>> argmedian([4, 1, 3, 2]), argmedian([4, 1, float("nan")])
    (np.int64(3), np.int64(2))
    """
    rule, given, nan = checked_ties(ties), shaped(x), omits(x, nan_policy)
    if segments is None and is_on_gpu(given):
        with asked(given, axis, keepdims, out) as along:
            if along.layout.count == 1:
                return along.by_one_row(lambda row: _flat_median(row, rule, nan=nan), "")
    call = RowCall(given, axis, keepdims, out, None, segments)
    return row_calls.places(call, partial(_lower_middle, nan=nan), rule)


def _lower_middle(rows: Rows, *, nan: bool) -> Any:
    """Return the lower middle key of each row, (outer, inner): of the numbers only if `nan`."""
    if nan:
        numbers = rows.xp.maximum(rows.numbers(), 1)
        return rows.ranks_of_rows((numbers[:, None] - 1) // 2)[:, 0]
    return rows.ranks_unless_nan(np.array([(rows.shape[1] - 1) // 2]))[:, 0]


def _flat_place(x: Any, k: int, ties: Ties) -> Any:
    """Return the place of the key of a rank of one dimension, by the primitives."""
    with served(x) as (xp, keys):
        key, counts = selected(keys, rank_of(k, keys.size))
        nth = counts.equal - 1 if ties == "highest" else 0
        return xp.asarray(keys.nth_equal(SMALLEST, code(key), nth), dtype=xp.int64)[()]


def _flat_median(x: Any, ties: Ties, *, nan: bool) -> Any:
    """Return the place of the lower middle key of one dimension, or of a NaN."""
    with served(x) as (_, keys):
        count = count_of_numbers(keys)
        missing = count == 0 if nan else count < keys.size
        return _flat_place(x, -1 if missing else (count - 1) // 2, ties)
