"""The fastest way to one row on the host: NumPy's partition, without anything around it.

NumPy's partition is introselect (Musser 1997), with AVX-512 or AVX2 on x86-64. Its answers are
trusted: no counts prove them. A trace, or a method by its name, needs a selection by the
primitives, whose answer is proved by counts.
"""

import warnings
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.keys.codes import nans
from shadersort.keys.types import Integers, Key, Keys
from shadersort.selection.driver import rank_of, ranks_of
from shadersort.selection.quantile_plan import ALL_NAN, plan
from shadersort.selection.rows.crowded import ranked_in_crowd
from shadersort.selection.rows.ordered import in_rows, ranked
from shadersort.selection.rows.ordered_already import WORTH, ordered_already
from shadersort.selection.rows.quantiles import plan_of
from shadersort.selection.rows.sixteen_bits import is_widened, narrowed, widened
from shadersort.selection.rows.sorted_parts import is_sorted_in_parts, ranked_in_parts
from shadersort.selection.rows.top import first_of_rows
from shadersort.selection.top_keys import LARGEST, SMALLEST


def select(keys: Keys, k: Any) -> Key:
    """Return the key of a rank.

    Examples
    --------
    >>> select(np.array([30, 10, 20]), -1)
    np.int64(30)
    """
    rank = rank_of(k, keys.size)
    if is_widened(keys):
        return found(keys, np.array([rank]))[0]
    ordered = ordered_already(keys[None])
    if ordered is not None:
        return ordered[0, rank]
    crowd = ranked_in_crowd(keys[None], [rank])
    return _parted(keys, rank)[rank] if crowd is None else crowd[0, 0]


def multiselect(keys: Keys, ks: npt.ArrayLike) -> Keys:
    """Return the keys of many ranks, of the shape of `ks`.

    Examples
    --------
    >>> multiselect(np.array([30, 10, 20]), [-1, 0])
    array([30, 10])
    """
    distinct, places = np.unique(ranks_of(ks, keys.size), return_inverse=True)
    answers: Keys = found(keys, distinct)[places].reshape(np.shape(ks))
    return answers


def found(keys: Keys, ks: Integers) -> Keys:
    """Return the keys of ascending distinct ranks; keys in order are only read."""
    if is_widened(keys):
        return narrowed(found(widened(keys), ks), keys.dtype)
    ordered = ordered_already(keys[None])
    if ordered is not None:
        return np.asarray(ordered[0, ks])
    if is_sorted_in_parts(keys, ks):
        return ranked_in_parts(keys, ks)
    return np.asarray(ranked(keys[None], ks, own=False)[0])


def median(keys: Keys, *, nan: bool) -> Key:
    """Return the mean of the two middle keys, of the numbers only if `nan`.

    Examples
    --------
    >>> median(np.array([4, 1, np.nan, 2]), nan=True)
    np.float64(2.0)
    """
    rank_of(0, keys.size)
    if keys.size < WORTH:
        return _median_of_few(keys, nan)
    count = _numbers(keys)
    if not nan and count < keys.size:
        return keys.dtype.type("nan")
    return _median_of_numbers(keys, count)


def _median_of_few(keys: Keys, nan: bool) -> Key:
    """Return the median by one partition, which takes no longer than a look at all keys."""
    half = keys.size // 2
    work = _parted(keys, half)
    if keys.dtype.kind == "f" and np.isnan(top := work[half:].max()):  # NaNs are the last keys
        return _median_of_numbers(work, _numbers(work)) if nan else top
    middle = work[half : half + 1]
    if keys.size % 2 == 0:
        middle = np.array([work[:half].max(), middle[0]])
    return _mean(middle)


def _median_of_numbers(keys: Keys, count: int) -> Key:
    """Return the median of the keys that are not NaN, of which there are so many."""
    if not count:
        return _none(keys.dtype.type("nan"))
    return _mean(found(keys, np.arange((count - 1) // 2, count // 2 + 1)))


def quantile(keys: Keys, q: npt.ArrayLike, method: str, *, nan: bool) -> Any:
    """Return the quantiles q, of the shape of q: of the numbers only if `nan`.

    Examples
    --------
    >>> quantile(np.array([1, 2, 4, 8]), [0, 0.5, 0.9], "linear", nan=False)
    array([1. , 3. , 6.8])
    """
    planned = plan_of(keys.size, q, method)  # raises errors before any key is read
    if (count := _numbers(keys)) < keys.size:
        if not nan:
            shown = plan(keys.size, q, method, nan=True)
            return shown.combine(np.full(shown.ranks.shape, np.nan, keys.dtype))
        if not count:
            return _none(np.full(np.shape(q), np.nan, keys.dtype)[()])
        planned = plan_of(count, q, method)
    return planned.combine(found(keys, planned.ranks))


def topk(keys: Keys, count: int, *, largest: bool, in_order: bool, ties: Any) -> Any:
    """Return the first keys from one end, and their places.

    Examples
    --------
    >>> topk(np.array([10, 30, 20]), 2, largest=True, in_order=True, ties="lowest")
    (array([30, 20]), array([1, 2]))
    """
    by = LARGEST if largest else SMALLEST
    if not count:
        return keys[:0].copy(), np.empty(0, np.int64)
    places = first_of_rows(keys[None], count, by == SMALLEST, in_order, ties)[0]
    return keys[places], places


def _parted(keys: Keys, rank: int) -> Keys:
    """Return the keys with that of a rank in its place, smaller ones before, larger ones behind."""
    return in_rows(keys[None].copy())[0] if keys.itemsize == 1 else np.partition(keys, rank)


def _numbers(keys: Keys) -> int:
    """Return how many keys are not NaN."""
    if keys.dtype.kind != "f":
        return keys.size
    return keys.size - int(np.count_nonzero(nans(keys)))


def _mean(middle: Keys) -> Key:
    with np.errstate(all="ignore"):  # the mean of −inf and inf is NaN, without a warning
        return np.mean(middle)


def _none(answer: Any) -> Any:
    warnings.warn(ALL_NAN, RuntimeWarning, stacklevel=4)
    return answer
