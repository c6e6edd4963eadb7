"""Arrays that lie in files: `np.memmap` and Zarr arrays, read in rounds if they are large."""

from typing import Any

import numpy as np

from modern.files import OPTIONS
from modern.homes import files
from modern.homes.call import Call
from modern.homes.parts import not_default
from modern.rows.asked import FLAT

LARGE = 1 << 26
"""Bytes: an array with fewer is answered as any other array is."""

IN_ROUNDS = ("select", "multiselect", "median", "nanmedian", "quantile", "nanquantile")
"""The functions that read in rounds."""

OF_METHODS = ("selector", "as_printed", "return_trace")
"""Options that ask for a way that may need one array in memory."""


def answer(call: Call) -> Any:
    """Answer a call in rounds if the array is large and all of it is one row.

    An option that says how keys are read asks for rounds, too. All else, such as an axis of several
    or a method by its name, is answered as for an array in memory.
    """
    if is_in_rounds(call):
        return files.answer(call)
    return call.of(call.x if isinstance(call.x, np.ndarray) else np.asarray(call.x))


def is_in_rounds(call: Call) -> bool:
    """Whether a call is answered in rounds.

    Examples
    --------
    >>> array = np.zeros(4)
    >>> [is_in_rounds(Call(np.median, array, (), {**of})) for of in ({}, {"memory": "1GiB"})]
    [False, True]
    """
    x, name, options = call.x, call.function.__name__, call.options
    if options.keys() & set(OPTIONS):
        return True
    if x.nbytes < LARGE or name not in IN_ROUNDS or (x.ndim != 1 and call.axis is not None):
        return False
    named = "method" in options and "quantile" not in name
    plain = next(not_default(call), None) is None
    return plain and options.get("axis") in FLAT and not (named or options.keys() & set(OF_METHODS))
