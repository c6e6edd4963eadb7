"""Arrays of any library, where they are: their primitives, and answers as arrays of their kind."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from os import PathLike
from typing import Any, Protocol, TypeAlias, TypeVar

import numpy as np

from modern.primitives.numpy import HostPrimitives
from shadersort.errors import MethodUnavailable, OutOfDeviceMemory, UnsupportedKeys
from shadersort.selection.primitives import Primitives

CUDA = (2, 13)
"""DLPack's numbers for the memory of a CUDA device, and for memory shared with the host."""


class OnDevice(Protocol):
    """An array in the memory of a CUDA device, as CuPy, PyTorch and Numba have them."""

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]: ...


class InParts(Protocol):
    """Keys in several places (`modern.Parts`), which stand where an array does."""

    def primitives(self) -> Primitives:
        """Return the primitives over all parts."""


def is_on_gpu(x: Any) -> bool:
    """Whether an array says that it is in the memory of a CUDA device.

    Examples
    --------
    >>> is_on_gpu([1, 2, 3])
    False
    """
    if isinstance(x, np.ndarray):  # the usual case, which is recognised fastest
        return False
    if _is_of_cupy(x):  # whose interface takes time to make
        return True
    if hasattr(x, "__cuda_array_interface__"):
        return True
    return hasattr(x, "__dlpack_device__") and x.__dlpack_device__()[0] in CUDA


def _is_of_cupy(x: Any) -> bool:
    """Whether an object is an array of CuPy, without an import of CuPy."""
    cupy = sys.modules.get("cupy")
    return cupy is not None and isinstance(x, cupy.ndarray)


class TensorLike(Protocol):
    """What a type checker knows a tensor of PyTorch by."""

    @property
    def requires_grad(self) -> bool:
        """Whether gradients reach the tensor."""

    def detach(self) -> Any:
        """Return the tensor without gradients."""


Tensor = TypeVar("Tensor", bound=TensorLike)
"""Tensors of PyTorch: answers about a tensor are tensors."""

Elsewhere: TypeAlias = OnDevice | TensorLike | InParts | PathLike[str] | Callable[[], Iterable[Any]]
"""What stands where an array does: one on a device, a tensor, keys in several places, a file, or a
function that makes chunks."""


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


def as_cupy(x: Any) -> Any:
    """Return an array on a GPU as a CuPy array, without a copy."""
    try:
        import cupy
    except ModuleNotFoundError as error:
        raise MethodUnavailable(
            "arrays on a GPU need CuPy: pip install 'shadersort[cuda]', or cupy-cuda12x for CUDA 12"
        ) from error
    if isinstance(x, cupy.ndarray):
        return x
    if str(getattr(x, "dtype", "")).endswith("bfloat16"):
        return _bfloat16(x)
    return cupy.asarray(x) if hasattr(x, "__cuda_array_interface__") else cupy.from_dlpack(x)


def module_of(array: Any) -> Any:
    """Return the module that an array is of: NumPy or CuPy.

    Examples
    --------
    >>> module_of(np.zeros(3)).__name__
    'numpy'
    """
    if isinstance(array, np.ndarray):
        return np
    import cupy

    return cupy


def _bfloat16(x: Any) -> Any:
    """Return an array of bfloat16 by DLPack: __cuda_array_interface__ has no name for its type."""
    import cupy

    try:
        return cupy.from_dlpack(x)
    except NotImplementedError as error:
        raise UnsupportedKeys(
            "keys of bfloat16 on a GPU need ml_dtypes: pip install ml_dtypes"
        ) from error


def on_device(x: Any) -> AbstractContextManager[Any]:
    """Return a context that gives an array on a GPU as a CuPy array, on the current device."""
    return _OnDevice(as_cupy(x))


class _OnDevice:
    """A context whose current device is that of a CuPy array; one of contextlib takes more time."""

    __slots__ = "_device", "_given"

    def __init__(self, given: Any) -> None:
        self._given, self._device = given, given.device

    def __enter__(self) -> Any:
        self._device.__enter__()
        return self._given

    def __exit__(self, kind: Any, error: Any, *where: Any) -> None:
        self._device.__exit__(kind, error, *where)
        if error is not None and _is_out_of_memory(error):
            raise OutOfDeviceMemory(
                f"the device has too little memory left: {error}. Sorting and thresholding copy "
                "all keys, and topk the places of k; modern.select copies none with "
                "method='radix-inplace'"
            ) from error


def _is_out_of_memory(error: BaseException) -> bool:
    import cupy

    return isinstance(error, cupy.cuda.memory.OutOfMemoryError)


@contextmanager
def served(x: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the module that computes with an array, NumPy or CuPy, and the array's primitives.

    An array on a GPU is not copied, except bfloat16 as float32. Its device is the current device
    inside the `with` block. The primitives have the contiguous array as their attribute `keys`.
    """
    if not is_on_gpu(x):
        yield np, HostPrimitives(x)
        return
    with on_device(x) as given:
        import cupy

        from modern.primitives.cupy import CuPyPrimitives

        yield cupy, CuPyPrimitives(given)


def answered(x: Any, ask: Callable[[Primitives], Any]) -> Any:
    """Ask the primitives of an array for something; return the answer as arrays of its own kind.

    An array on a GPU, which is not copied, gets CuPy arrays on the same device. Everything else
    gets NumPy's scalars and arrays. A trace in the answer stays as it is.
    """
    with served(x) as (xp, keys):
        found = ask(keys)
        if xp is np:
            return found
        if isinstance(found, tuple):
            return keys.given(found[0]), *found[1:]
        return keys.given(found)
