"""Top keys with their places, and thresholding, for which Alabi et al. 2012 need selection.

Iterative algorithms of compressed sensing threshold in every step (Blumensath and Davies 2010).
"""

import sys
from collections.abc import Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from modern.opening import open_rows
from modern.tensors import wants_gradient
from shadersort.errors import BadOption
from shadersort.selection.rows.axes import Axis
from shadersort.selection.rows.protocol import TIES, Ties, check_ties
from shadersort.selection.top_keys import (
    LARGEST,
    SMALLEST,
    Kind,
    check_kind,
    check_magnitudes,
    count_of,
)

V = TypeVar("V")
P = TypeVar("P")


class TopK(NamedTuple, Generic[V, P]):
    """The keys at the top in order, and the place of each in the input."""

    values: V
    indices: P


def topk(
    x: Any,
    k: int,
    *,
    axis: Axis = -1,
    largest: bool = True,
    sorted: bool = True,
    ties: Ties = "lowest",
    out: Any = None,
    **options: Any,
) -> TopK[Any, Any]:
    """Return the k largest keys in descending order, or the k smallest ascending, and their places.

    The order is that of `np.sort`: a NaN is larger than any number. Among equal keys (−0.0 and 0.0
    are equal, and so are all NaNs) those at the lowest places are taken, and come in the order of
    their places. So the result is always the same.

    On a GPU, a sample gives a bound, and one read stages the keys up to it with their places. They
    hold the result if they are enough, which their number proves; only they are sorted. The host
    waits for nothing, and a CUDA graph can capture the call. Beside input and result, this needs
    memory for the staged keys and their places: a few times that of the result, and some megabytes.
    Without a GPU, it needs a copy of the keys, a byte for each, and some numbers for each key that
    equals the last one of the result.

    Parameters
    ----------
    x
        As for `select`. In PyTorch, the values have gradients.
    k
        How many keys of each row, from 0 to all.
    axis
        Along which axis the rows lie, which has the length k in the results; None: all keys are one
        row.
    largest
        Whether to return the largest keys, or the smallest.
    sorted
        Whether the keys come in order. Otherwise they come in any, which may take less time.
    ties
        Which of equal keys are taken, and come first: those at the "lowest" places, at the
        "highest", or "any". In CUB's words, the first two are determinism and a tie break, and
        `sorted` is the output ordering.
    out
        A pair of arrays for (values, indices), of their shapes and types; indices are int64.
    **options
        How the keys of a file are read, as for `select`.

    Raises
    ------
    BadOption, BadRank
        A row has fewer than k keys, k is no integer, there is no such rule, `out` does not fit, or
        several axes are named. The other errors are those of `select`.

    Examples
    --------
    >>> topk([10, 30, 20, 30], 3)
    TopK(values=array([30, 30, 20]), indices=array([1, 3, 2]))
    >>> topk([10, 30, 20, 30], 2, largest=False).indices
    array([0, 2])
    >>> topk([[10, 30, 20], [3, 1, 2]], 1, axis=1).values
    array([[30],
           [ 3]])
    """
    rule, by = ties if ties in TIES else check_ties(ties), LARGEST if largest else SMALLEST
    rows = open_rows("topk", x, axis, options=options)
    for name in options:
        raise TypeError(f"topk() got an unexpected keyword argument {name!r}")
    values, indices = rows.first(count_of(k, rows.length), by, in_order=sorted, ties=rule)
    if out is not None and (not isinstance(out, tuple | list) or len(out) != 2):
        raise BadOption(
            f"out is a pair of arrays, for values and indices, not {type(out).__name__}"
        )
    values_out, indices_out = out or (None, None)
    indices = rows.axis_result(indices, indices_out)
    if wants_gradient(x, out):  # PyTorch differentiates this
        along = axis[0] if isinstance(axis, Sequence) else axis
        return TopK(sys.modules["torch"].take_along_dim(x, indices, along), indices)
    return TopK(rows.axis_result(values, values_out), indices)


def argtopk(
    x: Any,
    k: int,
    *,
    axis: Axis = -1,
    largest: bool = True,
    sorted: bool = True,
    ties: Ties = "lowest",
    **options: Any,
) -> Any:
    """Return the places that `topk` finds; its parameters are those of `topk`, without `out`.

    Examples
    --------
    >>> argtopk([10, 30, 20, 30], 3)
    array([1, 3, 2])
    """
    if "out" in options:
        raise BadOption("argtopk takes no out: topk(x, k, out=…) writes into a pair of arrays")
    same: Any = {"axis": axis, "largest": largest, "sorted": sorted, "ties": ties}
    return topk(x, k, **same, **options).indices


def threshold(x: Any, k: int, *, axis: Axis = -1, kind: Kind = "hard", out: Any = None) -> Any:
    """Return the keys with all but the k of largest magnitude replaced by zero.

    Exactly k keys are kept. Among keys with the magnitude of the k-th, those at the lowest places
    are kept. A NaN has a larger magnitude than any number. "hard" keeps the k keys bit for bit.
    "soft" moves them towards zero by the threshold, which is the largest magnitude that is not kept
    (0 if all are kept): `sign(x) · (|x| − threshold)`. A kept key of exactly that magnitude becomes
    zero too, so it does not matter which of equal magnitudes are kept.

    On a GPU, the first keys by magnitude are found as in `topk`, one more read writes the result,
    and the host waits for nothing. Beside input and result, this needs the memory of `topk`;
    without a GPU a copy of the keys more.

    Parameters
    ----------
    x, axis
        As for `select`; the keys are numbers.
    k
        How many keys of each row are kept, from 0 to all.
    kind
        "hard" or "soft".
    out
        Where the result goes: an array of the shape and the type of `x`. It may be `x` itself.

    Raises
    ------
    BadOption, BadRank
        A row has fewer than k keys, k is no integer, there is no such kind, or `out` does not fit.
        The other errors are those of `select`.

    Examples
    --------
    >>> threshold([3.0, -5.0, 1.0, -2.0], 2)
    array([ 3., -5.,  0.,  0.])
    >>> threshold([3.0, -5.0, 1.0, -2.0], 2, kind="soft")
    array([ 1., -3.,  0.,  0.])
    >>> import numpy as np
    >>> weights = np.array([3.0, -5.0, 1.0, -2.0])
    >>> _ = threshold(weights, 1, out=weights)
    >>> weights
    array([ 0., -5.,  0.,  0.])
    """
    check_kind(kind)
    rows = open_rows("threshold", x, axis)
    check_magnitudes(rows.dtype)
    return rows.axis_result(rows.threshold(count_of(k, rows.length), soft=kind == "soft"), out)
