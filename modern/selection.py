"""Selecting from arrays, by name of method.

The memory that a method needs beside n keys on a GPU, in keys, from CuPy's pool. All methods also
need some megabytes for counters, once for each stream:

| method | at most | with evenly spread keys |
|---|---|---|
| `radix-inplace`, and `cutting-plane` with `finish="iterate"` | 0 | 0 |
| `cutting-plane`, `bitwise`, and those that search a bracket | n / 16, or 2²² | n / 16 |
| `radix` | n / 3 | n / 500 |
| `bucket` | n | n / 1,000 |
| `fused-radix` | n / 16 | n / 16 of room, if n > 2²² |
| `one-read` | n / 64, or 2²⁰ | n / 64 of room, if n > 2²² |
| `randomized` | n | n / 16 of room |
| `quickselect` | n | n / 2 |
| `sort-choose` | 2 n | 2 n |
| `one-read` for r ranks | n / 2, or 2²¹ | 8 r n / 16,384, or / 32,768 beyond 256 ranks; or 2²¹ |
| `bucket` for r ranks | n | n / 16, or 4 r n / 8,192; / 32,768 beyond 256 ranks |
| the same, for keys of at most 16 bits | 128 KiB for each multiprocessor | the same |
| `auto` for one rank of integers of at most 16 bits | the same | the same |

As printed, `radix` and `radix-inplace` need n for a private copy where they overwrite it; `bucket`
needs n integers of 32 bits for the assignments, beside 2 n at most for one rank, and 3 n for many.

If this memory is not free, the call raises `OutOfDeviceMemory`, and gives back what it took.
"""

from typing import Any, Literal, overload

import numpy.typing as npt

from modern import unwaited
from modern.arrays import OnDevice, answered, is_on_gpu
from shadersort import selection
from shadersort.keys.types import Keys, Number
from shadersort.names import SelectionMethod
from shadersort.selection.selection_trace import SelectionTrace

METHODS: tuple[SelectionMethod, ...] = tuple(selection.METHODS)
"""Every method's name."""


@overload
def select(
    x: npt.ArrayLike,
    k: int,
    *,
    method: SelectionMethod = ...,
    as_printed: bool = ...,
    return_trace: Literal[False] = ...,
    **options: Any,
) -> Number: ...


@overload
def select(
    x: npt.ArrayLike,
    k: int,
    *,
    method: SelectionMethod = ...,
    as_printed: bool = ...,
    return_trace: Literal[True],
    **options: Any,
) -> tuple[Number, SelectionTrace]: ...


@overload
def select(x: OnDevice, k: int, **options: Any) -> Any: ...


def select(
    x: npt.ArrayLike | OnDevice,
    k: int,
    *,
    method: SelectionMethod = "auto",
    as_printed: bool = False,
    return_trace: bool = False,
    **options: Any,
) -> Any:
    """Return the k-th smallest key, `np.partition(x, k)[k]`: k from zero, NaNs last.

    The answer is exact: counts prove it for every method.

    Parameters
    ----------
    x
        One-dimensional; floats of at most 64 bits, integers, booleans, or `ml_dtypes.bfloat16`;
        on the host also datetime64 and timedelta64, NaT last. It is not changed. An array on a
        GPU (of CuPy, PyTorch, or any library with DLPack) is not moved, and the answer is a CuPy
        array without dimensions. With "auto" and "one-read", and without a trace, that is one
        launch which nothing waits for; with "auto" three for very many keys of 8 bits, which have
        a counter for every value. No array on a GPU is copied, except bfloat16 as float32 by other
        methods and for a trace.
    k
        The rank; a negative rank counts from the end.
    method
        One of `METHODS`.
    as_printed
        Do exactly what the method's paper prints, with its faults (`docs/errata.md`). Papers print
        "sort-choose", "radix", "radix-inplace", "bucket", "randomized" and "cutting-plane".
    return_trace
        Return the pair (key, `SelectionTrace`): what the method did, step by step.
    **options
        Options of the method; the docstring of its function in `shadersort.selection` says.

    Raises
    ------
    UnsupportedKeys, KeysNotFlat, EmptyInput
        These keys cannot be selected from.
    RankOutOfRange, BadRank, UnknownMethod, BadOption
        There is no such rank, method or option.
    DidNotConverge
        The method gave up; the error carries its trace.
    AnswerRefuted
        Counts disproved the answer of a method as printed; the error carries its trace.

    Examples
    --------
    >>> import numpy as np
    >>> select(np.float32([3, 1, np.nan, 2]), 1, method="bisection")
    np.float32(2.0)
    """
    if method in unwaited.METHODS and is_on_gpu(x) and not (as_printed or return_trace or options):
        return unwaited.select(x, k, method)
    options |= {"method": method, "as_printed": as_printed, "return_trace": return_trace}
    return answered(x, lambda keys: selection.select(keys, k, **options))


@overload
def multiselect(
    x: npt.ArrayLike,
    ks: npt.ArrayLike,
    *,
    method: SelectionMethod = ...,
    as_printed: bool = ...,
    return_trace: Literal[False] = ...,
    **options: Any,
) -> Keys: ...


@overload
def multiselect(
    x: npt.ArrayLike,
    ks: npt.ArrayLike,
    *,
    method: SelectionMethod = ...,
    as_printed: bool = ...,
    return_trace: Literal[True],
    **options: Any,
) -> tuple[Keys, SelectionTrace]: ...


@overload
def multiselect(x: OnDevice, ks: npt.ArrayLike, **options: Any) -> Any: ...


def multiselect(
    x: npt.ArrayLike | OnDevice,
    ks: npt.ArrayLike,
    *,
    method: SelectionMethod = "auto",
    as_printed: bool = False,
    return_trace: bool = False,
    **options: Any,
) -> Any:
    """Return the keys of many ranks, `np.sort(x)[ks]`: an array of the shape of `ks`.

    Ranks may come in any order and more than once. "sort-choose", "quickselect", "radix",
    "radix-inplace", "bucket" (bucketMultiSelect) and, of many keys, "one-read" find all ranks
    together; other methods find one after the other. Every answer is exact. The other parameters
    are those of `select`.

    Keys of at most 16 bits have a counter for every value: one read finds any number of ranks. On a
    GPU that is three launches, which nothing waits for; for longer keys it is six.

    Examples
    --------
    >>> multiselect([30, 10, 20, 10], [[0, 1], [-1, -2]], method="bucket")
    array([[10, 10],
           [30, 20]])
    """
    if method == "auto" and is_on_gpu(x) and not (as_printed or return_trace or options):
        found = unwaited.multiselect(x, ks)
        if found is not None:
            return found
    options |= {"method": method, "as_printed": as_printed, "return_trace": return_trace}
    return answered(x, lambda keys: selection.select_many(keys, ks, **options))
