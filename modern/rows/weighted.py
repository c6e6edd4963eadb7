"""Weighted quantiles of rows: keys in order, their weights added up, and a search in the sums.

The share of a key is the weight of all keys up to it, divided by the weight of its row. The lower
quantile is the first key with a share of at least q; the upper one is the first with a share above
q. They differ only where a share is exactly q. "inverted_cdf" takes the lower one, as
`np.quantile` does; "averaged_inverted_cdf" takes the mean of both.

Integers are added exactly, and a share is their quotient rounded once. Floats are added in float64
in the order of the keys; equal keys come by their weights, so that the order in which a caller
gives keys does not matter. A sum of n floats has a relative error of at most n · 2**-53, and a
share of twice that; a share and q are then compared as they are.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from shadersort.errors import BadWeights
from shadersort.keys.stand_ins import StandIn, back
from shadersort.keys.types import Integers, Keys
from shadersort.selection.rows.chunks import Chunk, each_part, put, rows_in, rows_of
from shadersort.selection.rows.means import mean_type, sum_type
from shadersort.selection.rows.numpy import NumPyRows
from shadersort.selection.rows.ordered import taken
from shadersort.selection.rows.own import OwnRows
from shadersort.selection.rows.placed import first_by_codes, fit_with_places
from shadersort.selection.rows.protocol import Rows, on_host
from shadersort.selection.rows.quantiles import missing_of, warn_of_nan
from shadersort.selection.rows.top import has_few_values

METHODS = ("inverted_cdf", "averaged_inverted_cdf")
"""The methods of quantiles that take weights."""

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
        keys, weights = _in_order(xp, keys, weights)
        shares = _shares(xp, weights, empty & self.how.nan)
        q = q if q.dtype.kind == "f" else q.astype(np.float64)
        q = xp.maximum(q, np.finfo(q.dtype).smallest_subnormal)  # 0 is the first key with a weight
        shares = shares.astype(q.dtype, copy=False)  # no float32 equals a float64 of 0.4
        lower = _first(xp, shares, q, above=False)
        places = [xp.minimum(lower, keys.shape[1] - 1)]  # rows that need no weights have none
        if self.how.averaged:
            upper = _first(xp, shares, q, above=True)
            places.append(xp.where(upper < keys.shape[1], upper, places[0]))
        return [_taken(xp, keys, each) for each in places]


def quantiles(rows: Rows, stand_in: StandIn | None, weights: Any, q: Any, how: How) -> Any:
    """Return weighted quantiles, of the shape of q; its last two axes become (outer, inner).

    The rows may be those of stand-ins. The weights have the shape of the rows. The last two axes of
    q have that length, or the length 1 if all rows have the same q.

    Examples
    --------
    >>> rows = NumPyRows(np.array([[1, 2, 4, 8], [9, 8, 7, 6]])[:, :, None])
    >>> weights = np.array([[1, 1, 1, 1], [0, 3, 1, 0]])[:, :, None]
    >>> q = np.array([[[0.5]]])
    >>> quantiles(rows, None, weights, q, How("inverted_cdf", nan=False)).tolist()
    [[[2], [8]]]
    >>> quantiles(rows, None, weights, q, How("averaged_inverted_cdf", nan=False)).tolist()
    [[[3.0], [8.0]]]
    """
    xp = rows.xp
    if xp is not np and not _is_exact(weights):
        host = NumPyRows(on_host(rows.keys))
        return xp.asarray(quantiles(host, stand_in, on_host(weights), q, how))
    counts = (rows if stand_in is None else OwnRows(rows, stand_in)).numbers()
    if how.nan and not counts.all():
        warn_of_nan()
    outer, length, inner = rows.shape
    flat = q.reshape(-1, *q.shape[-2:]).transpose(1, 0, 2)
    shares = np.broadcast_to(flat, (outer, flat.shape[1], inner))
    search = Search(xp, how, None if stand_in is None else stand_in.none)
    find = _in_chunks if xp is np else _at_once
    both = [each.transpose(1, 0, 2) for each in find(rows, weights, shares, counts, search)]
    found = _mixed(xp, both, stand_in)
    gone = counts == 0 if how.nan else counts < length
    if gone.any():
        found = xp.where(gone, missing_of(found.dtype), found)
    return found.reshape(*q.shape[:-2], outer, inner)


def _is_exact(weights: Any) -> bool:
    """Whether float64 holds every sum of the weights of a row, if they are integers."""
    if weights.dtype.kind == "f" or not weights.size:
        return True
    return bool(int(weights.max()) * weights.shape[1] < EXACT)


def _in_chunks(rows: Rows, weights: Keys, q: Keys, counts: Keys, search: Search) -> list[Keys]:
    """Return what a search finds in the rows of a NumPy array: of the shape of q."""
    found = [np.empty(q.shape, rows.dtype) for _ in range(1 + search.how.averaged)]

    def do(chunk: Chunk, part: Keys) -> None:
        heavy = rows_of(weights[chunk[0], :, chunk[1]], own=False)
        empty = rows_in(counts[:, None], chunk) == 0
        some = search.of(rows_of(part, own=False), heavy, rows_in(q, chunk), empty)
        for whole, each in zip(found, some, strict=True):
            put(whole, chunk, each)

    if q.size:
        each_part(rows.keys, do)
    return found


def _at_once(rows: Rows, weights: Any, q: Keys, counts: Any, search: Search) -> list[Any]:
    """Do as `_in_chunks` does with the rows of a CuPy array."""
    outer, _, inner = rows.shape
    if not q.size:
        return [rows.xp.empty(q.shape, rows.dtype)] * (1 + search.how.averaged)

    def flat(array: Any) -> Any:
        return array.transpose(0, 2, 1).reshape(outer * inner, -1)

    empty = flat(counts[:, None]) == 0
    found = search.of(flat(rows.keys), flat(weights), rows.xp.asarray(flat(q)), empty)
    return [each.reshape(outer, inner, -1).transpose(0, 2, 1) for each in found]


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
    if _is_exact(weights):
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


def _mixed(xp: Any, both: list[Any], stand_in: StandIn | None) -> Any:
    """Return lower quantiles, or the means of lower and upper ones: floats keep their type."""
    if len(both) == 1:
        return back(stand_in, both[0])
    if stand_in is not None and stand_in.dtype.kind in "mM":
        lower, upper = (stand_in.back(each) for each in both)
        return lower + (upper - lower) / 2
    mean = _mean(xp, *both)
    return mean if stand_in is None or stand_in.dtype.kind == "b" else stand_in.back(mean)


def _mean(xp: Any, lower: Any, upper: Any) -> Any:
    """Return the means of two keys as `np.mean` does; of equal keys that key, without overflow."""
    wide = sum_type(lower.dtype)
    with np.errstate(all="ignore"):  # the mean of −inf and inf is NaN, without a warning
        mean = (lower.astype(wide) + upper.astype(wide)) / 2
        return xp.where(lower == upper, lower, mean).astype(mean_type(lower.dtype))
