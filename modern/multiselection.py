"""Selecting many ranks of an array at the same time."""

from typing import Any, Literal, overload

import numpy as np
import numpy.typing as npt

from modern import unwaited
from modern.arrays import Elsewhere, Tensor, answered, is_on_gpu
from modern.homes import answers_at_home
from modern.rows.asked import asked, by_name, is_flat, shaped
from shadersort import selection
from shadersort.keys.types import Keys
from shadersort.names import SelectionMethod
from shadersort.selection.driver import distinct_ranks, ranks_of
from shadersort.selection.rows.axes import Axis
from shadersort.selection.selection_trace import SelectionTrace


@overload
def multiselect(
    x: Tensor, ks: npt.ArrayLike, *, return_trace: Literal[False] = ..., **options: Any
) -> Tensor: ...


@overload
def multiselect(
    x: Tensor, ks: npt.ArrayLike, *, return_trace: Literal[True], **options: Any
) -> tuple[Tensor, SelectionTrace]: ...


@overload
def multiselect(
    x: npt.ArrayLike,
    ks: npt.ArrayLike,
    *,
    axis: Axis = ...,
    keepdims: bool = ...,
    out: Keys | None = ...,
    method: SelectionMethod = ...,
    as_printed: bool = ...,
    return_trace: Literal[False] = ...,
    **options: Any,
) -> Keys: ...


@overload
def multiselect(
    x: npt.ArrayLike,
    ks: npt.ArrayLike,
    *,
    axis: Axis = ...,
    keepdims: bool = ...,
    out: Keys | None = ...,
    method: SelectionMethod = ...,
    as_printed: bool = ...,
    return_trace: Literal[True],
    **options: Any,
) -> tuple[Keys, SelectionTrace]: ...


@overload
def multiselect(x: Elsewhere, ks: npt.ArrayLike, **options: Any) -> Any: ...


@answers_at_home(front="ks")
def multiselect(
    x: npt.ArrayLike | Elsewhere,
    ks: npt.ArrayLike,
    *,
    axis: Axis = -1,
    keepdims: bool = False,
    out: Any = None,
    method: SelectionMethod = "auto",
    as_printed: bool = False,
    return_trace: bool = False,
    **options: Any,
) -> Any:
    """Return the keys of many ranks, `np.sort(x)[ks]`: an array of the shape of `ks`.

    Ranks may come in any order and more than once. "sort-choose", "quickselect", "radix",
    "radix-inplace", "bucket" (bucketMultiSelect) and, of many keys, "one-read" find all ranks
    together; other methods find one after the other. Every answer is exact. The other parameters
    are those of `select`. Of rows, the result has the shape of `ks` in front of the axes that are
    left, as quantiles have.

    Keys of at most 16 bits have a counter for every value: one read finds any number of ranks. On a
    GPU that is three launches, which nothing waits for; for longer keys it is six.

    Examples
    --------
    >>> multiselect([30, 10, 20, 10], [[0, 1], [-1, -2]], method="bucket")
    array([[10, 10],
           [30, 20]])
    >>> multiselect([[30, 10, 20], [1, 3, 2]], [0, 2], axis=1)
    array([[10,  1],
           [30,  3]])
    """
    named = by_name(options, method=method, as_printed=as_printed, return_trace=return_trace)
    given: Any = shaped(x)
    flat = is_flat(given, axis, keepdims, out)
    if flat and not named:
        found = unwaited.multiselect(given, ks) if is_on_gpu(given) else None
        if found is not None:
            return found
    options |= {"method": method, "as_printed": as_printed, "return_trace": return_trace}
    if flat and (named or is_on_gpu(given)):
        return answered(given, lambda keys: selection.select_many(keys, ks, **options))
    with asked(given, axis, keepdims, out) as call:
        found = call.by_one_row(lambda row: multiselect(row, ks, **options), named)
        if found is not None:
            return found
        ranks, places = distinct_ranks(ranks_of(ks, call.rows.length))
        return call.rows.result(call.rows.ranks(ranks)[places], np.shape(ks))
