"""Medians of arrays, as NumPy defines them."""

import sys
from typing import Any

from modern.opening import fill_result, open_rows
from modern.selection import argselect, search
from modern.tensors import wants_gradient
from shadersort import selection
from shadersort.errors import EmptyInput
from shadersort.names import SelectionMethod
from shadersort.selection.quantile_plan import median_of_none
from shadersort.selection.rows.axes import Axis, layout_of
from shadersort.selection.rows.protocol import Rows, Ties, check_ties


def median(
    x: Any,
    *,
    axis: Axis = None,
    keepdims: bool = False,
    out: Any = None,
    method: SelectionMethod = "auto",
    **options: Any,
) -> Any:
    """Return the median as `np.median` does: the mean of the two middle keys, NaN if any is NaN.

    The parameters are those of `select`, `as_printed` among them. Without an axis, the median is
    that of all keys. The median of no keys is NaN, with a RuntimeWarning. In PyTorch the median has
    a gradient: half goes to each middle key. The errors are those of `select`.

    Examples
    --------
    >>> median([4, 1, 2, 3], method="cutting-plane")
    np.float64(2.5)
    >>> median([[4, 1, 2], [9, 7, 8]], axis=1, keepdims=True)
    array([[2.],
           [8.]])
    """
    rows = open_rows("median", x, axis, keepdims=keepdims, out=out, options=options)
    found = _median(rows, method, options, nan=False)
    return median_with_gradient(x, axis, found) if wants_gradient(x, out) else found


def nanmedian(
    x: Any,
    *,
    axis: Axis = None,
    keepdims: bool = False,
    out: Any = None,
    method: SelectionMethod = "auto",
    **options: Any,
) -> Any:
    """Return the median of the keys that are not NaN, as `np.nanmedian` does.

    The parameters are those of `median`. If all keys are NaN, the result is NaN with a warning;
    without the warning on a GPU, where nothing waits for the result.

    Examples
    --------
    >>> nanmedian([4, 1, float("nan"), 2])
    np.float64(2.0)
    """
    rows = open_rows("nanmedian", x, axis, keepdims=keepdims, out=out, options=options)
    return _median(rows, method, options, nan=True)


def _median(rows: Rows, method: str, options: dict[str, Any], *, nan: bool) -> Any:
    if not rows.length:
        return fill_result(rows, median_of_none(rows.dtype))
    if method != "auto" or options:
        return search(rows, selection.median, nan=nan, method=method, **options)
    return rows.result(rows.middle(nan=nan))


def argmedian(
    x: Any,
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
    rule = check_ties(ties)
    rows = open_rows("argmedian", x, axis, keepdims=keepdims, out=out)
    if not rows.length:
        raise EmptyInput("no keys, so none is the median: pass at least one")
    key = rows.ranks_unless_nan([(rows.length - 1) // 2])[0]
    return rows.result(rows.places(key, rule))


def median_with_gradient(x: Any, axis: Axis, found: Any) -> Any:
    """Return medians with their gradient: half goes to each middle key.

    Both halves go to the only middle key of an odd number of keys, and to the first NaN if there is
    one. Of equal keys, the one at the lowest place is meant. The means keep the bits found before.
    """
    torch: Any = sys.modules["torch"]
    layout = layout_of(tuple(x.shape), axis)
    rows = x.permute(layout.order)[..., None].flatten(len(layout.left))
    lower = argmedian(x.detach(), axis=axis)
    upper = argselect(x.detach(), rows.shape[-1] // 2, axis=axis)
    upper = torch.where(rows.detach().gather(-1, lower[..., None])[..., 0].isnan(), lower, upper)
    lower, upper = (rows.gather(-1, each[..., None])[..., 0] for each in (lower, upper))
    means = (lower.reshape(found.shape) + upper.reshape(found.shape)) / 2
    with torch.no_grad():
        return means.copy_(found)
