"""Sorting whole arrays, which selection is measured against; places in order; and records."""

import sys
from functools import partial
from typing import Any, Literal

import numpy as np

from modern.opening import open_rows
from shadersort.arrays import NumPyHome, home_of
from shadersort.drawing.networks import network as build_network
from shadersort.errors import KeysNotFlat, MethodUnavailable
from shadersort.keys.inputs import SELECTED
from shadersort.sorting.key_columns import as_values, order_of_columns


def sort(
    x: Any,
    *,
    axis: int | None = -1,
    network: Literal["pbsn", "bitonic"] | None = None,
    out: Any = None,
) -> Any:
    """Return the keys in ascending order, as `np.sort` does: NaNs last.

    The result is a permutation of the keys, bit for bit: no payload of a NaN and no sign of a zero
    is lost. The order among equal keys, for example zeros of both signs, is not defined.

    On a GPU, long rows need two copies of the keys beside the result, and columns two more.

    Parameters
    ----------
    x
        As for `select`.
    axis
        Along which axis each row is sorted: the last one, as in NumPy; None for the flat array.
    network
        Sort by the comparators of this network of `shadersort.network`, as `shadersort.sort` does
        by drawing: "pbsn" or "bitonic". On a GPU, blocks run its steps in shared memory, and in
        place; on the host, NumPy compares. None, the default, is faster: a radix sort on a GPU,
        `np.sort` on the host. The result is the same, bit for bit.
    out
        Where the result goes: an array of its shape and type. It may be `x` itself. The errors are
        those of `select`; BadAxis also if several axes are named, and UnknownName or
        MethodUnavailable for other networks.

    Examples
    --------
    >>> import numpy as np
    >>> sort([30, 10, 20])
    array([10, 20, 30])
    >>> sort(np.float32([2, np.nan, -np.inf, 1]), network="bitonic")
    array([-inf,   1.,   2.,  nan], dtype=float32)
    >>> sort([[30, 10], [20, 40]], axis=0)
    array([[20, 10],
           [30, 40]])
    """
    if network and any(step.skips for step in build_network(network, 4).steps):
        raise MethodUnavailable(
            f"network {network!r} leaves wires idle, and runs only on textures: use 'pbsn' or "
            "'bitonic' here, or shadersort.sort"
        )
    rows = open_rows("sort", x, axis)
    return rows.axis_result(rows.sort(network), out)


def argsort(x: Any, *, axis: int | None = -1, descending: bool = False) -> Any:
    """Return the places that sort the keys, int64, as `np.argsort` with `kind="stable"` does.

    Equal keys keep their order, −0.0 equals 0.0, and NaNs are equal and come last. On a GPU this is
    a radix sort of codes with places; the host waits for nothing.

    Parameters
    ----------
    x, axis
        As for `sort`.
    descending
        Largest first. Equal keys still keep their order, and NaNs still come last.

    Examples
    --------
    >>> argsort([30, 10, 20, 10])
    array([1, 3, 2, 0])
    >>> argsort([[30, 10, 20], [1, 3, 3]], descending=True)
    array([[0, 2, 1],
           [1, 2, 0]])
    """
    rows = open_rows("argsort", x, axis)
    return rows.axis_result(rows.argsort(descending=descending))


def sort_records(keys: Any, values: Any, *, descending: bool = False) -> tuple[Any, Any]:
    """Return keys in order, bit for bit, and their values in the same order.

    Parameters
    ----------
    keys
        One-dimensional, as for `argsort`. Or keys of several columns, the most significant first: a
        structured array of NumPy, or an array of shape (count, columns). They are sorted by the
        last column first, and `descending` holds for all columns.
    values
        An array of any type and shape in the keys' library, whose first axis has one entry for each
        key.
    descending
        As for `argsort`.

    Raises
    ------
    ValuesMismatch, ArraysApart
        The number of values is not the number of keys; or they are in different places.
    UnsupportedKeys, KeysNotFlat
        As for `select`; the keys have more than two dimensions, or no column.

    Examples
    --------
    >>> sort_records([3, 1, 2], ["c", "a", "b"])
    (array([1, 2, 3]), array(['a', 'b', 'c'], dtype='<U1'))
    >>> sort_records([[2, 1], [1, 9], [1, 3]], ["a", "b", "c"])[1]
    array(['c', 'b', 'a'], dtype='<U1')
    """
    home = home_of(keys, values)  # raises ArraysApart
    torch: Any = sys.modules.get("torch")
    if torch is not None and isinstance(keys, torch.Tensor):
        own = torch.as_tensor
    elif isinstance(home, NumPyHome):
        keys, own = SELECTED.array(keys), np.asanyarray
    else:
        keys, own = home.own(keys), home.own
    if keys.ndim not in (1, 2):
        raise KeysNotFlat(f"keys have 1 dimension, or a second one of columns, not {keys.ndim}")
    values = as_values(values, keys, own)
    with home.here():
        order = order_of_columns(keys, partial(argsort, descending=descending))
        return keys[order], values[order]
