"""Weights as a caller gives them: of which shape, of which type, and not below zero."""

from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple

from modern.arrays import as_cupy, is_on_gpu
from modern.rows.weighted import METHODS
from shadersort.errors import BadWeights, WeightsNeedAxis
from shadersort.selection.rows.axes import Axis


def check_method(method: str) -> None:
    """Raise BadWeights if a method of quantiles takes no weights.

    Examples
    --------
    >>> check_method("linear")
    Traceback (most recent call last):
    ...
    shadersort.errors.BadWeights: Only method 'inverted_cdf' supports weights, and ...
    """
    if method not in METHODS:
        raise BadWeights(
            "Only method 'inverted_cdf' supports weights, and 'averaged_inverted_cdf', which takes "
            f"the mean where a sum of weights is exactly the share q. Got: {method}."
        )


def weights_of(weights: Any, x: Any, axis: Axis) -> Any:
    """Return weights as an array where x is: of its shape, or flat, with one for each key of a row.

    Raises BadWeights or WeightsNeedAxis, with NumPy's words where NumPy has such an error.

    Examples
    --------
    >>> weights_of([[1, 2, 3]], np.zeros((2, 3)), 1)
    Traceback (most recent call last):
    ...
    shadersort.errors.BadWeights: Shape of weights must be consistent with shape of a along ...
    >>> weights_of([1, 2, 3], np.zeros((2, 3)), 1)
    array([1, 2, 3])
    """
    given = _array(weights, x)
    if given.shape != x.shape:
        given = _along(given, x.shape, axis)
    if given.dtype.kind != "u" and (given < 0).any():
        raise BadWeights("Weights must be non-negative. A weight of zero leaves a key out")
    return given


def _array(weights: Any, x: Any) -> Any:
    """Return weights as an array in the memory of x; booleans as integers."""
    if isinstance(weights, np.ma.MaskedArray):
        raise BadWeights("weights are masked: give masked keys the weight 0")
    if is_on_gpu(weights) and not is_on_gpu(x):
        raise BadWeights("the weights are in the memory of a GPU, and the keys are not")
    try:
        given = as_cupy(weights) if is_on_gpu(weights) else np.asarray(weights)
    except ValueError as error:
        raise BadWeights(f"weights are no array of numbers: {error}") from error
    if given.dtype.kind not in "biuf":
        raise BadWeights(f"weights are integers or floats, not {given.dtype}")
    if is_on_gpu(x) and not is_on_gpu(given):
        import cupy

        given = cupy.asarray(given)
    return given.astype(np.int8) if given.dtype.kind == "b" else given


def _along(weights: Any, shape: tuple[int, ...], axis: Axis) -> Any:
    """Return weights for the places of a row, flat: the axes of a row are joined in their order."""
    if axis is None:
        raise WeightsNeedAxis(
            "Axis must be specified when shapes of a and weights differ. They are "
            f"{shape} and {weights.shape}"
        )
    named: Any = axis  # names of axes have become numbers by now
    axes = normalize_axis_tuple(named, len(shape))
    if weights.shape != tuple(shape[each] for each in axes):
        raise BadWeights(
            "Shape of weights must be consistent with shape of a along specified axis. They are "
            f"{weights.shape} and {shape}"
        )
    order = sorted(range(len(axes)), key=axes.__getitem__)
    return weights.transpose(order).reshape(-1)
