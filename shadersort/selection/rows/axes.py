"""Axes: which rows an array has along them, and what shape a result gets. As in NumPy."""

from collections.abc import Sequence
from functools import lru_cache
from math import prod
from operator import index
from typing import Any, NamedTuple, TypeAlias

from numpy.lib.array_utils import normalize_axis_tuple

Axis: TypeAlias = int | Sequence[int] | None
"""One axis; several, which are joined to one; or None, all axes."""

Sizes: TypeAlias = tuple[int, ...]


class Layout(NamedTuple):
    """How rows lie along some axes of an array of some shape."""

    axes: Sizes  # of the rows, ascending
    length: int  # of a row
    rows: int  # their number
    left: Sizes  # the shape of the other axes
    kept: Sizes  # the shape of all axes, in which those of the rows have the length 1
    order: Sizes  # the other axes, and then those of the rows
    back: Sizes  # the permutation that undoes this order


def layout_of(shape: Sizes, axis: Axis) -> Layout:
    """Return how rows lie along axes; raise NumPy's errors for axes that the array has not."""
    if axis is not None and type(axis) is not int:
        named: Any = axis
        axis = tuple(named) if hasattr(named, "__iter__") else index(named)
    return _layout(shape, axis)


@lru_cache(maxsize=256)
def _layout(shape: Sizes, axis: Any) -> Layout:
    every = range(len(shape))
    axes = tuple(every if axis is None else sorted(normalize_axis_tuple(axis, len(shape))))
    order = (*(each for each in every if each not in axes), *axes)
    left = tuple(shape[each] for each in every if each not in axes)
    kept = tuple(1 if each in axes else shape[each] for each in every)
    back = tuple(sorted(every, key=order.__getitem__))
    return Layout(axes, prod(shape[each] for each in axes), prod(left), left, kept, order, back)
