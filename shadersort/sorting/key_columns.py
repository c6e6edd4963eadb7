"""Keys of several columns, as records of a database have them: of rows, or of a structured type.

They are sorted by one column after another, the last one first. Each sort is stable, so keys that
are equal in a column keep the order of the columns behind it (radix sort, with columns as digits).
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from shadersort.errors import KeysNotFlat, ValuesMismatch


def split_columns(keys: Any) -> list[Any]:
    """Return the columns of keys, the most significant first: of any library's array.

    Examples
    --------
    >>> split_columns(np.array([[2, 10], [1, 20]]))
    [array([2, 1]), array([10, 20])]
    >>> split_columns(np.array([(2, 0.5), (1, 0.25)], [("id", "u4"), ("price", "f4")]))
    [array([2, 1], dtype=uint32), array([0.5 , 0.25], dtype=float32)]
    """
    names = getattr(keys.dtype, "names", None)
    if names:
        return [column for name in names for column in split_columns(keys[name])]
    if keys.ndim == 2:
        return [keys[:, i] for i in range(keys.shape[1])]
    return [keys]


def order_of_columns(keys: Any, argsort: Callable[[Any], Any]) -> Any:
    """Return the places that sort keys of one column or several, by a stable sort of each column.

    Examples
    --------
    >>> order_of_columns(np.array([[2, 10], [1, 20], [1, 10]]), lambda x: x.argsort(kind="stable"))
    array([2, 1, 0])
    """
    *others, last = split_columns(keys) or [None]
    if last is None:
        raise KeysNotFlat("keys have no column: pass an array of shape (count, columns)")
    order = argsort(last)
    for column in reversed(others):
        order = order[argsort(column[order])]
    return order


def as_values(values: Any, keys: Any, own: Callable[[Any], Any] = np.asanyarray) -> Any:
    """Return the values of keys as an array that `own` makes of them.

    Raises ValuesMismatch unless the first axis has one entry for each key.
    """
    try:
        array = own(values)
    except ValueError as error:
        raise ValuesMismatch(f"values are no array: {error}") from error
    if tuple(array.shape[:1]) != tuple(keys.shape[:1]):
        raise ValuesMismatch(
            f"{len(keys):,} keys, and values of shape {tuple(array.shape)}: "
            "the first axis must have one entry for each key"
        )
    return array
