"""Keys in several pieces: files and other sources that are larger than memory, `Parts`, and chunks.

`FileKeys`, or the path of a file, stands where an array does. All keys of a source together are
read in rounds, within a budget of memory, and so is a large `np.memmap`. Rows along axes of an
array in a `.npy` file are answered as those of the array itself: the file is mapped, not read at
once.
"""

from collections.abc import Callable, Iterator
from os import PathLike
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple

from modern.homes import Call
from modern.parts import Parts, TopParts
from modern.primitives.numpy import HostPrimitives
from modern.rows.asked import FLAT
from modern.rows.outputs import TopK
from shadersort import selection
from shadersort.errors import BadAxis, BadOption, KeysNotFlat, MethodUnavailable
from shadersort.keys.types import Integers, Keys
from shadersort.selection import files
from shadersort.selection.files.primitives import FilePrimitives
from shadersort.selection.top_keys import LARGEST, SMALLEST, count_of

OPTIONS = ("column", "dtype", "offset", "memory", "progress")
"""Options of a function that say how a source is read."""

OF_ARRAYS = {"keepdims": False, "out": None, "weights": None}
"""Options that only arrays have, with their defaults."""

LARGE = 1 << 26
"""Bytes: a smaller `np.memmap` is answered as any other array is."""

IN_ROUNDS = ("select", "multiselect", "median", "nanmedian", "quantile", "nanquantile")
"""The functions that read an `np.memmap` in rounds."""

OF_METHODS = ("selector", "as_printed", "return_trace")
"""Options that ask for a way that may need one array in memory."""


class FileKeys(files.FileKeys):  # noqa: D101  (it has the docstring of the class it extends)
    __doc__ = files.FileKeys.__doc__

    def primitives(self) -> Any:
        """Return the primitives over these keys; a file without keys is like an empty array."""
        if not self.size:
            return HostBlocks(np.empty(0, self.source.dtype))
        return FileParts(self.source, self.budget, over=HostBlocks, progress=self.progress)


class HostBlocks(HostPrimitives):
    """Primitives over a piece, with those of top-k."""


class FileParts(FilePrimitives, TopParts):
    """Primitives over the pieces of a source, and the first keys in an order."""

    def first(self, by: int, count: int) -> tuple[Keys, Integers]:
        """Return the `count` largest or smallest keys in order, and their places in the source."""
        if not self.source.flat:
            raise KeysNotFlat(
                f"{self.source.where} has several dimensions, and topk takes one: ask for keys by "
                "multiselect"
            )
        return super().first(by, count)


def answer(call: Call) -> Any:
    """Answer a call with `Parts`, a list of arrays on GPUs, a file, or chunks of keys."""
    x = call.x
    if isinstance(x, list):
        x = Parts(x)
    if isinstance(x, Parts | FileKeys):
        return answer_over(x.primitives, call)
    if isinstance(x, np.memmap) and not is_in_rounds(call):
        return call.of(np.asarray(x))
    return _of_source(call)


def answer_over(primitives: Callable[[], Any], call: Call) -> Any:
    """Answer a call over primitives, which are made after the options are checked.

    The answers are scalars and arrays of NumPy. A function that needs rows, or writes as many keys
    as it reads, raises MethodUnavailable.
    """
    _check_answers(call)
    return ANSWERS[call.function.__name__](primitives, *call.args, **_checked(call))


def _of_source(call: Call) -> Any:
    """Answer a call with a path, an `np.memmap` or chunks."""
    options = dict(call.options)
    keys = keys_of(call.x, options)
    if not keys.source.flat:
        array = array_of(call.x, call.options.get("column"))
        if call.axis is not None and len(normalize_axis_tuple(call.axis, array.ndim)) < array.ndim:
            return _of_rows(call, array, options)
        options["axis"] = None
    return answer_over(keys.primitives, call._replace(options=options))


def keys_of(source: Any, options: dict[str, Any]) -> FileKeys:
    """Return the keys of a source; options that say how it is read are taken out of `options`."""
    return FileKeys(source, **{name: options.pop(name) for name in OPTIONS if name in options})


def array_of(source: Any, column: str | int | None) -> Any:
    """Return the array in a source of several dimensions: a `.npy` file as a map of it.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile(suffix=".npy") as file:
    ...     np.save(file, np.zeros((2, 3)))
    ...     file.flush()
    ...     array_of(file.name, None).shape
    (2, 3)
    """
    if not isinstance(source, str | PathLike):
        return source
    array = np.load(source, mmap_mode="r")
    return array if column is None else array[str(column)]


def _of_rows(call: Call, array: Any, options: dict[str, Any]) -> Any:
    """Return the answers of rows along axes; `options` are those that do not say how to read."""
    _check_answers(call)
    for name in ("memory", "progress"):
        if call.options.get(name):
            raise BadOption(
                f"{name}= is for all keys as one row, with axis=None, and the rows of an array of "
                f"the shape {array.shape} were asked for: leave it out, or pass axis=None"
            )
    return call._replace(options=options).of(np.asarray(array))


def is_in_rounds(call: Call) -> bool:
    """Whether a call with an `np.memmap` is answered in rounds.

    It is if the array is large and all of it is one row, or if an option says how keys are read.
    All else, such as an axis of several or a method by its name, needs the array in memory.

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


def _check_answers(call: Call) -> None:
    """Raise MethodUnavailable unless a call's function is answered over primitives."""
    name = call.function.__name__
    if name not in ANSWERS:
        raise MethodUnavailable(
            f"{name} needs one array: {_what(call)} are taken by {', '.join(ANSWERS)}, argtopk"
        )


def _checked(call: Call) -> dict[str, Any]:
    """Return the options without those of arrays, which have to be their defaults."""
    options = call.options
    if options.get("axis") not in FLAT:
        raise BadAxis(f"{_what(call)} have 1 dimension, and no axis {options['axis']}")
    for name in not_default(call):
        raise MethodUnavailable(f"{_what(call)} take no {name}: {_advice(name)}")
    return {
        name: each for name, each in options.items() if name != "axis" and name not in OF_ARRAYS
    }


def _what(call: Call) -> str:
    """Return what messages call the keys."""
    name = type(call.x).__name__
    if isinstance(call.x, str | PathLike) or name == "FileKeys":
        return "keys in a file"
    return "keys in parts" if name in ("Parts", "list") else f"keys of {name}"


def _advice(option: str) -> str:
    """Return what to do instead of passing an option of arrays."""
    if option == "keepdims":
        return "leave it out, and reshape the result"
    return "pass one array in memory"


def not_default(call: Call) -> Iterator[str]:
    """Yield the options that only arrays have, and that are not the function's defaults.

    Examples
    --------
    >>> list(not_default(Call(max, None, (), {"out": None, "keepdims": True})))
    ['keepdims']
    """
    for name, default in OF_ARRAYS.items():
        usual = call.default(name, default)
        given = call.options.get(name, usual)
        if given is not usual and (usual is None or given != usual):  # the given may be an array
            yield name


def _topk(
    primitives: Callable[[], Any],
    k: int,
    *,
    largest: bool = True,
    sorted: bool = True,
    ties: str = "lowest",
) -> Any:
    """Return the first keys from one end, in order whether or not that is asked for."""
    if ties == "highest":
        raise MethodUnavailable("keys in parts take no ties='highest': pass one array")
    keys = primitives()
    values, places = keys.first(LARGEST if largest else SMALLEST, count_of(k, keys.size))
    return TopK(keys.own(values), places)


def _over(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda primitives, *args, **options: function(primitives(), *args, **options)


ANSWERS: dict[str, Callable[..., Any]] = {
    "select": _over(selection.select),
    "multiselect": _over(selection.select_many),
    "median": _over(selection.median),
    "nanmedian": _over(selection.nanmedian),
    "quantile": _over(selection.quantile),
    "nanquantile": _over(selection.nanquantile),
    "topk": _topk,
}
"""The function that answers each call: it takes a maker of primitives, then the arguments."""
