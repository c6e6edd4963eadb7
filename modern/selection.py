"""Selecting from arrays, by name of method.

The memory that a method needs beside n keys on a GPU, in keys. By its name it takes them from
CuPy's pool; "auto" takes them from the caller's library. All methods also need some megabytes for
counters, once for each stream:

| method | at most | with evenly spread keys |
|---|---|---|
| `radix-inplace`, and `cutting-plane` with `finish="iterate"` | 0 | 0 |
| `cutting-plane`, `bitwise`, and those that search a bracket | n / 16, or 2²² | n / 16 |
| `radix` | n / 3 | n / 500 |
| `bucket` | n | n / 2,000 |
| `one-read` | n / 64, or 2²⁰ | n / 64 of room, if n > 2²² |
| `randomized` | n | n / 16 of room |
| `quickselect` | n | n / 2 |
| `sort-choose` | 2 n | 2 n |
| `one-read` for r ranks | n / 6, or 2²⁰ | r n / 8,192 + n / 32, or 2²⁰, of room |
| `bucket` for r ranks | 3 n | 3 r n / 8,192; / 32,768 beyond 256 ranks |

Keys on several GPUs need the same on the first one, which keeps it for later calls; 128 ranks are
found at a time there, and up to 1,024 on one GPU. Where a block has less than 160 KiB of shared
memory, the r n / 8,192 of `one-read` are r n / 4,096, and at most n / 3. `bucket` for r ranks needs
as much as `one-read` for keys of 8 and 16 bits.

As printed, `radix` and `radix-inplace` need n for a private copy where they overwrite it; `bucket`
needs n integers of 32 bits for the assignments, beside 2 n at most for one rank, and 3 n for many.

If this memory is not free, the call raises `OutOfDeviceMemory`, and gives back what it took.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from modern.opening import open_rows
from modern.tensors import as_numpy
from shadersort import selection
from shadersort.errors import BadOption, MethodUnavailable
from shadersort.names import SelectionMethod
from shadersort.selection.driver import distinct_ranks, rank_of, ranks_of
from shadersort.selection.rows.axes import Axis
from shadersort.selection.rows.protocol import Rows, Ties, check_ties

METHODS: tuple[SelectionMethod, ...] = tuple(selection.METHODS)
"""Every method's name."""


def select(
    x: Any,
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
        changed, nor moved from a GPU, and the answer is of its library: NumPy, CuPy, PyTorch or
        Dask. On a GPU, "auto" without a trace waits for nothing, and a CUDA graph can capture the
        call; it copies only rows whose keys lie apart, and long columns part by part. A method by
        its name copies bfloat16 as float32. Also `Parts`, `FileKeys`, or the path of a file with
        the options of `FileKeys`. If all keys of a path are one row, they are read in rounds within
        a budget; rows along axes are those of the mapped file. An `np.memmap` is an array as any
        other, unless such an option is given.
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
        "sort-choose", "radix", "radix-inplace", "bucket", "randomized" and "cutting-plane". The
        searches that Beliakov 2011 compares, "bisection", "golden", "brent-root", "brent-min" and
        "quasi-newton", are then the textbook's: one reduction an iteration, until the paper's
        tolerance ends them, without a copy or the end of another method. These five and
        "cutting-plane" take `transform="log"`: they search among the logarithms of section V-D,
        which huge outliers cannot spoil.
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
    rows = open_rows("select", x, axis, keepdims=keepdims, out=out, options=options)
    if method != "auto" or as_printed or return_trace or options:
        how = {"method": method, "as_printed": as_printed, "return_trace": return_trace}
        return search(rows, selection.select, k, **how, **options)
    return rows.result(rows.rank(rank_of(k, rows.length)))


def multiselect(
    x: Any,
    ks: npt.ArrayLike,
    *,
    axis: Axis = -1,
    keepdims: bool = False,
    out: Any = None,
    method: SelectionMethod = "auto",
    as_printed: bool = False,
    return_trace: bool = False,
    **options: Any,
) -> Any:
    """Return the keys of many ranks, `np.sort(x)[ks]`: an array of the shape of `ks`.

    Ranks may come in any order and more than once. "sort-choose", "quickselect", "radix",
    "radix-inplace", "bucket" (bucketMultiSelect), "randomized" and, on a GPU, "one-read" find all
    ranks together; other methods find one after the other. Every answer is exact. The other
    parameters are those of `select`. Of rows, the result has the shape of `ks` in front of the axes
    that are left, as quantiles have.

    On a GPU nothing waits for the answer by "auto". Only ranks that do not ascend, whose answers
    are put into their order at the end, cannot be captured in a CUDA graph.

    Examples
    --------
    >>> multiselect([30, 10, 20, 10], [[0, 1], [-1, -2]], method="bucket")
    array([[10, 10],
           [30, 20]])
    >>> multiselect([[30, 10, 20], [1, 3, 2]], [0, 2], axis=1)
    array([[10,  1],
           [30,  3]])
    """
    rows = open_rows("multiselect", x, axis, keepdims=keepdims, out=out, options=options)
    ks = as_numpy(ks)
    if method != "auto" or as_printed or return_trace or options:
        how = {"method": method, "as_printed": as_printed, "return_trace": return_trace}
        return search(rows, selection.select_many, ks, **how, **options)
    distinct, places = distinct_ranks(ranks_of(ks, rows.length))
    found = rows.ranks(distinct)
    if not isinstance(places, slice):
        found = rows.take(found, places)
    return rows.result(found, np.shape(ks))


def argselect(
    x: Any,
    k: int,
    *,
    axis: Axis = -1,
    keepdims: bool = False,
    out: Any = None,
    ties: Ties = "lowest",
) -> Any:
    """Return the place of the key that `select` finds: x[argselect(x, k)] equals select(x, k).

    The parameters and errors are those of `select`. Of equal keys (−0.0 and 0.0, and all NaNs, are
    equal) the place is the "lowest", the "highest", or "any", as `ties` says. Along several axes, a
    place is that in the flat array of these axes.

    Examples
    --------
    >>> argselect([30, 10, 20, 10], 0), argselect([30, 10, 20, 10], 0, ties="highest")
    (np.int64(1), np.int64(3))
    >>> argselect([[30, 10, 20], [1, 3, 2]], 1, axis=1)
    array([2, 2])
    """
    rule = check_ties(ties)
    rows = open_rows("argselect", x, axis, keepdims=keepdims, out=out)
    key = rows.rank(rank_of(k, rows.length))
    return rows.result(rows.places(key, rule))


def search(rows: Rows, ask: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """Answer by a method's search over the primitives of the only row.

    A trace beside the answer stays as it is. Raises MethodUnavailable for several rows, BadOption
    for the trace of a median or a quantile.
    """
    if rows.count != 1:
        raise MethodUnavailable(
            "rows are selected from by a method of their own, without "
            f"{named_options(options)}: leave out what is not for rows, or pass one row, not "
            f"{rows.count}"
        )
    if options.get("return_trace") and ask not in (selection.select, selection.select_many):
        raise BadOption("medians and quantiles return no trace: select and multiselect do")
    found = ask(rows.primitives(), *args, **options)
    answer, *more = found if isinstance(found, tuple) else (found,)
    result = rows.result(answer, np.shape(answer))
    return (result, *more) if more else result


def named_options(options: dict[str, Any]) -> str:
    """Return the options of selection that are set, as messages name them.

    Examples
    --------
    >>> named_options({"method": "radix", "return_trace": False, "finish": "sort"})
    "method='radix', finish"
    """
    common = ("method", "selector", "as_printed", "return_trace")
    named = [f"{name}={options[name]!r}" for name in common if options.get(name, "auto") != "auto"]
    return ", ".join(
        (*(each for each in named if not each.endswith("=False")), *(options.keys() - set(common)))
    )
