"""What kernels are compiled with for one type of key: the compiler's options."""

from typing import Any

import numpy as np
import numpy.typing as npt

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
