"""Quantiles from order statistics: the ranks that NumPy's 13 methods need, and how to combine them.

A quantile is one order statistic, or lies between two neighbouring ones. A `QuantilePlan` names the
ranks, a selection finds the keys of these ranks, and the plan combines them: for an array, a
texture or a GPU. The methods are those of `np.quantile`; nine of them are the types of Hyndman and
Fan, "Sample quantiles in statistical packages", The American Statistician 50(4), 1996.
"""

import operator
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from shadersort.errors import (
    EmptyInput,
    QuantileNotNumber,
    QuantileOutOfRange,
    UnknownName,
    UnsupportedKeys,
    choices,
)
from shadersort.keys.key_casts import is_bfloat16, may_be_missing
from shadersort.keys.types import Integers

ALL_NAN = "All-NaN slice encountered: the result is NaN"
NO_KEYS = "Mean of empty slice: the median or the quantile of no keys is NaN"
"""Warnings of rows without a number, and without keys; their first words are NumPy's."""

Array = npt.NDArray[Any]
Rule = Callable[[Any, Array], Array]

_STEPPED: Mapping[str, Rule] = {
    "inverted_cdf": lambda n, q: np.ceil(n * q - 1),
    "closest_observation": lambda n, q: np.rint(n * q) - 1,
    "lower": lambda n, q: np.floor((n - 1) * q),
    "higher": lambda n, q: np.ceil((n - 1) * q),
    "nearest": lambda n, q: np.around((n - 1) * q),
}
"""The rank of each method that takes one order statistic."""


def _plotting_position(alpha: float, beta: float) -> Rule:
    """Return Hyndman and Fan's position for two plotting parameters, counted from zero."""
    return lambda n, q: n * q + (alpha + q * (1 - alpha - beta)) - 1


_INTERPOLATED: Mapping[str, Rule] = {
    "linear": lambda n, q: (n - 1) * q,
    "interpolated_inverted_cdf": _plotting_position(0, 1),
    "hazen": _plotting_position(0.5, 0.5),
    "weibull": _plotting_position(0, 0),
    "median_unbiased": _plotting_position(1 / 3, 1 / 3),
    "normal_unbiased": _plotting_position(3 / 8, 3 / 8),
    "averaged_inverted_cdf": lambda n, q: n * q - 1,
    "midpoint": lambda n, q: 0.5 * (np.floor((n - 1) * q) + np.ceil((n - 1) * q)),
}
"""Methods that mix two neighbours: the position between their ranks."""

_WEIGHTS: Mapping[str, Rule] = {
    "averaged_inverted_cdf": lambda gamma, position: np.where(gamma == 0, 0.5, 1.0),
    "midpoint": lambda gamma, position: np.where(position % 1 == 0, 0.0, 0.5),
}
"""The weights of methods that do not weigh the upper neighbour by the fraction of the position."""

QUANTILE_METHODS: tuple[str, ...] = (*_STEPPED, *_INTERPOLATED)
"""Every method of `np.quantile` by its name."""


@dataclass(frozen=True, slots=True, eq=False)
class QuantilePlan:
    """What to select for some quantiles, and how to combine it."""

    # the ranks to select: at most two for each quantile, distinct and ascending; of `plan_each`, in
    # any order, and of shape (r, *rows)
    ranks: Integers
    lower: Integers  # the places in `ranks` of the neighbours of each quantile, of the shape of q
    upper: Integers
    # the share of b - a that is added to the lower neighbour a, or, if it is negative, to b: of the
    # shape of q (and *rows); None for methods that take one order statistic
    shares: Array | None
    weak: bool  # whether q is a number of Python: then floats keep their type

    def combine(self, values: npt.ArrayLike, xp: Any = np) -> Any:
        """Return the quantiles, (*q.shape, *rows), from the keys of `ranks`, (r, *rows).

        Types and bits are those of `np.quantile`. As in NumPy, infinite neighbours give NaN
        (inf − inf) with a warning, and integers are subtracted in their own type, which may wrap.
        `xp` is the module of the values.

        Examples
        --------
        >>> deciles = plan(5, [0.1, 0.9])
        >>> deciles.combine(np.sort(np.float32([3, 1, 4, 1, 5]))[deciles.ranks])
        array([1. , 4.6])
        """
        keys = xp.asarray(values)
        below = mixed = keys[xp.asarray(self.lower)]
        if self.shares is not None:
            above, shares = keys[xp.asarray(self.upper)], xp.asarray(self.shares)
            shares = shares.reshape(shares.shape + (1,) * (below.ndim - shares.ndim))
            if self.weak and keys.dtype.kind == "f":
                shares = shares.astype(keys.dtype)
            elif self.weak and is_bfloat16(keys.dtype):
                shares = shares.astype(np.float32)
            mixed = xp.where(xp.signbit(shares), above, below) + (above - below) * shares
        if not mixed.ndim and below != below:  # as in NumPy, a single NaN has the type of the keys
            return below
        return mixed


def check_mixed(dtype: np.dtype[Any], method: str, shares: Array | None) -> None:
    """Raise UnsupportedKeys for keys that are no numbers, or for booleans that shares mix."""
    if dtype.kind not in "iufbmM" and not is_bfloat16(dtype):
        raise UnsupportedKeys(f"quantiles are of integers, floats and times, not of {dtype}")
    if dtype.kind == "b" and shares is not None:
        raise UnsupportedKeys(
            f"booleans cannot be mixed, as method={method!r} does: pass one of "
            f"{choices(_STEPPED)}, or keys.astype(np.uint8)"
        )


def plan(n: SupportsIndex, q: npt.ArrayLike, method: str = "linear") -> QuantilePlan:
    """Plan the quantiles q of n keys, or of the n numbers before NaNs, as `np.nanquantile` does.

    Positions are computed in the type of q, so pass float64 or Python numbers for many keys; only
    float16 is taken as float64, and narrow integers as int64. Types are those of NumPy 2.4.

    Examples
    --------
    >>> plan(9, [0.25, 0.5, 0.75], "median_unbiased").ranks
    array([1, 2, 4, 5, 6, 7])
    """
    if (count := operator.index(n)) < 1:  # a NumPy integer would change the types
        raise EmptyInput("there is no quantile of no keys: give one key at least")
    given = plan_each(count, q, method)
    ranks, places = np.unique(given.ranks, return_inverse=True)
    return replace(given, ranks=ranks, lower=places[given.lower], upper=places[given.upper])


def cached_plan(n: int, q: npt.ArrayLike, method: str) -> QuantilePlan:
    """Return `plan(n, q, method)`; plans for a Python float are kept."""
    return (_cached if type(q) is float else plan)(n, q, method)


_cached: Any = lru_cache(maxsize=256)(plan)


def plan_each(n: Any, q: npt.ArrayLike, method: str = "linear") -> QuantilePlan:
    """Plan the quantiles q of rows, each with its own number of keys, at least one."""
    given, weak = shares_of(q, method), type(q) in (int, float)
    shape, places = np.shape(n), np.arange(given.size).reshape(given.shape)
    each = n.astype(given.dtype if given.dtype.kind == "f" else np.int64) if shape else n
    lower, upper, weight = _neighbours(each, given[(..., *[None] * len(shape))], method)
    ranks = np.minimum(np.stack([lower, upper]).reshape(2 * given.size, *shape), n - 1)
    if weight is not None:
        weight = weight.astype(np.float64) if weak else weight
        weight = np.where(weight >= 0.5, -(1 - weight), weight)  # so a weight of 1 gives b itself
    return QuantilePlan(ranks, places, places + given.size, weight, weak)


def _neighbours(n: Any, q: Array, method: str) -> tuple[Integers, Integers, Array | None]:
    """Return the ranks below and above each quantile, and the weight of the upper rank.

    n is an integer, or an array in the type of q. Beyond the first and the last rank both
    neighbours are that rank; the weight, NumPy's, then affects only the sign of a zero.
    """
    position = np.asarray((_STEPPED.get(method) or _INTERPOLATED[method])(n, q))
    if method in _STEPPED or (method == "linear" and position.dtype.kind in "iu"):
        rank = np.clip(position, 0, n - 1).astype(np.int64)
        return rank, rank, None
    first, last = position < 0, position >= n - 1
    before = np.where(first, 0, np.where(last, -1, np.floor(position)))
    gamma = np.asarray(position - before)
    weigh = _WEIGHTS.get(method)
    weight = (weigh(gamma, position) if weigh else gamma).astype(position.dtype, copy=False)
    lower = np.where(last, n - 1, before).astype(np.int64)
    return lower, np.where(first | last, lower, lower + 1), weight


def shares_of(q: npt.ArrayLike, method: str) -> Array:
    """Return q as an array of numbers from 0 to 1, or raise an error for q or the method."""
    if method not in QUANTILE_METHODS:
        raise UnknownName(
            f"no quantile method is called {method!r}: use {choices(QUANTILE_METHODS)}"
        )
    if isinstance(q, np.ma.MaskedArray):
        raise QuantileNotNumber("q is a masked array, whose mask would be lost: q.compressed()")
    shares = np.asarray(q)
    if shares.dtype.kind not in "biuf":
        raise QuantileNotNumber(f"q is a number from 0 to 1, or an array of them, not {q!r}")
    if np.isnan(shares).any():
        raise QuantileOutOfRange("q is NaN, or holds one: give numbers from 0 to 1")
    if (outside := shares[(shares < 0) | (shares > 1)]).size:
        raise QuantileOutOfRange(
            f"q is from 0 to 1, not {outside[0]}; a percentile is a hundredth of its number"
        )
    if shares.dtype == np.float16:  # it has no number for the ranks of 65,520 keys
        return shares.astype(np.float64)
    return shares.astype(np.int64) if shares.dtype.kind in "iu" else shares


def missing_of(dtype: np.dtype[Any]) -> Any:
    """Return the NaN or NaT of a type."""
    return np.array("NaT" if dtype.kind in "mM" else np.nan, dtype)[()]


def check_mean(dtype: np.dtype[Any]) -> None:
    """Raise UnsupportedKeys for keys of a type that NumPy cannot take the mean of."""
    if dtype.kind == "M":
        raise UnsupportedKeys(
            f"keys of {dtype} have no mean, so np.median refuses them too: ask for "
            "quantile(keys, 0.5), or for a key by method='lower'"
        )


def median_of_none(dtype: np.dtype[Any]) -> Any:
    """Return the median of no keys: NaN, as float64 if the type has none, with NumPy's warning."""
    check_mean(dtype)
    return _nan_of_none(dtype)


def quantiles_of_none(dtype: np.dtype[Any], q: npt.ArrayLike, method: str) -> Any:
    """Return the quantiles of no keys: NaNs of the shape of q, with NumPy's warning."""
    planned = plan(1, q, method)
    check_mixed(dtype, method, planned.shares)
    return planned.combine(np.full(planned.ranks.shape, _nan_of_none(dtype)))


def _nan_of_none(dtype: np.dtype[Any]) -> Any:
    warnings.warn(NO_KEYS, RuntimeWarning, stacklevel=4)
    return missing_of(dtype if may_be_missing(dtype) else np.dtype(np.float64))


def average_middle(middle: Any) -> Any:
    """Return the means along the first axis, of one key or two, as NumPy's median has them.

    Floats and times keep their type; other means are float64.
    """
    dtype = middle.dtype
    half = dtype.char == "e" or is_bfloat16(dtype)
    wide = np.float32 if half else dtype if dtype.kind in "fm" else np.float64
    if len(middle) == 1:
        return middle[0] if half else middle[0].astype(wide)
    low, high = middle.astype(wide, copy=False)
    with np.errstate(all="ignore"):  # the mean of −inf and inf is NaN, without a warning
        mean = (low + high) / 2
        return mean.astype(dtype) if half else mean
