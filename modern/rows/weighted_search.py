"""The search for weighted quantiles of rows: a sort, sums of weights, and a place in the sums.

Equal keys come by their weights, where that may matter: weighted_row.py tells when it does not.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from modern.rows.weighted_row import LONG, MOST, bounds, quantiles_of_row
from shadersort.errors import BadWeights
from shadersort.keys.types import Integers, Keys, Mask
from shadersort.selection.rows.ordered import taken
from shadersort.selection.rows.placed import first_by_codes, fit_with_places
from shadersort.selection.rows.top import has_few_values

EXACT = 1 << 53
"""Integers below this are exact in float64."""


@dataclass(frozen=True)
class How:
    """Which quantiles: by which method, and of the numbers in a row only if `nan`."""

    method: str
    nan: bool

    @property
    def averaged(self) -> bool:
        """Whether the mean of two keys is taken where a share is exactly q."""
        return self.method == "averaged_inverted_cdf"


@dataclass(frozen=True)
class Search:
    """How quantiles are found in rows of NumPy or CuPy, (rows, length)."""

    xp: Any
    how: How
    none: Any  # the stand-in of a NaT, if any

    def of(self, keys: Any, weights: Any, q: Any, empty: Any) -> list[Any]:
        """Return the lower quantiles (rows, r), and with a mean the upper ones.

        Rows that are `empty`, of shape (rows, 1), have no number.
        """
        xp = self.xp
        if self.how.nan:
            number = keys == keys if self.none is None else keys != self.none
            weights = xp.where(number, weights, weights.dtype.type(0))
            empty = empty & self.how.nan
        else:
            empty = xp.zeros_like(empty)
        q = q if q.dtype.kind == "f" else q.astype(np.float64)
        q = xp.maximum(q, np.finfo(q.dtype).smallest_subnormal)  # 0 is the first key with a weight
        if xp is np and keys.shape[1] >= LONG and q.shape[1] <= MOST:
            return self._row_by_row(keys, weights, q, empty)
        return self._by_sort(keys, weights, q, empty)

    def _row_by_row(self, keys: Keys, weights: Keys, q: Keys, empty: Mask) -> list[Keys]:
        found = [np.empty(q.shape, keys.dtype) for _ in range(1 + self.how.averaged)]
        for row in range(len(keys)):
            here = slice(row, row + 1)
            some = quantiles_of_row(keys[row], weights[row], q[row])
            answers: list[Any] = [some] * len(found)
            if some is None:
                answers = self._by_sort(keys[here], weights[here], q[here], empty[here])
            for whole, each in zip(found, answers, strict=True):
                whole[here] = each
        return found

    def _by_sort(self, keys: Any, weights: Any, q: Any, empty: Any) -> list[Any]:
        """Return quantiles by a sort of all keys, and for some rows by a sort of their weights."""
        if self.xp is not np or weights.dtype.kind != "f":
            return self._exactly(keys, weights, q, empty)
        lower, upper = _about(keys, weights, q, empty)
        some = np.flatnonzero((lower != upper).any(axis=1))
        found = [lower] * (1 + self.how.averaged)
        if some.size:
            answers = self._exactly(keys[some], weights[some], q[some], empty[some])
            found = [lower, upper][: len(found)]
            for whole, each in zip(found, answers, strict=True):
                whole[some] = each
        return found

    def _exactly(self, keys: Any, weights: Any, q: Any, empty: Any) -> list[Any]:
        """Return quantiles by shares that do not depend on the order in which keys are given."""
        xp = self.xp
        keys, weights = _in_order(xp, keys, weights)
        shares = _shares(xp, weights, empty).astype(q.dtype, copy=False)  # as q is rounded, too
        lower = _first(xp, shares, q, above=False)
        places = [xp.minimum(lower, keys.shape[1] - 1)]  # rows that need no weights have none
        if self.how.averaged:
            upper = _first(xp, shares, q, above=True)
            places.append(xp.where(upper < keys.shape[1], upper, places[0]))
        return [_taken(xp, keys, each) for each in places]


def is_exact(weights: Any) -> bool:
    """Whether float64 holds every sum of the weights of a row, if they are integers.

    Examples
    --------
    >>> is_exact(np.ones((1, 3), int)), is_exact(np.full((1, 3), 1 << 52))
    (True, False)
    """
    if weights.dtype.kind == "f" or not weights.size:
        return True
    return bool(int(weights.max()) * weights.shape[1] < EXACT)


def _about(keys: Keys, weights: Keys, q: Keys, empty: Mask) -> tuple[Keys, Keys]:
    """Return the keys of shares that are safely at most q, and of shares that are above it.

    If both are equal, the order of equal keys does not matter.
    """
    length = keys.shape[1]
    order = np.argsort(keys, axis=1, kind="stable" if keys.itemsize <= 2 else None)
    shares = _shares(np, taken(weights, order), empty)
    low, high = bounds(q, length)
    first = np.minimum(_first(np, shares, low, above=False), length - 1)
    last = np.minimum(_first(np, shares, high, above=True), length - 1)
    lower, upper = (taken(keys, taken(order, each)) for each in (first, last))
    return lower, upper


def _in_order(xp: Any, keys: Any, weights: Any) -> tuple[Any, Any]:
    """Return the keys of each row in ascending order, and their weights.

    Where it matters for a sum of floats, equal keys have their weights in ascending order. If many
    keys are equal, the weights are sorted first, and then the keys with their places.
    """
    if xp is np and weights.dtype.kind == "f" and fit_with_places(keys) and has_few_values(keys[0]):
        order = np.argsort(weights, axis=1)
        some = taken(keys, order)
        length = keys.shape[1]
        first = first_by_codes(some, length, smallest=True, in_order=True, highest=False)
        return taken(some, first), taken(weights, taken(order, first))
    stable = {"kind": "stable"} if xp is np and keys.dtype.itemsize <= 2 else {}
    order = xp.argsort(keys, axis=1, **stable)
    keys, weights = (_taken(xp, each, order) for each in (keys, weights))
    if weights.dtype.kind == "f":
        _put_equals_in_order(xp, keys, weights)
    return keys, weights


def _taken(xp: Any, rows: Any, places: Any) -> Any:
    """Return what each row has at its own places."""
    return taken(rows, places) if xp is np else xp.take_along_axis(rows, places, 1)


def _put_equals_in_order(xp: Any, keys: Any, weights: Any) -> None:
    """Put the weights of equal keys in ascending order; the keys are in order."""
    equal = xp.zeros(keys.shape, bool)  # to the key before it
    xp.equal(keys[:, 1:], keys[:, :-1], out=equal[:, 1:])
    if not equal.any():
        return
    among = equal.copy()
    among[:, :-1] |= equal[:, 1:]
    places = xp.flatnonzero(among)
    flat = weights.reshape(-1)
    some, first = flat[places], ~equal.reshape(-1)[places]
    if xp is np:
        order = _by_group(some, np.cumsum(first, dtype=np.uint64))
    else:
        groups = xp.cumsum(first, dtype=np.float64)
        order = xp.lexsort(xp.stack([some.astype(np.float64), groups]))
    flat[places] = some[order]


def _by_group(weights: Keys, groups: Keys) -> Integers:
    """Return the places of weights in the order of their groups, and in each in ascending order.

    NumPy's lexsort takes several times as long as two sorts without rows of equal numbers.
    """
    order = np.argsort(weights)
    placed = groups[order] << np.uint64(32) | np.arange(order.size, dtype=np.uint64)
    placed.sort()
    return order[(placed & np.uint64((1 << 32) - 1)).astype(np.int64)]


def _shares(xp: Any, weights: Any, unweighted: Any) -> Any:
    """Return the share of weight up to each key of a row; rows that need no weights get zeros."""
    with np.errstate(all="ignore"):
        sums = _sums(weights)
        total = sums[:, -1:]
        if not (((total > 0) & (total < np.inf)) | unweighted).all():
            raise BadWeights(
                "Weights included NaN, inf or were all zero. Give each row finite weights with a "
                "finite sum, of which one is above zero"
            )
        return (sums / xp.where(unweighted, 1, total)).astype(np.float64, copy=False)


def _sums(weights: Any) -> Any:
    """Return the sums of weights up to each place: float64, or exact integers."""
    if weights.dtype.kind == "f":
        return weights.cumsum(axis=1, dtype=np.float64)
    if is_exact(weights):
        return weights.cumsum(axis=1, dtype=np.int64)
    return weights.astype(object).cumsum(axis=1)  # Python's integers, whose quotient rounds once


def _first(xp: Any, shares: Any, q: Any, above: bool) -> Any:
    """Return the first place whose share is at least q, or above it; the length if there is none.

    This is a binary search for all q of all rows at the same time.
    """
    count, length = shares.shape
    if count == 1 and xp is np:
        return np.searchsorted(shares[0], q[0], "right" if above else "left")[None]
    flat, starts = shares.reshape(-1), xp.arange(count)[:, None] * length
    low, high = xp.zeros(q.shape, np.int64), xp.full(q.shape, length, np.int64)
    for _ in range(length.bit_length()):
        half = (low + high) // 2
        share = flat.take(starts + xp.minimum(half, length - 1))
        before = share <= q if above else share < q
        low, high = xp.where(before, half + 1, low), xp.where(before, high, half)
    return xp.minimum(low, length)
