"""Weights and q with labels: put in the order of the keys' labels, never matched by position.

pandas and xarray both have `pandas.Index` for the labels of an axis.
"""

from collections.abc import Sequence
from typing import Any

from shadersort.errors import BadWeights, ShadersortError, ValuesMismatch

ERRORS: dict[str, tuple[type[ShadersortError], str]] = {
    "weights": (BadWeights, "give each key a weight of its label"),
    "q": (ValuesMismatch, "give each row a q of its label"),
}
"""What is raised for other labels, and what would be right, by the name of an argument."""


def taken(values: Any, labels: Sequence[Sequence[Any]], name: str = "weights") -> Any:
    """Return values with the last axes in the keys' order: of each its labels, and the keys'.

    None in place of labels says that an axis has none: then it stays as it is.

    Examples
    --------
    >>> import numpy as np, pandas
    >>> taken(np.array([5, 6, 7]), [(pandas.Index(list("xyz")), pandas.Index(list("zxy")))])
    array([7, 5, 6])
    """
    for axis, (given, wanted) in enumerate(labels, values.ndim - len(labels)):
        if given is None or wanted is None or given.equals(wanted):
            continue
        values = values.take(_places(given, wanted, name), axis=axis)
    return values


def _places(given: Any, wanted: Any, name: str) -> Any:
    """Return the place of each label; raise an error unless they are the same, each one once."""
    if given.is_unique and wanted.is_unique and len(given) == len(wanted):
        places = given.get_indexer(wanted)
        if (places >= 0).all():
            return places
    error, right = ERRORS[name]
    raise error(
        f"the labels of {name}, {_some(given)}, are not those of the keys, {_some(wanted)}, each "
        f"one once: {right}, or pass an array without labels, which is matched by position"
    )


def _some(labels: Any) -> str:
    """Return the first labels, as text."""
    return f"{', '.join(map(repr, labels[:3].tolist()))}{', …' if len(labels) > 3 else ''}"
