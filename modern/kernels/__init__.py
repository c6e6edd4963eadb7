"""CUDA kernels, one idea a file, and how a file becomes a kernel for one type of key.

The folders say what kernels are for: `one_read` (selection of one array), `papers` (the methods of
the papers), `rows`, `streams`; `shared` is included by kernels of several folders. A file is known
by its name, which is unique; a kernel is the function of its name in the file of its name, whose
head names the NumPy twin with which it must agree. The sources include only each other. NVRTC
compiles a kernel at its first use.
"""

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["DTYPES", "kernel_names", "options", "source"]

FOLDERS = "shared", "one_read", "papers", "rows", "streams"

UNSIGNED = {1: "unsigned char", 2: "unsigned short", 4: "unsigned int", 8: "unsigned long long"}
VALUES = {
    "float16": "float",
    "float32": "float",
    "float64": "double",
    "int8": "int",
    "int16": "int",
    "int32": "int",
    "int64": "long long",
    "uint8": "unsigned int",
    "uint16": "unsigned int",
    "uint32": "unsigned int",
    "uint64": "unsigned long long",
}
"""The type in CUDA that a key is computed with, by its NumPy type."""

DTYPES = tuple(np.dtype(name) for name in VALUES)
"""The types of key that the kernels know."""

BFLOAT16: dict[str, str | int] = {
    **{"RAW": UNSIGNED[2], "KEY_BYTES": 2, "VALUE": "float", "FLOATING": 7, "SIGNED": 1}
}
"""The macros of bfloat16, which NumPy alone does not know."""


@cache
def source(name: str) -> str:
    """Return the source of a file, with each include replaced by that file.

    Examples
    --------
    >>> "extern" in source("extent.cu")
    True
    """
    return "\n".join(_lines(name, set()))


def kernel_names() -> list[str]:
    """Return the name of every kernel.

    Examples
    --------
    >>> kernel_names()[:2]
    ['alabi_assign_buckets', 'alabi_copy_elements']
    """
    return sorted(name.removesuffix(".cu") for name in _files() if name.endswith(".cu"))


@cache
def _files() -> dict[str, Traversable]:
    """Return every file of the folders by its name."""
    folders = (files("modern.kernels") / folder for folder in FOLDERS)
    return {file.name: file for folder in folders for file in folder.iterdir()}


def _lines(name: str, included: set[str]) -> Iterator[str]:
    """Yield the lines of a file; an include is replaced by the lines of that file, once."""
    included.add(name)
    for line in _files()[name].read_text(encoding="utf-8").splitlines():
        if not line.startswith("#include "):
            yield line
        elif (other := line.split('"')[1]) not in included:
            yield from _lines(other, included)


def options(dtype: npt.DTypeLike, **macros: int) -> tuple[str, ...]:
    """Return the compiler options for one type of key, or for "bfloat16".

    Examples
    --------
    >>> options("int32", SUMS=1)[2:]
    ('-DKEY_BYTES=4', '-DVALUE=int', '-DFLOATING=0', '-DSIGNED=1', '-DSUMS=1')
    """
    known = BFLOAT16 if dtype == "bfloat16" else _known(np.dtype(dtype))
    return ("--std=c++17", *(f"-D{name}={value}" for name, value in (known | macros).items()))


def _known(key: np.dtype[Any]) -> dict[str, str | int]:
    """Return the macros that describe a type of key."""
    return {
        "RAW": UNSIGNED[key.itemsize],
        "KEY_BYTES": key.itemsize,
        "VALUE": VALUES[key.name],
        "FLOATING": np.finfo(key).nmant if key.kind == "f" else 0,
        "SIGNED": int(key.kind != "u"),
    }
