"""Homes: an answer comes back as an array of the library that the keys came from.

A library is recognised by its types, and never imported: whoever passes its arrays has it. Each
library has a file here, which is imported when the first of its arrays is passed.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache, partial, wraps
from importlib import import_module
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any, TypeAlias, TypeVar, cast

import numpy as np

from modern.homes.call import Call, Gradient, RowAxes
from shadersort.errors import KeysNotFlat

F = TypeVar("F", bound=Callable[..., Any])
Home: TypeAlias = Callable[[Call], Any]

FILES = {
    ("torch", "Tensor"): "modern.homes.torch",
    ("pandas", "Series"): "modern.homes.pandas",
    ("pandas", "DataFrame"): "modern.homes.pandas",
    ("xarray", "DataArray"): "modern.homes.xarray",
    ("xarray", "Dataset"): "modern.homes.xarray",
    ("dask", "Array"): "modern.homes.dask",
    ("dask", "Series"): "modern.homes.dask",
    ("modern", "Parts"): "modern.homes.parts",
    ("modern", "FileKeys"): "modern.homes.files",
    ("builtins", "str"): "modern.homes.files",
    ("pathlib", "PurePath"): "modern.homes.files",
    ("numpy", "memmap"): "modern.homes.mapped",
    ("zarr", "Array"): "modern.homes.mapped",
}
"""Where the home of a type is: of a class by its library and its name."""

COMPUTING = ("numpy", "cupy")
"""The libraries that compute here: their arrays are answers already."""

CHUNKS = (FunctionType, BuiltinFunctionType, MethodType, partial, Iterator)
"""What makes chunks of keys, or would if it could be read again, which its home says."""

PLAIN = frozenset((list, tuple))
"""Types without another home, as arrays of NumPy are, which are recognised fastest."""


def answers_at_home(
    rows: RowAxes = "reduced", front: str = "", gradient: Gradient | None = None
) -> Callable[[F], F]:
    """Return a decorator for functions whose first parameter `x` has the keys.

    The function then gets keys as arrays of NumPy or CuPy, and its answers become arrays of the
    library that `x` came from. Arrays of NumPy and CuPy, and what has no home, pass through.

    Parameters
    ----------
    rows
        What becomes of the axes along which rows lie.
    front
        The parameter whose shape stands in front of the result's other axes, if there is one.
    gradient
        How gradients of the answer reach the keys, for libraries that have gradients.

    Examples
    --------
    >>> @answers_at_home()
    ... def largest(x):
    ...     return x.max()
    >>> largest(np.array([1, 3, 2]))
    np.int64(3)
    """

    def decorated(function: F) -> F:
        @wraps(function)
        def at_home(x: Any, *args: Any, **options: Any) -> Any:
            kind: Any = type(x)
            if kind is np.ndarray:
                return function(x, *args, **options)
            home = home_of(kind) if kind not in PLAIN else _home_of_list(x)
            if home is None:
                return function(x, *args, **options)
            return home(Call(function, x, args, options, rows, front, gradient))

        return cast(F, at_home)

    return decorated


def _home_of_list(x: Any) -> Home | None:
    """Return the home of a list of arrays on GPUs, which are parts; None for other plain types."""
    if type(x) is not list or not x:
        return None
    if hasattr(x[0], "__cuda_array_interface__"):
        return cast(Home, import_module("modern.homes.parts").answer_list)
    if isinstance(x[0], np.ndarray) and len({np.shape(each) for each in x}) > 1:
        raise KeysNotFlat(
            "a list of arrays of several shapes is no array: pass modern.Parts(...) if all of them "
            "together are the keys, or np.concatenate(...)"
        )
    return None


@lru_cache(maxsize=256)
def home_of(given: type) -> Home | None:
    """Return what answers for arrays of a type; None if answers need no other home.

    Examples
    --------
    >>> home_of(list) is None
    True
    """
    names = [(each.__module__.partition(".")[0], each.__name__) for each in given.__mro__]
    for name in names:
        if name in FILES:
            return cast(Home, import_module(FILES[name]).answer)
        if name[0] in COMPUTING:
            return None
    if issubclass(given, CHUNKS) and not hasattr(given, "__array__"):
        return cast(Home, import_module("modern.homes.files").answer)
    if hasattr(given, "__array_namespace__") and hasattr(given, "__dlpack__"):
        return cast(Home, import_module("modern.homes.standard").answer)
    return None
