"""Where results go: into an array that the caller gives, or as they are."""

from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from modern.arrays import as_cupy, is_on_gpu
from shadersort.errors import BadOption

V = TypeVar("V")
P = TypeVar("P")


def delivered(found: Any, out: Any, x: Any) -> Any:
    """Return what was found in an array x, or write it into `out` and return that.

    Examples
    --------
    >>> out = np.empty(2, np.int64)
    >>> delivered(np.array([3, 4]), out, np.array([3, 4])) is out
    True
    """
    if out is None:
        return found[()] if isinstance(found, np.ndarray) else found
    fitting(x, out, found.shape, found.dtype)[...] = found
    return out


def fitting(x: Any, out: Any, shape: tuple[int, ...], dtype: Any) -> Any:
    """Return `out` as an array of NumPy or CuPy; raise BadOption if a result does not fit.

    Examples
    --------
    >>> fitting(np.zeros(3), np.zeros(2), (3,), np.dtype(float))
    Traceback (most recent call last):
    ...
    shadersort.errors.BadOption: the result has the shape (3,) and the type float64, ...
    """
    on_gpu = is_on_gpu(out)
    if not on_gpu and not isinstance(out, np.ndarray):
        raise BadOption(f"out is an array, not {type(out).__name__}")
    if on_gpu != is_on_gpu(x):
        raise BadOption("the keys are in the memory of a GPU or of the host, and `out` is not")
    result = as_cupy(out) if on_gpu else out
    if result.shape != shape or result.dtype != dtype:
        raise BadOption(
            f"the result has the shape {shape} and the type {dtype}, out has {result.shape} and "
            f"{result.dtype}"
        )
    if on_gpu and result.device != as_cupy(x).device:
        raise BadOption(f"the keys are on {as_cupy(x).device}, out on {result.device}")
    if not on_gpu and not result.flags.writeable:
        raise BadOption("out is read-only")
    return result


class TopK(NamedTuple, Generic[V, P]):
    """The keys at the top in order, and the place of each in the input."""

    values: V
    indices: P
