"""Selecting from arrays, by name of method.

What a method needs beside n keys on a GPU, in keys, from CuPy's pool; all need some megabytes for
counters besides, once for each stream:

| method | at most | with evenly spread keys |
|---|---|---|
| `radix-inplace`, and `cutting-plane` with `finish="iterate"` | 0 | 0 |
| `cutting-plane`, `bitwise`, and those that search a bracket | n / 16, or 2²² | n / 16 |
| `radix`, `bucket` | n / 16, or 2²² | n / 16 of room |
| `randomized` | n | n / 16 of room |
| `quickselect` | n | n / 2 |
| `sort-choose` | 2 n | 2 n |
| `bucket` for r ranks | n | n / 16, or 4 r n / 8,192; / 32,768 beyond 256 ranks |

If there is no such memory, `OutOfDeviceMemory` says so, and all that was taken is given back.
"""

from typing import Any, Literal, overload

import numpy.typing as npt

from modern.arrays import answered
from shadersort import selection
from shadersort.keys.types import Key, Keys
from shadersort.selection import SelectionTrace

__all__ = [
    "METHODS",
    "median",
    "multiselect",
    "nanmedian",
    "nanquantile",
    "quantile",
    "select",
]

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
) -> tuple[Key, SelectionTrace]: ...


def select(
    x: npt.ArrayLike, k: int, *, method: str = "auto", return_trace: bool = False, **options: Any
) -> Key | tuple[Key, SelectionTrace]:
    """Return the k-th smallest key, `np.partition(x, k)[k]`: k from zero, NaNs last.

    The answer is exact: counts have proved it, whatever the method.

    Parameters
    ----------
    x
        One-dimensional; floats of at most 64 bits, or integers. It is not changed. An array on a
        GPU (of CuPy, PyTorch, or whatever knows DLPack) is neither copied nor moved, and the answer
        is a CuPy array without dimensions.
    k
        The rank; negative ones count from the end.
    method
        One of `METHODS`.
    return_trace
        Return the pair (key, `SelectionTrace`): what the method did, step by step.
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
    options |= {"method": method, "return_trace": return_trace}
    return answered(x, lambda keys: selection.select(keys, k, **options))


@overload
def multiselect(
    x: npt.ArrayLike,
    ks: npt.ArrayLike,
    *,
    method: str = ...,
    return_trace: Literal[False] = ...,
    **options: Any,
) -> Keys: ...


@overload
def multiselect(
    x: npt.ArrayLike,
    ks: npt.ArrayLike,
    *,
    method: str = ...,
    return_trace: Literal[True],
    **options: Any,
) -> tuple[Keys, SelectionTrace]: ...


def multiselect(
    x: npt.ArrayLike,
    ks: npt.ArrayLike,
    *,
    method: str = "auto",
    return_trace: bool = False,
    **options: Any,
) -> Keys | tuple[Keys, SelectionTrace]:
    """Return the keys of many ranks, `np.sort(x)[ks]`: an array of the shape of `ks`.

    Integers may come in any order and more than once. "sort-choose", "quickselect", "radix",
    "radix-inplace" and "bucket" (bucketMultiSelect) find all ranks together; others find one after
    the other. Every answer is exact.

    Parameters are those of `select`, but for the ranks.

    Examples
    --------
    >>> multiselect([30, 10, 20, 10], [[0, 1], [-1, -2]], method="bucket")
    array([[10, 10],
           [30, 20]])
    """
    options |= {"method": method, "return_trace": return_trace}
    found: Keys = answered(x, lambda keys: selection.select_many(keys, ks, **options))
    return found


def median(x: npt.ArrayLike, *, method: str = "auto", **options: Any) -> Key:
    """Return the median as `np.median` does: the mean of the two middle keys, NaN if any is NaN.

    Parameters are those of `select`.

    Examples
    --------
    >>> median([4, 1, 2, 3], method="cutting-plane")
    np.float64(2.5)
    """
    return answered(x, lambda keys: selection.median(keys, method=method, **options))


def nanmedian(x: npt.ArrayLike, *, method: str = "auto", **options: Any) -> Key:
    """Return the median of the keys that are no NaN, as `np.nanmedian` does.

    Parameters are those of `select`. If all keys are NaN the result is, with a `RuntimeWarning`.

    Examples
    --------
    >>> nanmedian([4, 1, float("nan"), 2])
    np.float64(2.0)
    """
    return answered(x, lambda keys: selection.nanmedian(keys, method=method, **options))


def quantile(
    x: npt.ArrayLike,
    q: npt.ArrayLike,
    *,
    method: str = "linear",
    selector: str = "auto",
    **options: Any,
) -> Any:
    """Return the quantiles q as `np.quantile` does: of the shape of q, all NaN if any key is.

    Parameters
    ----------
    x
        One-dimensional; floats of at most 64 bits, or integers. It is not changed.
    q
        A number from 0 to 1, or an array of them.
    method
        How to mix neighbours: one of NumPy's 13 names.
    selector
        How to find them: one of `METHODS`.
    **options
        What that method can be told.

    Raises
    ------
    QuantileOutOfRange, QuantileIsNaN, QuantileNotNumber, UnknownQuantileMethod
        Something was asked for that there is not.
    UnsupportedKeys, KeysNotFlat, EmptyInput, UnknownMethod, BadOption, DidNotConverge
        As `select` does.

    Examples
    --------
    >>> quantile([1, 2, 4, 8], [0, 0.5, 0.9])
    array([1. , 3. , 6.8])
    """
    options |= {"method": method, "selector": selector}
    return answered(x, lambda keys: selection.quantile(keys, q, **options))


def nanquantile(
    x: npt.ArrayLike,
    q: npt.ArrayLike,
    *,
    method: str = "linear",
    selector: str = "auto",
    **options: Any,
) -> Any:
    """Return the quantiles of the keys that are no NaN, as `np.nanquantile` does.

    Parameters are those of `quantile`. If all keys are NaN the result is, with a `RuntimeWarning`.

    Examples
    --------
    >>> nanquantile([1, float("nan"), 2], 0.5, method="lower")
    np.float64(1.0)
    """
    options |= {"method": method, "selector": selector}
    return answered(x, lambda keys: selection.nanquantile(keys, q, **options))
