"""Arrays by the standard of array libraries: `__array_namespace__` and DLPack, as JAX has them."""

from functools import partial
from typing import Any

import numpy as np

from modern.arrays import as_cupy, is_on_gpu
from modern.homes.call import Call
from shadersort.errors import BadOption

NOT_BY_DLPACK = (BufferError, RuntimeError, TypeError)
"""What libraries raise if an array, or its type, cannot be passed on."""


def answer(call: Call) -> Any:
    """Answer a call with arrays of the library of its keys.

    The library's own rules for types hold: JAX makes 32 bits of 64 unless `jax_enable_x64` is set.
    """
    home, kind = call.x.__array_namespace__(), type(call.x)

    def beside(each: Any) -> Any:
        if isinstance(each, tuple):  # out for values and places
            return tuple(map(beside, each))
        return _plain(each) if isinstance(each, kind) else each

    def number(each: Any) -> Any:
        return _plain(each, on_host=True) if isinstance(each, kind) else each

    _check_writable(call.out, kind)
    found = call.of(_plain(call.x), number, beside)
    return call.answered(found, partial(_returned, home))


def _check_writable(out: Any, kind: type) -> None:
    """Raise BadOption for arrays of other libraries, and for JAX's, which cannot be written."""
    for each in out if isinstance(out, tuple | list) else (out,):
        if each is not None and not isinstance(each, kind):
            raise BadOption(
                f"out is of {type(each).__module__}, and the keys are of {kind.__module__}: pass "
                "an array of the same library"
            )
        if each is not None and "jax" in kind.__module__:
            raise BadOption("JAX's arrays cannot be written: pass no out")


def _plain(x: Any, *, on_host: bool = False) -> Any:
    """Return an array as one of CuPy or NumPy, without a copy where that can be."""
    if is_on_gpu(x):
        return np.asarray(x) if on_host else as_cupy(x)
    try:
        return np.from_dlpack(x)
    except NOT_BY_DLPACK:
        return np.asarray(x)


def _returned(home: Any, found: Any) -> Any:
    """Return an array of NumPy or CuPy as one of a library."""
    if not is_on_gpu(found):
        found = forwards(np.asarray(found))
    try:
        return home.from_dlpack(found)
    except NOT_BY_DLPACK:
        return home.asarray(found)


def forwards(found: Any) -> Any:
    """Return an array as it is, or a copy if some axis goes backwards.

    Examples
    --------
    >>> forwards(np.arange(3)[::-1]).strides
    (8,)
    """
    return found if min(found.strides, default=0) >= 0 else found.copy()
