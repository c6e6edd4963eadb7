"""Answers come back as arrays of the library that the keys came from.

Tensors of PyTorch get tensors (`torch.py`), and Dask arrays get Dask arrays along axes
(`modern/on_dask/`). Keys in several pieces, such as a file, `Parts` or a list of arrays on GPUs,
get NumPy's answers (`modern/files.py`). All other keys become an array of NumPy, or of CuPy if they
are on a GPU, and so do their answers: what has `__array__`, DLPack or `__cuda_array_interface__` is
taken.

A library is recognised by its types, and never imported: whoever passes its arrays has it.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache, partial, wraps
from importlib import import_module
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar, cast

import numpy as np
import numpy.typing as npt

from modern.arrays import as_cupy, is_on_gpu
from shadersort.errors import KeysNotFlat
from shadersort.keys.accepted import SELECTED

F = TypeVar("F", bound=Callable[..., Any])

RowAxes = Literal["reduced", "chosen", "ordered", "kept"]
"""What becomes of the axes along which rows lie: nothing is left of them, some keys are chosen (the
answer has their places), all keys are put in order, or all stay at their places."""

Gradient: TypeAlias = Callable[["Call", Any], Any]
"""Takes a call and its answer; returns the answer connected with the keys."""

Turn: TypeAlias = Callable[[Any], Any]
"""Takes an argument or an answer as one library has it; returns it as another does."""

Home: TypeAlias = Callable[["Call"], Any]
"""Answers a call."""

PIECES, DASK = "modern.files", "modern.on_dask.answers"

FILES = {
    ("torch", "Tensor"): "modern.homes.torch",
    ("dask", "Array"): DASK,
    ("dask", "Series"): DASK,
    ("modern", "Parts"): PIECES,
    ("modern", "FileKeys"): PIECES,
    ("builtins", "str"): PIECES,
    ("pathlib", "PurePath"): PIECES,
    ("numpy", "memmap"): PIECES,
}
"""The module that answers for a type, by the library and the name of its class."""

CHUNKS = (FunctionType, BuiltinFunctionType, MethodType, partial, Iterator)
"""Types that make chunks of keys. An iterator is among them to be refused by name."""

PLAIN = frozenset((list, tuple))
"""Types that are looked at before their class is."""


def same(each: Any) -> Any:
    """Return the argument.

    Examples
    --------
    >>> same(3)
    3
    """
    return each


class Call(NamedTuple):
    """A function of this package, and what it was called with.

    Examples
    --------
    >>> call = Call(np.median, [[3, 1, 2]], (), {"axis": 1})
    >>> call.of(np.array(call.x)), call.axis, call.out
    (array([2.]), 1, None)
    """

    function: Callable[..., Any]
    x: Any
    args: tuple[Any, ...]
    options: dict[str, Any]
    rows: RowAxes = "reduced"
    front: str = ""
    gradient: Gradient | None = None

    def of(self, x: Any, number: Turn = same, beside: Turn = same, **changed: Any) -> Any:
        """Call the function with other keys.

        `number` turns arguments that the host reads, such as ranks and the q of quantiles; `beside`
        turns other options, which may be where the keys are.
        """
        read = (self.front, "k")
        options = {
            name: (number if name in read else beside)(each)
            for name, each in self.options.items()
            if name not in changed
        }
        return self.function(x, *map(number, self.args), **options | changed)

    @property
    def out(self) -> Any:
        """Where the result should go, or None."""
        return self.options.get("out")

    @property
    def axis(self) -> Any:
        """The axis that was named, or the function's own default."""
        return self.options.get("axis", self.default("axis", -1))

    def default(self, name: str, otherwise: Any) -> Any:
        """Return the function's own default of an option; something else if it has none."""
        own = getattr(self.function, "__kwdefaults__", None) or {}
        return own.get(name, otherwise)

    @property
    def in_front(self) -> npt.NDArray[Any] | None:
        """The argument whose shape stands in front of the result; None if there is none."""
        if not self.front:
            return None
        return np.asarray(self.args[0] if self.args else self.options[self.front])

    def answered(self, found: Any, turn: Turn) -> Any:
        """Return an answer with each of its arrays turned; or what it was written into.

        A trace beside the answer stays as it is.
        """
        out = self.out
        if not isinstance(found, tuple):
            return turn(found) if out is None else out
        if hasattr(found, "_make"):  # values and places
            return type(found)(*(map(turn, found) if out is None else out))
        return (turn(found[0]) if out is None else out), *found[1:]


def answers_at_home(
    rows: RowAxes = "reduced", front: str = "", gradient: Gradient | None = None
) -> Callable[[F], F]:
    """Return a decorator for functions whose first parameter `x` has the keys.

    The function then gets keys as arrays of NumPy or CuPy, and its answers become tensors or Dask
    arrays if `x` is one.

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
    >>> largest(np.array([1, 3, 2])), largest([1, 3, 2])
    (np.int64(3), np.int64(3))
    """

    def decorated(function: F) -> F:
        @wraps(function)
        def at_home(x: Any, *args: Any, **options: Any) -> Any:
            kind: Any = type(x)
            if kind is np.ndarray:
                return function(x, *args, **options)
            home = home_of(kind) if kind not in PLAIN else _home_of_list(x)
            if home is None:
                return function(plain_array(x), *args, **options)
            return home(Call(function, x, args, options, rows, front, gradient))

        return cast(F, at_home)

    return decorated


def plain_array(x: Any) -> Any:
    """Return keys of any library as an array of CuPy if they are on a GPU, else of NumPy.

    Raises UnsupportedKeys for masked arrays, and for columns of integers with missing values.
    """
    if is_on_gpu(x):
        return as_cupy(x)
    if hasattr(x, "__dlpack__") and not hasattr(x, "__array__"):
        x = np.from_dlpack(x)
    return SELECTED.array(x)


def _home_of_list(x: Any) -> Home | None:
    """Return the home of a list of arrays on GPUs, which are parts; None for other plain types."""
    if type(x) is not list or not x:
        return None
    if hasattr(x[0], "__cuda_array_interface__"):
        return cast(Home, import_module(PIECES).answer)
    if isinstance(x[0], np.ndarray) and len({np.shape(each) for each in x}) > 1:
        raise KeysNotFlat(
            "a list of arrays of several shapes is no array: pass modern.Parts(...) if all of them "
            "together are the keys, or np.concatenate(...)"
        )
    return None


@lru_cache(maxsize=256)
def home_of(given: type) -> Home | None:
    """Return the function that answers for a type; None for keys that become a plain array.

    Examples
    --------
    >>> home_of(list) is None
    True
    """
    for each in given.__mro__:
        module = FILES.get((each.__module__.partition(".")[0], each.__name__))
        if module is not None:
            return cast(Home, import_module(module).answer)
    if issubclass(given, CHUNKS) and not hasattr(given, "__array__"):
        return cast(Home, import_module(PIECES).answer)
    return None
