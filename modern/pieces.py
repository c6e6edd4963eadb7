"""Keys in several pieces: arrays on any devices, files larger than memory, and chunks.

`Parts`, `FileKeys` or the path of a file stands where an array does in `select`, `multiselect`,
`median`, `nanmedian`, `quantile`, `nanquantile` and `topk`; a list of arrays on GPUs is taken for
parts, and is opened by `modern/cards/`. All keys of a file are read in rounds, within a budget of
memory. Rows along axes of an array in a `.npy` file are answered as those of the array itself: the
file is mapped.
"""

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np

from modern.opening import CARDS, Call, import_function, is_on_gpu, open_host
from shadersort.errors import (
    ArraysApart,
    BadAxis,
    BadOption,
    EmptyInput,
    KeysNotFlat,
    MethodUnavailable,
    UnsupportedKeys,
)
from shadersort.files.arrays import find_field
from shadersort.keys.inputs import SELECTED
from shadersort.selection.pieces.asking import PieceHolder
from shadersort.selection.pieces.files import PIECE, FileKeys
from shadersort.selection.pieces.primitives import PieceRows
from shadersort.selection.primitives import NumPyPrimitives
from shadersort.selection.rows.axes import Layout, layout_of
from shadersort.selection.rows.protocol import Rows

OPTIONS = ("column", "dtype", "offset", "memory", "progress")
"""Options of a function that say how a source is read."""

FUNCTIONS = ("select", "multiselect", "median", "nanmedian", "quantile", "nanquantile", "topk")
"""The functions that take keys in pieces; `argtopk` is one of `topk`."""


class Parts:
    """Arrays whose keys are selected from together, as if they were joined.

    Parameters
    ----------
    arrays
        At least one array of one dimension, all of one type: of NumPy, or of libraries whose arrays
        are on GPUs, on any number of devices. They are neither copied nor changed.

    Raises
    ------
    ArraysApart
        Some arrays are in the host's memory, and some on a GPU.
    KeysNotFlat, UnsupportedKeys
        An array has not one dimension, or is masked.

    Examples
    --------
    >>> import modern
    >>> import numpy as np
    >>> parts = Parts([np.array([5, 1]), np.array([4]), np.array([2, 3, 9])])
    >>> modern.median(parts), modern.topk(parts, 2).indices
    (np.float64(3.5), array([5, 0]))
    """

    ndim = 1

    def __init__(self, arrays: Sequence[Any]) -> None:
        self.arrays = [each if is_on_gpu(each) else SELECTED.array(each) for each in arrays]
        places = {is_on_gpu(each) for each in self.arrays}
        if len(places) > 1:
            raise ArraysApart(
                "some parts are in the host's memory and some on a GPU: put all of them on GPUs, "
                "or all of them in the host's memory"
            )
        for each in self.arrays:
            if each.ndim != 1:
                what = "parts.ravel() of each" if each.ndim else "arrays; a file is passed alone"
                raise KeysNotFlat(f"a part has 1 dimension, not {each.ndim}: pass {what}")

    def open(self, call: Call) -> Rows:
        """Return all keys as one row."""
        if not self.arrays:
            raise EmptyInput("no parts: pass at least one array")
        if is_on_gpu(self.arrays[0]):
            check_function(call, (sum(each.shape[0] for each in self.arrays),))
            return import_function(CARDS)(self.arrays, call)
        types = {each.dtype.newbyteorder("=") for each in self.arrays}
        if len(types) > 1:
            names = ", ".join(sorted(map(str, types)))
            raise UnsupportedKeys(f"parts have keys of {names}: pass parts of one type")
        cut = (np.array_split(each, max(-(-each.nbytes // PIECE), 1)) for each in self.arrays)
        keys = FileKeys(list(chain.from_iterable(cut)))
        keys.name = "parts"
        return open_row(keys, (keys.size,), call)


def fetch_to_host(keys: Any) -> Any:
    """Return the array of few keys, on a GPU or on the host, on the host."""
    return keys.keys if isinstance(keys, NumPyPrimitives) else keys.array.get()


def open_pieces(x: Any, call: Call) -> Any:
    """Open `Parts`, a list of arrays on GPUs, a file, an `np.memmap`, or chunks of keys.

    A mapped array whose reading has no options is like any other array. Rows along axes of an array
    in a file are those of the mapped array, and so are the first keys of several dimensions.
    """
    parts = Parts(x) if isinstance(x, list) else x
    if isinstance(parts, Parts):
        return parts.open(call)
    if isinstance(parts, FileKeys):
        return open_row(parts, (sum(parts.sizes),), call)
    options = call.options or {}
    reading = {name: options.pop(name) for name in OPTIONS if name in options}
    if isinstance(x, np.memmap) and not reading:
        return open_host(np.asarray(x), call)
    keys: Any = FileKeys(x, **reading)
    shape = getattr(keys.source, "shape", (keys.size,))
    if len(shape) == 1 or not (call.name == "topk" or layout_of(shape, call.axis).left):
        return open_row(keys, shape, call)
    for name in ("memory", "progress"):
        if reading.get(name):
            raise BadOption(f"{name}= is for all keys as one row: leave it out, or pass axis=None")
    array = np.asarray(x if isinstance(x, np.ndarray) else np.load(x, mmap_mode="r"))
    field = find_field(array.dtype, str(x), reading.get("column"))
    return open_host(array[field] if field else array, call)


def open_row(pieces: PieceHolder, shape: tuple[int, ...], call: Call) -> PieceRows:
    """Return all keys of an array in pieces as its only row, for a function that takes it."""
    layout = check_function(call, shape)
    return PieceRows(pieces, layout.kept if call.keepdims else (), call.out)


def check_function(call: Call, shape: tuple[int, ...]) -> Layout:
    """Return the layout of one row; raise an error if the function takes no pieces, or no row."""
    if call.name not in FUNCTIONS:
        names = ", ".join(FUNCTIONS)
        raise MethodUnavailable(
            f"{call.name} needs one array: keys in pieces are taken by {names}, argtopk"
        )
    layout = layout_of(shape, call.axis)
    if layout.left:
        raise BadAxis(f"keys in pieces are one row, and have none along the axis {call.axis}")
    return layout
