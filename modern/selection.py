"""Selecting from arrays, by name of method."""

from typing import Any, Literal, overload

import numpy.typing as npt

from shadersort import selection
from shadersort.primitives import Key, NumPyPrimitives
from shadersort.selection import Trace

__all__ = ["METHODS", "median", "select"]

METHODS: tuple[str, ...] = tuple(selection.METHODS)
"""Every method's name."""


@overload
def select(
    x: npt.ArrayLike,
    k: int,
    *,
    method: str = ...,
    return_trace: Literal[False] = ...,
    **options: Any,
) -> Key: ...


@overload
def select(
    x: npt.ArrayLike, k: int, *, method: str = ..., return_trace: Literal[True], **options: Any
) -> tuple[Key, Trace]: ...


def select(
    x: npt.ArrayLike, k: int, *, method: str = "auto", return_trace: bool = False, **options: Any
) -> Key | tuple[Key, Trace]:
    """Return the k-th smallest key, `np.partition(x, k)[k]`: k from zero, NaNs last.

    The answer is exact: counts have proved it, whatever the method.

    Parameters
    ----------
    x
        One-dimensional; floats of at most 64 bits, or integers. It is not changed.
    k
        The rank; negative ones count from the end.
    method
        One of `METHODS`.
    return_trace
        Return the pair (key, `shadersort.selection.Trace`): what the method did, step by step.
    **options
        What the method can be told, as its docstring in `shadersort.selection` says.

    Raises
    ------
    UnsupportedKeys, KeysNotFlat, EmptyInput
        There is nothing that can be selected from.
    RankOutOfRange, BadRank, UnknownMethod, BadOption
        Something was asked for that there is not.
    DidNotConverge
        The method gave up; the error has its trace.

    Examples
    --------
    >>> import numpy as np
    >>> select(np.float32([3, 1, np.nan, 2]), 1, method="bisection")
    np.float32(2.0)
    """
    keys = NumPyPrimitives(x)
    return selection.select(keys, k, method=method, return_trace=return_trace, **options)


def median(x: npt.ArrayLike, *, method: str = "auto", **options: Any) -> Key:
    """Return the median as `np.median` does: the mean of the two middle keys, NaN if any is NaN.

    Parameters are those of `select`.

    Examples
    --------
    >>> median([4, 1, 2, 3], method="cutting-plane")
    np.float64(2.5)
    """
    return selection.median(NumPyPrimitives(x), method=method, **options)
