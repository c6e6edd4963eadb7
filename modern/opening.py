"""`open_rows`: the way from a caller's keys to rows, which answer questions about them.

| keys | rows |
|---|---|
| arrays of NumPy, lists, what has `__array__` | `HostRows`, of `shadersort/selection/rows/` |
| tensors of PyTorch on the CPU | `TensorRows`, of `modern/tensors.py` |
| arrays on a GPU: of CuPy, PyTorch, and others | `DeviceRows`, of `modern/rows/` |
| `Parts` on the host, files, chunks | `PieceRows`, of `modern/pieces.py` |
| `Parts` and lists of arrays on GPUs | `CardRows`, of `modern/cards/` |
| Dask arrays | `PieceRows`; along axes, `DaskRows` of `modern/on_dask.py` |

A library is recognised by its types, and never imported: whoever passes its arrays has it. What a
type needs is looked up once.
"""

from collections.abc import Callable, Iterator
from functools import cache, partial
from importlib import import_module
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from shadersort.errors import BadAxis, KeysNotFlat, MethodUnavailable, UnsupportedKeys
from shadersort.keys.inputs import as_rows_of_keys
from shadersort.selection.rows.axes import Axis
from shadersort.selection.rows.host import HostRows
from shadersort.selection.rows.protocol import Rows


class Call(NamedTuple):
    """What a public function was called with, beside its keys."""

    name: str
    axis: Axis = None
    keepdims: bool = False
    out: Any = None
    options: dict[str, Any] | None = None  # an opener takes out those that say how keys are read


Opener: TypeAlias = Callable[[Any, Call], Rows]

DEVICE = "modern.rows.device:DeviceRows"
PIECES = "modern.pieces:open_pieces"
CARDS = "modern.cards.rows:open_cards"
DASK = "modern.on_dask:open_dask"

OPENERS = {
    ("cupy", "ndarray"): DEVICE,
    ("torch", "Tensor"): "modern.tensors:open_tensor",
    ("dask", "Array"): DASK,
    ("dask", "Series"): DASK,
    ("modern", "Parts"): PIECES,
    ("shadersort", "FileKeys"): PIECES,
    ("builtins", "str"): PIECES,
    ("pathlib", "PurePath"): PIECES,
    ("numpy", "memmap"): PIECES,
}
"""What opens a type's keys, by the library and the name of its class."""

CHUNKS = (FunctionType, BuiltinFunctionType, MethodType, partial, Iterator)
"""Types that make chunks of keys. An iterator is among them to be refused by name."""

CUDA = (2, 13)
"""DLPack's numbers for the memory of a CUDA device, and for memory shared with the host."""

PLAIN = frozenset(map(np.dtype, "efdbhilqBHILQ"))
"""The types of NumPy, in native byte order, that rows take as they are."""

ONE_AXIS = ("topk", "sort", "argsort")
"""The functions that take one axis, or None for the flat array."""


def open_rows(
    name: str,
    x: Any,
    axis: Axis,
    *,
    keepdims: bool = False,
    out: Any = None,
    options: dict[str, Any] | None = None,
) -> Rows:
    """Return the rows of keys, wherever they are, for the public function of a name.

    Raises UnsupportedKeys, KeysNotFlat, BadAxis, and NumPy's errors for axes that keys have not.

    Examples
    --------
    >>> rows = open_rows("median", [[3, 1, 2], [6, 5, 4]], 1)
    >>> rows.count, rows.length, rows.result(rows.ranks([0])[0])
    (2, 3, array([1, 4]))
    """
    kind: Any = type(x)
    return opener_of(kind)(x, Call(name, axis, keepdims, out, options))


def open_host(x: Any, call: Call) -> Rows:
    """Open an array of NumPy, or what NumPy makes one of."""
    array = x if type(x) is np.ndarray and x.dtype in PLAIN else as_rows_of_keys(x)
    axis = call.axis
    if not array.ndim or (type(axis) is not int and call.name in ONE_AXIS):
        array, axis = resolve_axis(array, call)
    return HostRows(array, axis, keepdims=call.keepdims, out=call.out)


def resolve_axis(x: Any, call: Call) -> tuple[Any, Axis]:
    """Return an array of any library with its axis, flat if the call takes one axis and has none.

    Examples
    --------
    >>> resolve_axis(np.zeros((2, 3)), Call("sort"))[1]
    0
    """
    axis = call.axis
    if not x.ndim and axis not in (None, ()):
        raise KeysNotFlat("keys must have 1 dimension or more, not 0: pass [key] or axis=None")
    if call.name in ONE_AXIS:
        if axis is None or not x.ndim:
            return x.reshape(-1), 0
        if hasattr(axis, "__len__") and len(axis) != 1:
            raise BadAxis(f"{call.name} takes one axis, or None for the flat array, not {axis}")
    return x, axis


def open_list(x: Any, call: Call) -> Rows:
    """Open a list: arrays on GPUs are parts; other lists become an array."""
    if x and hasattr(x[0], "__cuda_array_interface__"):
        return import_function(PIECES)(x, call)
    if x and isinstance(x[0], np.ndarray) and len({np.shape(each) for each in x}) > 1:
        raise KeysNotFlat(
            "a list of arrays of several shapes is no array: pass modern.Parts(...) if all of them "
            "together are the keys, or np.concatenate(...)"
        )
    return open_host(x, call)


def open_other(x: Any, call: Call) -> Rows:
    """Open an array of a library that is not known by its name, where the array is."""
    if is_on_gpu(x):
        return device_opener()(as_cupy(x), call)
    if hasattr(x, "__dlpack__") and not hasattr(x, "__array__"):
        x = np.from_dlpack(x)
    return open_host(x, call)


def fill_result(rows: Rows, answer: Any) -> Any:
    """Return one answer, a scalar or an array of NumPy, as the result of each row.

    Examples
    --------
    >>> fill_result(open_rows("median", np.zeros((2, 0)), 1), np.nan)
    array([nan, nan])
    """
    answer = np.asarray(answer)
    found = np.empty((*answer.shape, rows.count), answer.dtype)
    found[...] = answer[..., None]
    return rows.result(found, answer.shape)


@cache
def opener_of(kind: type) -> Opener:
    """Return what opens keys of a type."""
    if kind is list:
        return open_list
    for each in kind.__mro__:
        name = OPENERS.get((each.__module__.partition(".")[0], each.__name__))
        if name is not None:
            return device_opener() if name == DEVICE else import_function(name)
    if issubclass(kind, CHUNKS) and not hasattr(kind, "__array__"):
        return import_function(PIECES)
    return open_host if issubclass(kind, np.ndarray | tuple | int | float) else open_other


def import_function(name: str) -> Opener:
    """Return a function by the names of its module and its own."""
    module, _, function = name.partition(":")
    found: Opener = getattr(import_module(module), function)
    return found


@cache
def device_opener() -> Opener:
    """Return what opens arrays of CuPy; raise MethodUnavailable without CuPy, which launches."""
    try:
        return import_function(DEVICE)
    except ModuleNotFoundError as error:
        if error.name != "cupy":
            raise
        raise MethodUnavailable(
            "arrays on a GPU need CuPy: pip install 'shadersort[cuda]', or cupy-cuda12x for CUDA 12"
        ) from error


@cache
def has_gpu() -> bool:
    """Whether there is a CUDA device here, and CuPy to use it.

    Examples
    --------
    >>> has_gpu() in (False, True)
    True
    """
    try:
        import cupy
    except ModuleNotFoundError:
        return False
    try:
        return bool(cupy.cuda.runtime.getDeviceCount())
    except cupy.cuda.runtime.CUDARuntimeError:  # there is no driver, or an old one
        return False


def is_on_gpu(x: Any) -> bool:
    """Whether an array says that it is in the memory of a CUDA device.

    Examples
    --------
    >>> is_on_gpu([1, 2, 3])
    False
    """
    if isinstance(x, np.ndarray):
        return False
    if hasattr(x, "__cuda_array_interface__"):
        return True
    return hasattr(x, "__dlpack_device__") and x.__dlpack_device__()[0] in CUDA


def as_cupy(x: Any) -> Any:
    """Return an array on a GPU as a CuPy array, without a copy."""
    device_opener()  # raises an error without CuPy
    import cupy

    if isinstance(x, cupy.ndarray):
        return x
    x = x.detach() if getattr(x, "requires_grad", False) else x
    if str(getattr(x, "dtype", "")).endswith("bfloat16"):  # the interface has no name for it
        try:
            return cupy.from_dlpack(x)
        except NotImplementedError as error:
            raise UnsupportedKeys(
                "keys of bfloat16 on a GPU need ml_dtypes here: pip install ml_dtypes"
            ) from error
    return cupy.asarray(x) if hasattr(x, "__cuda_array_interface__") else cupy.from_dlpack(x)
