"""Means of two middle keys as NumPy's median has them, and the medians of the numbers of rows."""

from typing import Any

import numpy as np

from shadersort.keys.types import Integers, Keys, Mask
from shadersort.selection.rows.by_count import PlanByCount


def mean_of(middle: Keys) -> Keys:
    """Return the means along the first axis, which has one key or two: floats keep their type.

    Examples
    --------
    >>> mean_of(np.array([[1, 7], [4, 7]]))
    array([2.5, 7. ])
    """
    wide = middle.astype(sum_type(middle.dtype), copy=False)
    mean = wide[0]
    if len(wide) > 1:
        with np.errstate(all="ignore"):  # the mean of −inf and inf is NaN, without a warning
            mean = (wide[0] + wide[1]) / 2
    return np.asarray(mean, mean_type(middle.dtype))


def sum_type(dtype: np.dtype[Any]) -> Any:
    """Return the type in which NumPy's mean adds keys of a type."""
    return {"e": np.float32}.get(dtype.char, mean_type(dtype))


def mean_type(dtype: np.dtype[Any]) -> Any:
    """Return the type of a mean of keys of a type."""
    return dtype if dtype.kind == "f" else np.dtype(np.float64)


class MedianByCount(PlanByCount):
    """Plans the medians of the numbers of rows: floats of NumPy.

    Examples
    --------
    >>> MedianByCount(4, np.dtype(np.float32)).ranks
    array([1, 2])
    """

    answers = 1

    def __init__(self, length: int, dtype: np.dtype[Any]) -> None:
        self.length, self.dtype = length, dtype
        self.ranks = np.arange((length - 1) // 2, length // 2 + 1)

    def whole(self, found: Keys) -> Keys:
        """Return the medians of rows without NaN."""
        return mean_of(found)[None]

    def planned(self, counts: Integers) -> tuple[Integers, Mask]:
        """Return the two middle ranks of rows, and whether they are one."""
        return np.stack([(counts - 1) // 2, counts // 2]), counts % 2 == 1

    def mixed(self, found: Keys, weight: Mask) -> Keys:
        """Return the means of two middle keys, or the only one."""
        return np.where(weight, found[0], mean_of(found))[None]
