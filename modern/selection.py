"""Selecting from arrays, by name of method.

The memory that a method needs beside n keys on a GPU, in keys, from CuPy's pool. All methods also
need some megabytes for counters, once for each stream:

| method | at most | with evenly spread keys |
|---|---|---|
| `radix-inplace`, and `cutting-plane` with `finish="iterate"` | 0 | 0 |
| `cutting-plane`, `bitwise`, and those that search a bracket | n / 16, or 2²² | n / 16 |
| `radix` | n / 3 | n / 500 |
| `bucket` | n | n / 1,000 |
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
from modern.arrays import Elsewhere, Tensor, answered, is_on_gpu
from modern.homes import answers_at_home
from modern.rows.asked import asked, by_name, is_flat, shaped
from shadersort import selection
from shadersort.keys.types import Keys, Number
from shadersort.names import SelectionMethod
from shadersort.selection.driver import rank_of
from shadersort.selection.rows.axes import Axis
from shadersort.selection.selection_trace import SelectionTrace

METHODS: tuple[SelectionMethod, ...] = tuple(selection.METHODS)
"""Every method's name."""


@overload
def select(x: Tensor, k: int, *, return_trace: Literal[False] = ..., **options: Any) -> Tensor: ...


@overload
def select(
    x: Tensor, k: int, *, return_trace: Literal[True], **options: Any
) -> tuple[Tensor, SelectionTrace]: ...


@overload
def select(
    x: npt.ArrayLike,
    k: int,
    *,
    axis: None = ...,
    keepdims: Literal[False] = ...,
    out: None = ...,
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
    axis: Axis = ...,
    keepdims: bool = ...,
    out: Keys | None = ...,
    method: SelectionMethod = ...,
    as_printed: bool = ...,
    return_trace: Literal[False] = ...,
    **options: Any,
) -> Keys: ...


@overload
def select(
    x: npt.ArrayLike,
    k: int,
    *,
    axis: None = ...,
    keepdims: Literal[False] = ...,
    out: None = ...,
    method: SelectionMethod = ...,
    as_printed: bool = ...,
    return_trace: Literal[True],
    **options: Any,
) -> tuple[Number, SelectionTrace]: ...


@overload
def select(
    x: npt.ArrayLike,
    k: int,
    *,
    axis: Axis = ...,
    keepdims: bool = ...,
    out: Keys | None = ...,
    method: SelectionMethod = ...,
    as_printed: bool = ...,
    return_trace: Literal[True],
    **options: Any,
) -> tuple[Keys, SelectionTrace]: ...


@overload
def select(x: Elsewhere, k: int, **options: Any) -> Any: ...


@answers_at_home()
def select(
    x: npt.ArrayLike | Elsewhere,
    k: int,
    *,
    axis: Axis = -1,
    keepdims: bool = False,
    out: Any = None,
    method: SelectionMethod = "auto",
    as_printed: bool = False,
    return_trace: bool = False,
    **options: Any,
) -> Any:
    """Return the k-th smallest key, `np.partition(x, k)[k]`: k from zero, NaNs last.

    The answer is exact: counts prove it for every method. NumPy's partition, which "auto" takes for
    arrays in the host's memory if nobody wants a trace, is trusted.

    Parameters
    ----------
    x
        An array of any number of dimensions: floats of at most 64 bits, integers, booleans, or
        `ml_dtypes.bfloat16`; on the host also datetime64 and timedelta64, NaT last. It is not
        changed, nor moved from a GPU. The answer is a tensor of PyTorch or an array of Dask if `x`
        is one, of CuPy if `x` is on a GPU, and otherwise of NumPy. On a GPU, with "auto" and
        "one-read" and without a trace, one dimension is one launch, which nothing waits for; three
        with "auto" for very many keys of 8 bits. Nothing on a GPU is copied, except strided arrays,
        long columns part by part, and bfloat16 as float32: by other methods and for a trace.
        Also `Parts`, `FileKeys`, or the path of a file; the options of `FileKeys`, such as `column`
        and `memory`, may then follow. If all keys of a path or of a large `np.memmap` are one row,
        as with axis=None, they are read in rounds within a budget; rows along axes are read as
        those of an array in memory.
    k
        The rank; a negative rank counts from the end.
    axis
        Along which axis the rows lie: each row of an array of more dimensions gets an answer of its
        own. Several axes are joined to one. None joins all: then there is one answer. With ()
        each key is a row.
    keepdims
        Whether the axes of the rows stay, with the length 1.
    out
        Where the result goes: an array of its shape and type.
    method
        One of `METHODS`. A method by its name, and everything below, selects from one row only.
    as_printed
        Do exactly what the method's paper prints, with its faults (`docs/errata.md`). Papers print
        "sort-choose", "radix", "radix-inplace", "bucket", "randomized" and "cutting-plane".
    return_trace
        Return the pair (key, `SelectionTrace`): what the method did, step by step. "auto" then
        chooses among `METHODS`.
    **options
        Options of the method; the docstring of its function in `shadersort.selection` says.

    Raises
    ------
    UnsupportedKeys, KeysNotFlat, EmptyInput
        These keys cannot be selected from.
    RankOutOfRange, BadRank, UnknownName, BadOption
        There is no such rank, method or option, or `out` does not fit.
    np.exceptions.AxisError, BadAxis
        The array has no such axis.
    MethodUnavailable
        The method cannot select from several rows, or not from these keys.
    DidNotConverge
        The method gave up; the error carries its trace.
    AnswerRefuted
        Counts disproved the answer of a method as printed; the error carries its trace.

    Examples
    --------
    >>> select(np.float32([3, 1, np.nan, 2]), 1, method="bisection")
    np.float32(2.0)
    >>> select([[30, 10, 20], [1, 3, 2]], 1, axis=1)
    array([20,  2])
    """
    named = by_name(options, method=method, as_printed=as_printed, return_trace=return_trace)
    given: Any = shaped(x)
    if is_flat(given, axis, keepdims, out):
        on_gpu = is_on_gpu(given)
        if on_gpu and method in unwaited.METHODS and not (as_printed or return_trace or options):
            return unwaited.select(given, k, method)
        if on_gpu or named:
            options |= {"method": method, "as_printed": as_printed, "return_trace": return_trace}
            return answered(given, lambda keys: selection.select(keys, k, **options))
    options |= {"method": method, "as_printed": as_printed, "return_trace": return_trace}
    with asked(given, axis, keepdims, out) as call:
        found = call.by_one_row(lambda row: select(row, k, **options), named)
        if found is not None:
            return found
        rows = call.rows
        return rows.result(rows.ranks([rank_of(k, rows.length)])[0])
