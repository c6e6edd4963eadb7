"""Weighted quantiles of rows: keys in order, their weights added up, and a search in the sums.

The share of a key is the weight of all keys up to it, divided by the weight of its row. The lower
quantile is the first key with a share of at least q; the upper one is the first with a share above
q. They differ only where a share is exactly q. "inverted_cdf" takes the lower one, as
`np.quantile` does; "averaged_inverted_cdf" takes the mean of both.

Integers are added exactly, and a share is their quotient rounded once. Floats are added in float64
in the order of the keys; equal keys come by their weights, so that the order in which a caller
gives keys does not matter. A sum of n floats has a relative error of at most n · 2**-53; a share
and q are then compared as they are.
"""

from typing import Any

import numpy as np

from modern.rows.chunks import Chunk, each_part, put, rows_in, rows_of
from modern.rows.numpy import NumPyRows, mean_type, sum_type
from modern.rows.protocol import Rows
from modern.rows.quantiles import on_host, warn_of_nan
from shadersort.errors import BadWeights
from shadersort.keys.types import Keys

METHODS = ("inverted_cdf", "averaged_inverted_cdf")
"""The methods of quantiles that take weights."""

EXACT = 1 << 53
"""Integers below this are exact in float64."""


def quantiles(rows: Rows, weights: Any, q: Any, method: str, *, nan: bool) -> Any:
    """Return weighted quantiles, of the shape of q; its last two axes become (outer, inner).

    The weights have the shape of the rows. The last two axes of q have that length, or the length 1
    if all rows have the same q. With `nan` the quantiles are those of the numbers in a row.

    Examples
    --------
    >>> rows = NumPyRows(np.array([[1, 2, 4, 8], [9, 8, 7, 6]])[:, :, None])
    >>> weights = np.array([[1, 1, 1, 1], [0, 3, 1, 0]])[:, :, None]
    >>> q = np.array([[[0.5]]])
    >>> quantiles(rows, weights, q, "inverted_cdf", nan=False).tolist()
    [[[2], [8]]]
    >>> quantiles(rows, weights, q, "averaged_inverted_cdf", nan=False).tolist()
    [[[3.0], [8.0]]]
    """
    if rows.xp is not np and not _is_exact(weights):
        host = NumPyRows(on_host(rows.keys))
        return rows.xp.asarray(quantiles(host, on_host(weights), q, method, nan=nan))
    counts = rows.numbers()
    if nan:
        warn_of_nan(counts)
    outer, length, inner = rows.shape
    front, averaged = q.shape[:-2], method == METHODS[1]
    flat = q.reshape(-1, *q.shape[-2:]).transpose(1, 0, 2)
    shares = np.broadcast_to(flat, (outer, flat.shape[1], inner))
    find = _in_chunks if rows.xp is np else _at_once
    found = find(rows, weights, shares, counts, averaged, nan).transpose(1, 0, 2)
    if rows.dtype.kind == "f":
        gone = counts == 0 if nan else counts < length
        found = rows.xp.where(gone, found.dtype.type("nan"), found)
    return found.reshape(*front, outer, inner)


def type_of(dtype: np.dtype[Any], method: str) -> np.dtype[Any]:
    """Return the type of the quantiles of keys: their own, or that of a mean."""
    return dtype if method == METHODS[0] else np.dtype(mean_type(dtype))


def _is_exact(weights: Any) -> bool:
    """Whether float64 holds every sum of the weights of a row, if they are integers."""
    if weights.dtype.kind == "f" or not weights.size:
        return True
    return int(weights.max()) * weights.shape[1] < EXACT


def _in_chunks(
    rows: Rows, weights: Keys, q: Keys, counts: Keys, averaged: bool, nan: bool
) -> Keys:
    """Return the quantiles of the rows of a NumPy array: (outer, r, inner), as q."""
    method = METHODS[averaged]
    found = np.empty(q.shape, type_of(rows.dtype, method))

    def do(chunk: Chunk, part: Keys) -> None:
        heavy = rows_of(weights[chunk[0], :, chunk[1]], own=False)
        empty = rows_in(counts[:, None], chunk) == 0
        shares = rows_in(q, chunk)
        put(found, chunk, _found(np, rows_of(part, own=False), heavy, shares, empty, averaged, nan))

    each_part(rows.keys, do)
    return found


def _at_once(rows: Rows, weights: Any, q: Keys, counts: Any, averaged: bool, nan: bool) -> Any:
    """Do as `_in_chunks` does with the rows of a CuPy array."""
    xp, (outer, length, inner) = rows.xp, rows.shape

    def flat(array: Any) -> Any:
        return array.transpose(0, 2, 1).reshape(outer * inner, -1)

    if not (outer and inner):
        return xp.empty(q.shape, type_of(rows.dtype, METHODS[averaged]))
    shares, empty = xp.asarray(flat(q)), flat(counts[:, None]) == 0
    found = _found(xp, flat(rows.keys), flat(weights), shares, empty, averaged, nan)
    return found.reshape(outer, inner, -1).transpose(0, 2, 1)


def _found(
    xp: Any, keys: Any, weights: Any, q: Any, empty: Any, averaged: bool, nan: bool
) -> Any:
    """Return the quantiles (rows, r) of (rows, length); `empty` rows, (rows, 1), have no number."""
    if nan and keys.dtype.kind == "f":
        weights = xp.where(keys == keys, weights, weights.dtype.type(0))
    order = _order(xp, keys, weights)
    keys, weights = (xp.take_along_axis(each, order, 1) for each in (keys, weights))
    shares = _shares(xp, weights, empty & nan)
    if q.dtype.kind == "f":
        shares = shares.astype(q.dtype)  # otherwise no float32 equals a share of 0.4
    shares[shares == 0] = -1  # so that the first key with a weight is the quantile 0
    lower = _first(xp, shares, q, above=False)
    below = xp.take_along_axis(keys, lower, 1)
    if not averaged:
        return below
    upper = _first(xp, shares, q, above=True)
    upper = xp.where(upper < keys.shape[1], upper, lower)
    return _mean(xp, below, xp.take_along_axis(keys, upper, 1))


def _order(xp: Any, keys: Any, weights: Any) -> Any:
    """Return the places of the keys of each row in ascending order.

    Where it matters for a sum of floats, equal keys come by their weights.
    """
    order = _argsort(xp, keys, stable=keys.dtype.itemsize <= 2)
    if weights.dtype.kind != "f":
        return order
    ordered = xp.take_along_axis(keys, order, 1)
    if not (ordered[:, 1:] == ordered[:, :-1]).any():
        return order
    by_weight = _argsort(xp, weights, stable=False)
    lighter_first = xp.take_along_axis(keys, by_weight, 1)
    return xp.take_along_axis(by_weight, _argsort(xp, lighter_first, stable=True), 1)


def _argsort(xp: Any, keys: Any, stable: bool) -> Any:
    """Return the places of keys in ascending order; CuPy's sorts are all stable."""
    return keys.argsort(axis=1, kind="stable" if stable else None) if xp is np else xp.argsort(keys)


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
        return (sums / xp.where(unweighted, 1, total)).astype(np.float64)


def _sums(weights: Any) -> Any:
    """Return the sums of weights up to each place: float64, or exact integers."""
    if weights.dtype.kind == "f":
        return weights.cumsum(axis=1, dtype=np.float64)
    if _is_exact(weights):
        return weights.cumsum(axis=1, dtype=np.int64)
    return weights.astype(object).cumsum(axis=1)  # Python's integers, whose quotient rounds once


def _first(xp: Any, shares: Any, q: Any, above: bool) -> Any:
    """Return the first place whose share is at least q, or above it; the length if there is none.

    A binary search for all q of all rows at the same time.
    """
    length = shares.shape[1]
    low, high = xp.zeros(q.shape, np.int64), xp.full(q.shape, length, np.int64)
    for _ in range(length.bit_length()):
        half = (low + high) // 2
        share = xp.take_along_axis(shares, xp.minimum(half, length - 1), 1)
        before = share <= q if above else share < q
        low, high = xp.where(before, half + 1, low), xp.where(before, high, half)
    return xp.minimum(low, length)


def _mean(xp: Any, lower: Any, upper: Any) -> Any:
    """Return the mean of two keys, as `np.mean` does; of equal keys that key, without overflow."""
    wide = sum_type(lower.dtype)
    with np.errstate(all="ignore"):  # the mean of −inf and inf is NaN, without a warning
        mean = (lower.astype(wide) + upper.astype(wide)) / 2
        return xp.where(lower == upper, lower, mean).astype(mean_type(lower.dtype))
