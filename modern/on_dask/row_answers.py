"""What is wanted of each row that is too long for one chunk, and its answer from a few keys."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from modern.on_dask.rows import keys_of_rows
from shadersort.keys.types import Integers, Keys
from shadersort.selection.driver import check_mean, rank_of, ranks_of
from shadersort.selection.quantile_plan import plan
from shadersort.selection.rows.quantiles import missing_of


@dataclass(frozen=True)
class Wanted:
    """What is wanted of a row.

    Attributes
    ----------
    ranks
        Takes how many keys are no NaN; returns the wanted ranks of these, ascending.
    answer
        Takes this number and the keys of the ranks; returns the answer, or None for NaN.
    """

    ranks: Callable[[int], Integers]
    answer: Callable[[int, Keys], Any]


OF_LONG_ROWS: dict[str, tuple[str, ...]] = {
    **{"select": ("k",), "multiselect": ("ks",), "median": (), "nanmedian": ()},
    **{"quantile": ("q",), "nanquantile": ("q",)},
}
"""The functions that long rows have, and the names of their arguments."""

NOTHING = np.empty(0, np.int64)


def wanted_of(name: str, given: dict[str, Any], length: int, dtype: Any) -> Wanted:
    """Return what a function wants of rows of a length; its arguments and options are given."""
    nan = name.startswith("nan")
    if name == "select":
        return of_rank(given["k"], length)
    if name == "multiselect":
        return of_ranks(given["ks"], length)
    if name.endswith("median"):
        return of_middle(length, dtype, nan=nan)
    return of_shares(given["q"], length, given.get("method", "linear"), nan=nan)


def of_rank(k: Any, length: int) -> Wanted:
    """Return what `select` wants of rows of a length."""
    rank = rank_of(k, length)
    return Wanted(
        lambda n: np.array([rank]) if rank < n else NOTHING,
        lambda n, keys: keys[0] if keys.size else None,
    )


def of_ranks(ks: Any, length: int) -> Wanted:
    """Return what `multiselect` wants of rows of a length."""
    ranks = ranks_of(ks, length)
    distinct, places = np.unique(ranks, return_inverse=True)

    def answer(n: int, keys: Keys) -> Keys:
        found = np.zeros(distinct.size, keys.dtype)
        found[: keys.size] = keys
        if keys.size < distinct.size:
            found[keys.size :] = missing_of(keys.dtype)
        return found[places].reshape(np.shape(ks))

    return Wanted(lambda n: distinct[distinct < n], answer)


def of_middle(length: int, dtype: Any, *, nan: bool) -> Wanted:
    """Return what `median` wants of rows of a length; with `nan`, NaNs are left out."""
    rank_of(0, length)
    check_mean(np.dtype(dtype))

    def ranks(n: int) -> Integers:
        return np.unique([(n - 1) // 2, n // 2]) if n and (nan or n == length) else NOTHING

    def answer(n: int, keys: Keys) -> Any:
        with np.errstate(all="ignore"):  # the mean of −inf and inf is NaN
            return np.mean(keys) if keys.size else None

    return Wanted(ranks, answer)


def of_shares(q: Any, length: int, method: str, *, nan: bool) -> Wanted:
    """Return what `quantile` wants of rows of a length; with `nan`, NaNs are left out."""
    plans = {length: plan(length, q, method, nan=False)}

    def planned(n: int) -> Any:
        if n not in plans:
            plans[n] = plan(n, q, method, nan=False)
        return plans[n]

    def is_wanted(n: int) -> bool:
        return bool(n) and (nan or n == length)

    return Wanted(
        lambda n: planned(n).ranks if is_wanted(n) else NOTHING,
        lambda n, keys: planned(n).combine(keys) if is_wanted(n) else None,
    )


def answers_of_rows(
    x: Any, along: tuple[int, ...], name: str, wanted: Wanted, front: tuple[int, ...], dtype: Any
) -> Keys:
    """Return the answers of all rows: of a shape in front, and then the axes that are left."""
    counts, keys = keys_of_rows(x, along, name, wanted.ranks)
    left = [length for axis, length in enumerate(x.shape) if axis not in along]
    found = np.empty((prod(left), *front), dtype)
    for i, (count, some) in enumerate(zip(counts.tolist(), keys, strict=True)):
        answer = wanted.answer(count, some)
        found[i] = missing_of(np.dtype(dtype)) if answer is None else answer
    if name.startswith("nan") and not counts.all():
        warnings.warn("all keys of a row are NaN, and so is its result", RuntimeWarning, 2)
    return np.moveaxis(found, 0, -1).reshape(*front, *left)
