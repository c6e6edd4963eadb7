"""Weights as a caller gives them: integers, one for each value."""

from typing import Any

import numpy as np

from shadersort.errors import BadWeights, TooManyKeys, UnsupportedKeys
from shadersort.keys.types import Integers, Keys
from shadersort.streams.quantiles.sorted_batch import SortedBatch
from shadersort.streams.summary import LONGEST


def weighted_batch(values: Keys, weights: Any) -> tuple[SortedBatch, int]:
    """Return values with weights in order, without NaNs, and the weight of the NaNs.

    Raises BadWeights for what is no integer of at least 0 for each value, and TooManyKeys.

    Examples
    --------
    >>> batch, nans = weighted_batch(np.array([2.0, np.nan, 1.0]), [3, 4, 0])
    >>> batch.values(), nans
    (array([2., 2., 2.]), 4)
    """
    checked = checked_weights(weights, len(values))
    nan = np.isnan(values)
    kept = ~nan & (checked > 0)
    return SortedBatch.weighted(values[kept], checked[kept]), int(checked[nan].sum())


def checked_weights(weights: Any, count: int) -> Integers:
    """Return weights as an array of 64-bit integers.

    Raises BadWeights, UnsupportedKeys for a masked array, and TooManyKeys.

    Examples
    --------
    >>> checked_weights([1, 2.5], 2)
    Traceback (most recent call last):
    ...
    shadersort.errors.BadWeights: weights are integers, how often each value counts, not float64
    """
    if isinstance(weights, np.ma.MaskedArray):
        raise UnsupportedKeys(
            "masked arrays are no weights: pass weights.filled(0), which leaves out their values"
        )
    array = np.atleast_1d(np.asarray(weights.get() if hasattr(weights, "get") else weights))
    if array.shape != (count,):
        raise BadWeights(
            f"there are {count} values and weights of shape {array.shape}: give one "
            "weight for each value of a flat array"
        )
    if array.dtype.kind not in "iu" and array.size:
        raise BadWeights(f"weights are integers, how often each value counts, not {array.dtype}")
    if array.size and int(array.min()) < 0:
        raise BadWeights(f"weights are at least 0, not {array.min()}")
    if float(array.sum(dtype=np.float64)) >= LONGEST:
        raise TooManyKeys(f"a summary counts fewer than {LONGEST:,} values")
    return array.astype(np.int64)
