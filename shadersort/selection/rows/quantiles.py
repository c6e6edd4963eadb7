"""Quantiles of rows: a plan names the ranks, the rows give their keys, which are then mixed."""

import warnings
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.keys.stand_ins import may_be_missing
from shadersort.keys.types import Integers
from shadersort.selection.quantile_plan import ALL_NAN, QuantilePlan, check_mixed, plan, plan_each
from shadersort.selection.rows.protocol import Rows, on_host

TABLE = 1 << 12
"""For rows of up to this many keys, the plans of one number are kept for each number of keys."""

SOME = 1 << 10
"""Plans of an array of up to so many numbers are kept."""


def quantiles(rows: Rows, q: npt.ArrayLike, method: str, *, nan: bool) -> Any:
    """Return the quantiles q of each row: of the shape of q, followed by (outer, inner).

    With `nan` they are those of the numbers in a row; otherwise a row that has a NaN gets NaN.

    Examples
    --------
    >>> from shadersort.selection.rows.numpy import NumPyRows
    >>> rows = NumPyRows(np.array([[1, 2, 4, 8], [0, 1, np.nan, 2]])[:, :, None])
    >>> quantiles(rows, [0, 0.5], "linear", nan=True)[..., 0]
    array([[1., 0.],
           [3., 1.]])
    """
    length = rows.shape[1]
    planned = plan_of(length, q, method)  # raises errors before any key is read
    check_mixed(rows.dtype, method, planned.weight)
    if nan and may_be_missing(rows.dtype):
        return _of_numbers(rows, planned, q, method)
    found = rows.ranks(planned.ranks) if nan else rows.ranks_unless_nan(planned.ranks)
    found = found.transpose(1, 0, 2)
    lower, upper = (rows.xp.asarray(places) for places in (planned.lower, planned.upper))
    weight = planned.weight
    if isinstance(weight, np.ndarray):
        weight = rows.xp.asarray(weight[..., None, None])
    return _mixed(rows.xp, found[lower], found[upper], weight, False)


def quantiles_of_each(rows: Rows, q: Any, method: str, *, nan: bool) -> Any:
    """Return the quantile of each row at its own q, whose last two axes are (outer, inner).

    Examples
    --------
    >>> from shadersort.selection.rows.numpy import NumPyRows
    >>> rows = NumPyRows(np.array([[1, 2, 4], [0, 1, 2]])[:, :, None])
    >>> quantiles_of_each(rows, np.array([[1], [0.25]]), "linear", nan=False).tolist()
    [[4.0], [0.5]]
    """
    outer, length, inner = rows.shape
    counts = numbers = np.full((outer, inner), length)
    if may_be_missing(rows.dtype):
        numbers = on_host(rows.numbers())
    if nan:
        warn_of_nan(numbers)
        counts = np.maximum(numbers, 1)
    lower, upper, weight = plan_each(counts, q, method, per_row=True)
    check_mixed(rows.dtype, method, weight)
    found = _between(rows, lower, upper, weight, False)
    if nan or (numbers == length).all():
        return found
    gone = rows.xp.asarray(numbers < length)
    return rows.xp.where(gone, missing_of(found.dtype), found)


def plan_of(count: int, q: npt.ArrayLike, method: str) -> QuantilePlan:
    """Plan the quantiles q of keys without NaN; plans for one number, or for some, are kept.

    Examples
    --------
    >>> plan_of(5, np.array([0.5, 1]), "linear") is plan_of(5, np.array([0.5, 1]), "linear")
    True
    """
    if type(q) is float:
        return _kept(count, q, method)
    if type(q) is np.ndarray and q.dtype.kind == "f" and q.size <= SOME:
        return _kept_of_some(count, q.tobytes(), q.dtype, q.shape, method)
    return plan(count, q, method, nan=False)


@lru_cache(maxsize=256)
def _kept(count: int, q: float, method: str) -> QuantilePlan:
    return plan(count, q, method, nan=False)


@lru_cache(maxsize=16)
def _kept_of_some(
    count: int, q: bytes, dtype: np.dtype[Any], shape: tuple[int, ...], method: str
) -> QuantilePlan:
    planned = plan(count, np.frombuffer(q, dtype).reshape(shape), method, nan=False)
    for each in (planned.ranks, planned.lower, planned.upper, planned.weight):
        if isinstance(each, np.ndarray):
            each.flags.writeable = False  # others get this plan, too
    return planned


def warn_of_nan(counts: Any) -> None:
    """Warn if a row has no numbers, as NumPy does."""
    if not counts.all():
        warnings.warn(ALL_NAN, RuntimeWarning, 2)


def missing_of(dtype: np.dtype[Any]) -> Any:
    """Return the NaN or NaT of a type.

    Examples
    --------
    >>> missing_of(np.dtype(np.float32)), missing_of(np.dtype("m8[s]"))
    (np.float32(nan), np.timedelta64('NaT','s'))
    """
    return np.array("NaT", dtype)[()] if dtype.kind in "mM" else dtype.type("nan")


def _of_numbers(rows: Rows, planned: QuantilePlan, q: npt.ArrayLike, method: str) -> Any:
    """Return the quantiles of the numbers of each row; the plan is that of rows without NaN."""
    outer, length, inner = rows.shape

    def ranks_of(counts: Integers) -> Integers:
        lower, upper, weight = _planned(counts, length, q, method)
        wanted = (lower,) if weight is None else (lower, upper)
        return np.concatenate([each.reshape(-1, counts.size) for each in wanted]).T

    xp, weight = rows.xp, planned.weight
    parts = 1 if weight is None else 2
    places = (planned.lower, planned.upper)[:parts]
    whole = planned.ranks[np.concatenate([each.reshape(-1) for each in places])]
    found, counts = rows.ranks_of_numbers(whole, ranks_of)
    found = found.transpose(1, 0, 2).reshape(parts, *planned.lower.shape, outer * inner)
    below, above = found[0], found[-1]
    if isinstance(weight, np.ndarray):
        weight = xp.asarray(weight[..., None])
    mixed = _mixed(xp, below, above, weight, False)
    warn_of_nan(counts)
    some = np.flatnonzero(counts < length)
    if weight is not None and some.size:
        each = xp.asarray(_planned(np.maximum(counts.reshape(-1)[some], 1), length, q, method)[2])
        weak, some = type(q) in (int, float), xp.asarray(some)
        mixed[..., some] = _mixed(xp, below[..., some], above[..., some], each, weak)
    return mixed.reshape(*planned.lower.shape, outer, inner)


def _between(rows: Rows, lower: Integers, upper: Integers, weight: Any, weak: bool) -> Any:
    """Return keys of each row's own ranks, mixed with those of other ranks if there is a weight."""
    wanted = (lower,) if weight is None else (lower, upper)
    flat = np.concatenate([each.reshape(-1, *each.shape[-2:]) for each in wanted])
    found = rows.ranks_of_rows(rows.xp.asarray(flat.transpose(1, 0, 2)))
    below, *above = (
        each.reshape(lower.shape) for each in rows.xp.split(found.transpose(1, 0, 2), len(wanted))
    )
    share = None if weight is None else rows.xp.asarray(weight)
    return _mixed(rows.xp, below, above[0] if above else below, share, weak)


def _planned(
    counts: Integers, length: int, q: npt.ArrayLike, method: str
) -> tuple[Integers, Integers, Any]:
    """Plan the quantiles of rows; if there are many, once for each number of keys."""
    if type(q) is float and length <= TABLE:
        lower, upper, weight = _table(length, q, method)
    elif counts.size > length:
        lower, upper, weight = plan_each(np.arange(1, length + 1), q, method)
    else:
        return plan_each(counts, q, method)
    each = counts - 1
    return lower[..., each], upper[..., each], None if weight is None else weight[..., each]


@lru_cache(maxsize=16)
def _table(length: int, q: float, method: str) -> tuple[Integers, Integers, Any]:
    return plan_each(np.arange(1, length + 1), q, method)


def _mixed(xp: Any, a: Any, b: Any, weight: Any, weak: bool) -> Any:
    """Return a + (b − a) t, or b − (b − a)(1 − t) from t = 1/2 on, as NumPy does.

    With `weak`, floats keep their own type, as they do if t is a number of Python.
    """
    if weight is None:
        return a
    if isinstance(weight, float):
        return b - (b - a) * (1 - weight) if weight >= 0.5 else a + (b - a) * weight
    share, rest = weight, 1 - weight
    if weak and a.dtype.kind == "f":
        share, rest = share.astype(a.dtype), rest.astype(a.dtype)
    return xp.where(share >= 0.5, b - (b - a) * rest, a + (b - a) * share)
