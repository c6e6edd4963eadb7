"""Keys in several pieces: files and other sources that are larger than memory, `Parts`, and chunks.

`FileKeys`, or the path of a file, stands where an array does. All keys of a source together are
read in rounds, within a budget of memory, and so is a large `np.memmap`. Rows along axes of an
array in a `.npy` file are answered as those of the array itself: the file is mapped, not read at
once.
"""

from functools import partial
from os import PathLike
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple

from modern.opening import Call, open_host
from modern.parts import Parts
from shadersort.errors import BadAxis, BadOption, KeysNotFlat, MethodUnavailable
from shadersort.selection.pieces.files import FileKeys
from shadersort.selection.pieces.rows import PieceRows
from shadersort.selection.primitives import NumPyPrimitives

OPTIONS = ("column", "dtype", "offset", "memory", "progress")
"""Options of a function that say how a source is read."""

FLAT = (-1, 0, None)
"""The axes that all name the only one."""

LARGE = 1 << 26
"""Bytes: a smaller `np.memmap` is answered as any other array is."""

IN_ROUNDS = ("select", "multiselect", "median", "nanmedian", "quantile", "nanquantile")
"""The functions that read an `np.memmap` in rounds."""


def open_pieces(x: Any, call: Call) -> Any:
    """Open `Parts`, a list of arrays on GPUs, a file, an `np.memmap`, or chunks of keys."""
    if isinstance(x, np.memmap) and not is_in_rounds(x, call):
        return open_host(np.asarray(x), call)
    keys, what = Parts(x) if isinstance(x, list) else x, what_of(x)
    if not isinstance(keys, Parts | FileKeys):
        options = {} if call.options is None else call.options
        reading = {name: options.pop(name) for name in OPTIONS if name in options}
        keys = FileKeys(x, **reading)
        if len(getattr(keys.source, "shape", (0,))) != 1:
            array = array_of(x, reading.get("column"))
            if (
                call.axis is not None
                and len(normalize_axis_tuple(call.axis, array.ndim)) < array.ndim
            ):
                return open_mapped(array, call, reading, what)
            if call.name == "topk":
                raise KeysNotFlat(
                    f"{keys.source.name} has several dimensions, and topk takes one: ask for keys "
                    "by multiselect"
                )
            call = call._replace(axis=None)
    check_call(call, what)
    rows: Any = PieceRows(keys.pieces(), what=what)
    if isinstance(x, np.memmap):  # a method by its name has all of it in memory
        rows.primitives = partial(NumPyPrimitives, x.reshape(-1))
    return rows


def open_mapped(array: Any, call: Call, reading: dict[str, Any], what: str) -> Any:
    """Open rows along axes of an array that a file holds."""
    check_call(call._replace(axis=None, keepdims=False, out=None), what)
    for name in ("memory", "progress"):
        if reading.get(name):
            raise BadOption(
                f"{name}= is for all keys as one row, with axis=None, and the rows of an array of "
                f"the shape {array.shape} were asked for: leave it out, or pass axis=None"
            )
    return open_host(np.asarray(array), call)


def check_call(call: Call, what: str) -> None:
    """Raise an error for a function or an option that needs one array in memory."""
    if call.name not in (*IN_ROUNDS, "topk"):
        raise MethodUnavailable(
            f"{call.name} needs one array: {what} are taken by {', '.join(IN_ROUNDS)}, topk, "
            "argtopk"
        )
    if call.axis not in FLAT:
        raise BadAxis(f"{what} have 1 dimension, and no axis {call.axis}")
    if call.keepdims:
        raise MethodUnavailable(f"{what} take no keepdims: leave it out, and reshape the result")
    if call.out is not None:
        raise MethodUnavailable(f"{what} take no out: pass one array in memory")


def what_of(x: Any) -> str:
    """Return what messages call keys."""
    if isinstance(x, str | PathLike | FileKeys):
        return "keys in a file"
    return "keys in parts" if isinstance(x, Parts | list) else f"keys of {type(x).__name__}"


def is_in_rounds(x: Any, call: Call) -> bool:
    """Whether a call with an `np.memmap` is answered in rounds.

    It is if the array is large and all of it is one row, or if an option says how keys are read.
    """
    if not set(OPTIONS).isdisjoint(call.options or ()):
        return True
    if x.nbytes < LARGE or call.name not in IN_ROUNDS or (x.ndim != 1 and call.axis is not None):
        return False
    return call.axis in FLAT and not call.keepdims and call.out is None


def array_of(source: Any, column: str | int | None) -> Any:
    """Return the array in a source of several dimensions: a `.npy` file as a map of it."""
    if not isinstance(source, str | PathLike):
        return source
    array = np.load(source, mmap_mode="r")
    return array if column is None else array[str(column)]
