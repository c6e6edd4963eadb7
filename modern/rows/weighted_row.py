"""Weighted quantiles of one row of NumPy: by a sort of all keys, or of a long row of few keys.

A sample of a long row shows between which two keys a quantile lies. The weights before the bracket
are added up, and only the keys inside are sorted.

Equal keys ought to come by their weights. To put them in that order takes longer than to sort the
keys, and it seldom matters: it and the rounding of sums change a share by a few bits. So where
q · (1 − e) and q · (1 + e) have the same key, for an e that is larger than these bits, that key is
the answer.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.keys.limits import limits
from shadersort.keys.types import Key, Keys

LONG = 1 << 15
"""Rows of so many keys are worth a sample."""

MOST = 4
"""More quantiles than this are found faster by one sort."""

SAMPLE = 1 << 12
"""Keys of a sample, about."""

SLACK = 4
"""A bracket extends by so many standard deviations of a sample's share on both sides."""

PIECE = 1 << 15
"""Keys are compared in pieces, which stay in a cache."""

ENOUGH = float(np.finfo(np.float64).max) / 2
"""A sum of weights below this does not overflow in another order."""

Floats = npt.NDArray[np.floating[Any]]


def bounds(q: Keys, length: int) -> tuple[Floats, Floats]:
    """Return what is safely below and above shares q, however the weights of a row were added.

    Each sum of n floats has an error of at most n · 2**-53, and a share is a quotient of two; then
    it may be rounded to the type of q. No relative error is that small for subnormal shares.
    """
    limits = np.finfo(q.dtype if q.dtype.kind == "f" else np.float64)
    margin, tiny = 4 * (length + 4) * 2.0**-53 + float(limits.eps), float(limits.smallest_normal)
    shares = q.astype(np.float64, copy=False)
    return shares * (1 - margin) - tiny, shares * (1 + margin) + tiny


def quantiles_of_row(keys: Keys, weights: Keys, q: Keys) -> Keys | None:
    """Return the key of each share q, or None if one is not certain; all are flat.

    A row with a NaN or without weight is not certain.

    Examples
    --------
    >>> quantiles_of_row(np.arange(9), np.ones(9), np.array([0.5, 0.7]))
    array([4, 6])
    """
    low, high = bounds(q, keys.size)
    with np.errstate(all="ignore"):
        if keys.size < LONG or q.size > MOST:
            return _by_sort(keys, weights, low, high)
        return _by_brackets(keys, weights, low, high)


def _by_sort(keys: Keys, weights: Keys, low: Floats, high: Floats) -> Keys | None:
    order = keys.argsort(kind="stable" if keys.itemsize <= 2 else None)
    sums = weights[order].cumsum(dtype=np.float64)
    last = keys[order[-1]]
    if last != last or not 0 < sums[-1] < ENOUGH:
        return None
    return _certain(keys, order, sums / sums[-1], low, high)


def _certain(keys: Keys, order: Keys, shares: Floats, low: Floats, high: Floats) -> Keys | None:
    """Return the keys at two bounds of shares, if they are the same."""
    first = shares.searchsorted(low)
    last = shares.searchsorted(high, "right")
    found = keys[order.take(first, mode="clip")]
    same = found == keys[order.take(last, mode="clip")]
    return found if same.all() else None


def _by_brackets(keys: Keys, weights: Keys, low: Floats, high: Floats) -> Keys | None:
    total = weights.sum(dtype=np.float64)
    if not 0 < total < ENOUGH or not _no_nan(keys):
        return None
    found = []
    for ends in zip(low[:, None], high[:, None], strict=True):
        key = _between(keys, weights, total, *ends)
        if key is None:
            return None
        found.append(key)
    return np.concatenate(found) if found else keys[:0]


def _no_nan(keys: Keys) -> bool:
    if keys.dtype.kind != "f":
        return True
    pieces = (keys[start : start + PIECE] for start in range(0, keys.size, PIECE))
    return all(bool((piece == piece).all()) for piece in pieces)


def _between(keys: Keys, weights: Keys, total: float, low: Floats, high: Floats) -> Keys | None:
    """Return the key of a share in a long row, if it is certain."""
    least, most = _bracket(keys, weights, float(high[0]))
    before, inside = _counted(keys, weights, least, most)
    some = keys[inside]
    order = some.argsort(kind="stable" if some.itemsize <= 2 else None)
    sums = before + weights[inside[order]].cumsum(dtype=np.float64)
    if before / total >= low or not inside.size or sums[-1] / total <= high:
        return None
    return _certain(some, order, sums / total, low, high)


def _bracket(keys: Keys, weights: Keys, share: float) -> tuple[Key, Key]:
    """Return two keys that a weighted quantile lies between, probably."""
    step = keys.size // SAMPLE + 1
    some, heavy = keys[::step], weights[::step].astype(np.float64)
    order = some.argsort()
    some, sums = some[order], heavy[order].cumsum()
    slack = SLACK / 2 * np.sqrt(np.square(heavy).sum())
    low = int(sums.searchsorted(share * sums[-1] - slack)) - 1
    high = int(sums.searchsorted(share * sums[-1] + slack)) + 1
    least, most = limits(keys.dtype)
    return some[low] if low >= 0 else least, some[high] if high < some.size else most


def _counted(keys: Keys, weights: Keys, least: Key, most: Key) -> tuple[float, Keys]:
    """Return the weight of the keys below a bracket, and the places of those inside."""
    before, places = 0.0, []
    for start in range(0, keys.size, PIECE):
        some = keys[start : start + PIECE]
        below = some < least
        before += float((weights[start : start + PIECE] * below).sum(dtype=np.float64))
        places.append(np.flatnonzero((some <= most) & ~below) + start)
    return before, np.concatenate(places)
