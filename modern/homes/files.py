"""Files, `FileKeys` and what makes chunks: read in rounds, within a budget of memory.

So are all keys of a source together. Rows along axes of an array of several dimensions, in a `.npy`
file or a Zarr array, are answered as those of the array itself: a file is mapped, not read at once.
"""

from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple

from modern.files import FileKeys, array_of, keys_of
from modern.homes.call import Call
from modern.homes.parts import answer_over, check_answers
from shadersort.errors import BadOption


def answer(call: Call) -> Any:
    """Answer a call with the path of a file, with `FileKeys`, or with what makes chunks."""
    if isinstance(call.x, FileKeys):
        return answer_over(call.x.primitives, call)
    options = dict(call.options)
    keys = keys_of(call.x, options)
    if not keys.source.flat:
        array = array_of(call.x, call.options.get("column"))
        if not _is_one_row(call.axis, array.ndim):
            return _of_rows(call, array, options)
        options["axis"] = None
    return answer_over(keys.primitives, call._replace(options=options))


def _is_one_row(axis: Any, ndim: int) -> bool:
    """Whether all keys of an array are one row."""
    return axis is None or len(normalize_axis_tuple(axis, ndim)) == ndim


def _of_rows(call: Call, array: Any, options: dict[str, Any]) -> Any:
    """Return the answers of rows along axes; `options` are those that do not say how to read."""
    check_answers(call)
    for name in ("memory", "progress"):
        if call.options.get(name):
            raise BadOption(
                f"{name}= is for all keys as one row, with axis=None, and the rows of an array of "
                f"the shape {array.shape} were asked for: leave it out, or pass axis=None"
            )
    keys = array if isinstance(array, np.ndarray) else np.asarray(array[...])
    return call._replace(options=options).of(keys)
