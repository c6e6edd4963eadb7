"""Columns of other libraries: whatever speaks a protocol of arrays becomes one of NumPy.

pandas, Polars and pyarrow have `__array__`, which NumPy asks for itself. Others have only DLPack.
Missing floats become NaN, and so do missing integers in a column that is then of float64.
"""

from typing import Any

import numpy as np

from shadersort.errors import UnsupportedKeys

PROTOCOLS = ("dtype", "__dlpack__", "__arrow_c_array__", "__arrow_c_stream__")
"""What has one of these attributes says the type of its values."""


def as_column(values: Any) -> Any:
    """Return values, or an array of NumPy if NumPy itself does not know their protocol.

    Raises UnsupportedKeys for an array on a GPU.

    Examples
    --------
    >>> class Column:
    ...     def __dlpack__(self, **options):
    ...         return np.arange(3).__dlpack__(**options)
    ...     def __dlpack_device__(self):
    ...         return 1, 0
    >>> as_column(Column()), as_column([1, 2])
    (array([0, 1, 2]), [1, 2])
    """
    if hasattr(values, "__array__") or isinstance(values, list | tuple | int | float):
        return values
    if hasattr(values, "__dlpack__"):
        return _read_dlpack(values)
    if hasattr(values, "__cuda_array_interface__"):
        raise _gpu_error(values, "it has only __cuda_array_interface__")
    return values


def is_typed(values: Any) -> bool:
    """Whether values say their own type, as arrays and columns do; Python's numbers do not."""
    return any(hasattr(values, name) for name in PROTOCOLS)


def is_of_integers(values: Any) -> bool:
    """Whether a column says that it is of integers, though some may be missing.

    Examples
    --------
    >>> is_of_integers(np.int8([1])), is_of_integers(np.zeros(1)), is_of_integers([1])
    (True, False, False)
    """
    kind = getattr(values, "dtype", getattr(values, "type", ""))
    return str(kind).lower().startswith(("int", "uint"))


def has_missing_integers(values: Any) -> bool:
    """Whether a column of integers, or one of a table, has gaps: NumPy would round its integers.

    Examples
    --------
    >>> has_missing_integers(np.int8([1])), has_missing_integers([1, 2])
    (False, False)
    """
    if isinstance(values, np.ndarray | list | tuple):
        return False
    for name in ("get_columns", "itercolumns"):  # tables of Polars and Arrow
        if hasattr(values, name):
            return any(map(has_missing_integers, getattr(values, name)()))
    if hasattr(values, "iterrows"):  # a table of pandas
        return any(has_missing_integers(column) for _, column in values.items())
    if not is_of_integers(values):
        return False
    count = getattr(values, "null_count", 0)
    if callable(count):
        count = count()
    return bool(count) or (hasattr(values, "isna") and bool(np.any(values.isna())))


def _read_dlpack(values: Any) -> Any:
    try:
        return np.from_dlpack(values)
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        raise _gpu_error(values, str(error)) from error


def _gpu_error(values: Any, why: str) -> UnsupportedKeys:
    return UnsupportedKeys(
        f"NumPy cannot read this {type(values).__name__} ({why}): if it is on a GPU, pass it to a "
        "summary with sorter=modern.Sorter(), or copy it to the host"
    )
