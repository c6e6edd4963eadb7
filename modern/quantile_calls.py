"""How medians and quantiles are found: by a short way of one dimension, or along axes."""

from typing import Any, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from modern import unwaited
from modern.arrays import answered, is_on_gpu
from modern.rows import one_row, small
from modern.rows.asked import asked, by_name, is_flat, shaped
from shadersort import selection
from shadersort.keys.accepted import selectable
from shadersort.names import QuantileMethod, SelectionMethod
from shadersort.selection.rows.axes import Axis
from shadersort.selection.rows.quantiles import quantiles

Where: TypeAlias = tuple[Axis, bool, Any]
"""axis, keepdims and out."""

FLAT: Where = (None, False, None)


def median_along(
    x: Any, where: Where, method: SelectionMethod, options: dict[str, Any], *, nan: bool
) -> Any:
    """Return medians along axes; an array of one dimension takes a short way."""
    named, x = by_name(options, method=method), shaped(x)
    if is_flat(x, *where):
        on_gpu = is_on_gpu(x)
        if on_gpu and method in unwaited.METHODS and not options:
            return unwaited.median(x, method, nan=nan)
        if not (on_gpu or named):
            keys, stand_in = selectable(x)
            if stand_in is None:
                return one_row.median(keys, nan=nan)
        ask = selection.nanmedian if nan else selection.median
        return answered(x, lambda keys: ask(keys, method=method, **options))
    if not (nan or named) and small.is_few(x, *where):
        return small.median(x, cast(int, where[0]))
    with asked(x, *where) as call:
        found = call.by_one_row(
            lambda row: median_along(row, FLAT, method, options, nan=nan), named
        )
        if found is not None:
            return found
        return call.reduced(lambda rows: rows.medians(nan))


def quantile_along(
    x: Any,
    q: npt.ArrayLike,
    where: Where,
    method: QuantileMethod,
    selector: SelectionMethod,
    options: dict[str, Any],
    *,
    nan: bool,
) -> Any:
    """Return quantiles along axes; an array of one dimension takes a short way."""
    named, x = by_name(options, selector=selector), shaped(x)
    if is_flat(x, *where):
        if not (named or is_on_gpu(x)):
            keys, stand_in = selectable(x)
            if stand_in is None:
                return one_row.quantile(keys, q, method, nan=nan)
        ask = selection.nanquantile if nan else selection.quantile
        return answered(x, lambda keys: ask(keys, q, method=method, selector=selector, **options))
    with asked(x, *where) as call:
        # Only without an axis left, NumPy's NaN for an array without dimensions has the keys' type.
        single = isinstance(q, np.ndarray) and not q.ndim and call.layout.left
        wanted = np.reshape(q, 1) if single else q

        def of_row(row: Any) -> Any:
            found = quantile_along(row, wanted, FLAT, method, selector, options, nan=nan)
            return found[0] if single else found

        found = call.by_one_row(of_row, named)
        if found is not None:
            return found
        return call.reduced(lambda rows: quantiles(rows, q, method, nan=nan), np.shape(q))
