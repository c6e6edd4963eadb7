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

from typing import Any

import numpy as np

from modern.rows.weighted_search import How, Search, is_exact
from shadersort.keys.stand_ins import StandIn, back
from shadersort.keys.types import Keys
from shadersort.selection.rows.chunks import Chunk, each_part, put, rows_in, rows_of
from shadersort.selection.rows.means import mean_type, sum_type
from shadersort.selection.rows.numpy import NumPyRows
from shadersort.selection.rows.own import OwnRows
from shadersort.selection.rows.protocol import Rows, on_host
from shadersort.selection.rows.quantiles import missing_of, warn_of_nan

METHODS = ("inverted_cdf", "averaged_inverted_cdf")
"""The methods of quantiles that take weights."""


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
    if xp is not np and not is_exact(weights):
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
