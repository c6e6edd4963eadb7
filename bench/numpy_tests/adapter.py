"""NumPy's functions of selection, with NumPy's parameters, answered by `modern`.

`overwrite_input` allows NumPy to change the keys; `modern` never does, so it is ignored. NumPy
divides percentiles by 100 in the type of the keys, if these are floats; so does this adapter.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

import modern

calls = 0
"""How often `modern` was asked."""


def _counted(ask: Callable[..., Any], *args: Any, **options: Any) -> Any:
    global calls
    calls += 1
    kept = {name: each for name, each in options.items() if each is not np._NoValue}
    return ask(*args, **kept)


def median(
    a: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: bool = False,
    keepdims: Any = False,
) -> Any:
    """Answer for `np.median`."""
    return _counted(modern.median, a, axis=axis, out=out, keepdims=keepdims)


def nanmedian(
    a: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: bool = False,
    keepdims: Any = False,
) -> Any:
    """Answer for `np.nanmedian`."""
    return _counted(modern.nanmedian, a, axis=axis, out=out, keepdims=keepdims)


def quantile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: bool = False,
    method: Any = "linear",
    keepdims: Any = False,
    *,
    weights: Any = None,
) -> Any:
    """Answer for `np.quantile`."""
    given = {"axis": axis, "out": out, "method": method, "keepdims": keepdims}
    return _counted(modern.quantile, a, q, weights=weights, **given)


def nanquantile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: bool = False,
    method: Any = "linear",
    keepdims: Any = False,
    *,
    weights: Any = None,
) -> Any:
    """Answer for `np.nanquantile`."""
    given = {"axis": axis, "out": out, "method": method, "keepdims": keepdims}
    return _counted(modern.nanquantile, a, q, weights=weights, **given)


def percentile(a: Any, q: Any, *args: Any, **options: Any) -> Any:
    """Answer for `np.percentile`."""
    return quantile(a, _share(a, q), *args, **options)


def nanpercentile(a: Any, q: Any, *args: Any, **options: Any) -> Any:
    """Answer for `np.nanpercentile`."""
    return nanquantile(a, _share(a, q), *args, **options)


def _share(a: Any, q: Any) -> Any:
    """Return percentiles as shares; a number of Python stays one."""
    if type(q) in (int, float):
        return q / 100
    dtype = np.asarray(a).dtype
    return np.true_divide(q, dtype.type(100) if dtype.kind == "f" else 100)


def partition(
    a: Any, kth: Any, axis: Any = -1, kind: Any = "introselect", order: Any = None
) -> Any:
    """Answer for `np.partition`: keys of ranks, by which the other keys are put on their sides.

    Other kinds, an order of fields and arrays without keys have nothing that could be selected.
    """
    x = np.asarray(a)
    if kind != "introselect" or order is not None or not x.size:
        return np.partition(a, kth, axis, kind, order)
    if axis is None:
        x, axis = x.reshape(-1), -1
    ranks = np.atleast_1d(np.asarray(kth))
    chosen = _counted(modern.multiselect, x, ranks, axis=axis)
    rows, pivots = np.moveaxis(x, axis, -1), np.moveaxis(chosen, 0, -1)
    sides = _before(pivots[..., None, :], rows[..., None]).sum(-1) + ~_before(
        rows[..., None], pivots[..., None, :]
    ).sum(-1)
    order = np.argsort(sides, axis=-1, kind="stable")
    return np.moveaxis(np.take_along_axis(rows, order, -1), -1, axis)


def _before(a: Any, b: Any) -> Any:
    """Whether keys come before others in sorted order; NaNs are last."""
    return (a < b) | ((a == a) & (b != b))
