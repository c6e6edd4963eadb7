"""Quantiles of rows: a plan names the ranks, the rows give their keys, which are then mixed."""

import warnings
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.keys.stand_ins import may_be_missing
from shadersort.keys.types import Integers
from shadersort.selection.quantile_plan import (
    ALL_NAN,
    QuantilePlan,
    check_mixed,
    plan,
    plan_each,
)
from shadersort.selection.rows.by_count import PlanByCount
from shadersort.selection.rows.protocol import Rows

TABLE = 1 << 14
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
        return _of_numbers(rows, planned, q)
    found = rows.ranks(planned.ranks) if nan else rows.ranks_unless_nan(planned.ranks)
    return _combined(rows.xp, planned, found.transpose(1, 0, 2))


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


def warn_of_nan() -> None:
    """Warn that a row has no numbers, as NumPy does."""
    warnings.warn(ALL_NAN, RuntimeWarning, 2)


class QuantilesByCount(PlanByCount):
    """Plans the quantiles q of the numbers of rows, flat; `plan` is that of rows without NaN."""

    def __init__(self, rows: Rows, plan: QuantilePlan, q: npt.ArrayLike) -> None:
        self.rows, self.plan, self.q = rows, plan, q
        self.xp, self.length, self.dtype = rows.xp, rows.shape[1], rows.dtype
        self.ranks, self.answers = plan.ranks, plan.lower.size
        if isinstance(plan.weight, np.ndarray) and self.dtype.kind == "f":
            self.dtype = np.result_type(self.dtype, plan.weight.dtype)

    def whole(self, found: Any) -> Any:
        """Return the quantiles of rows without NaN, (q, …)."""
        return _combined(self.xp, self.plan, found).reshape(self.answers, *found.shape[1:])

    def planned(self, counts: Integers) -> tuple[Integers, Any]:
        """Return the lower ranks of rows followed by the upper ones, (r, …), and their shares."""
        length, q, method, kind = self.length, self.q, self.plan.method, self._share_type
        if type(q) is float and length <= TABLE:
            ranks, shares = _table(length, q, method, kind)
        elif counts.size > length:
            ranks, shares = _ranks_and_shares(np.arange(1, length + 1), q, method, kind)
        else:
            return _ranks_and_shares(counts, q, method, kind)
        each = counts - 1
        return ranks.take(each, axis=1), None if shares is None else shares.take(each, axis=1)

    def mixed(self, found: Any, weight: Any) -> Any:
        """Return lower keys mixed with upper ones; the weights are the shares of `_signed`."""
        below, above = found[: self.answers], found[-self.answers :]
        return below if weight is None else _by_shares(self.xp, below, above, weight)

    @property
    def _share_type(self) -> np.dtype[Any] | None:
        """The type of the keys, if a share has it, as it has for NumPy if q is Python's number."""
        keys = self.rows.dtype
        return keys if type(self.q) in (int, float) and keys.kind == "f" else None


def _of_numbers(rows: Rows, planned: QuantilePlan, q: npt.ArrayLike) -> Any:
    """Return the quantiles of the numbers of each row; the plan is that of rows without NaN."""
    outer, _, inner = rows.shape
    found, none = rows.of_numbers(QuantilesByCount(rows, planned, q))
    if none:
        warn_of_nan()
    return found.reshape(*planned.lower.shape, outer, inner)


def _combined(xp: Any, planned: QuantilePlan, found: Any) -> Any:
    """Return the quantiles of keys of the plan's ranks, (ranks, …)."""
    lower, upper, weight = planned.lower, planned.upper, planned.weight
    if isinstance(weight, np.ndarray):
        weight = xp.asarray(weight[(..., *[None] * (found.ndim - 1))])
    return mixed(xp, found[xp.asarray(lower)], found[xp.asarray(upper)], weight)


def _ranks_and_shares(
    counts: Integers, q: npt.ArrayLike, method: str, kind: np.dtype[Any] | None
) -> tuple[Integers, Any]:
    """Plan the quantiles q of rows with so many numbers: as `PlanByCount.planned` returns it."""
    lower, upper, weight = plan_each(counts, np.asarray(q), method)  # q has been checked before
    flat = (-1, *counts.shape)
    if weight is None:
        return lower.reshape(flat), None
    ranks = np.concatenate([lower.reshape(flat), upper.reshape(flat)])
    return ranks, _signed(np, weight.reshape(flat), kind)


@lru_cache(maxsize=16)
def _table(length: int, q: float, method: str, kind: np.dtype[Any] | None) -> tuple[Integers, Any]:
    return _ranks_and_shares(np.arange(1, length + 1), q, method, kind)


def _signed(xp: Any, weight: Any, kind: np.dtype[Any] | None) -> Any:
    """Return the share of b − a that is added to a, or if it is negative, to b.

    The shares get a type, if there is one.

    Examples
    --------
    >>> _signed(np, np.array([0, 0.25, 0.5, 1]), None)
    array([ 0.  ,  0.25, -0.5 , -0.  ])
    """
    rest = 1 - weight
    if kind is not None:
        weight, rest = weight.astype(kind), rest.astype(kind)
    return xp.where(weight >= 0.5, -rest, weight)


def _by_shares(xp: Any, a: Any, b: Any, shares: Any) -> Any:
    """Return what `mixed` does, by the shares of `_signed`."""
    return xp.where(xp.signbit(shares), b, a) + (b - a) * shares


def mixed(xp: Any, a: Any, b: Any, weight: Any, *, weak: bool = False) -> Any:
    """Return a + (b − a) t, or b − (b − a)(1 − t) from t = 1/2 on, as NumPy does.

    With `weak`, floats keep their own type, as they do if t is a number of Python.
    """
    if weight is None:
        return a
    if isinstance(weight, float):
        return b - (b - a) * (1 - weight) if weight >= 0.5 else a + (b - a) * weight
    kind = a.dtype if weak and a.dtype.kind == "f" else None
    return _by_shares(xp, a, b, _signed(xp, weight, kind))
