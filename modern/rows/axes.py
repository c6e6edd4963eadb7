"""Axes: which rows an array has along them, and what shape a result gets. As in NumPy."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple

from shadersort.errors import BadAxis

Axis: TypeAlias = int | Sequence[int] | None
"""One axis; several, which are joined to one; or None, all axes."""


@dataclass(frozen=True, slots=True)
class Layout:
    """How an array is seen as (outer, length, inner), with its rows along the middle axis.

    The other axes are in the order of their strides, so that NumPy needs no copy to join them, if
    an array of that order of axes is contiguous. Of an array with gaps it may need one.

    Examples
    --------
    >>> image = np.zeros((4, 5, 3))
    >>> layout = Layout.of(image, 1)
    >>> layout.rows(image).shape, layout.result(np.zeros((4, 3)), keepdims=True).shape
    ((4, 5, 3), (4, 1, 3))
    """

    shape: tuple[int, ...]  # of the array
    axes: tuple[int, ...]  # along which its rows lie; in this order if there are several
    outer: tuple[int, ...]  # the other axes, those with large strides
    inner: tuple[int, ...]  # and those with smaller strides than the rows

    @classmethod
    def of(cls, x: Any, axis: Axis) -> "Layout":
        """Lay out an array, of NumPy or CuPy; raise NumPy's errors for axes that it has not."""
        along = tuple(range(x.ndim)) if axis is None else normalize_axis_tuple(axis, x.ndim)
        if not along:
            raise BadAxis("axis=() names no axis: name one, or None for all")
        axes = tuple(sorted(along))
        strides = [abs(stride) for stride in x.strides]
        rest = sorted(set(range(x.ndim)) - set(axes), key=lambda each: (-strides[each], each))
        step = min(strides[each] for each in axes)
        outer = tuple(each for each in rest if strides[each] >= step)
        return cls(tuple(x.shape), axes, outer, tuple(rest[len(outer) :]))

    @property
    def length(self) -> int:
        """How many keys a row has."""
        return self._count(self.axes)

    @property
    def count(self) -> int:
        """How many rows there are."""
        return self._count(self.outer + self.inner)

    @property
    def left(self) -> tuple[int, ...]:
        """The shape of an array with one number for each row."""
        return tuple(size for each, size in enumerate(self.shape) if each not in self.axes)

    def rows(self, x: Any) -> Any:
        """Return the array as (outer, length, inner)."""
        turned = x.transpose(self.outer + self.axes + self.inner)
        return turned.reshape(self._count(self.outer), self.length, self._count(self.inner))

    def result(self, found: Any, front: tuple[int, ...] = (), *, keepdims: bool = False) -> Any:
        """Return (…, outer, inner) as an array with the axes `front` first, then those left."""
        rest = self.outer + self.inner
        at = len(front)
        found = found.reshape(front + self._sizes(rest))
        back = sorted(range(len(rest)), key=rest.__getitem__)
        found = found.transpose((*range(at), *(at + place for place in back)))
        return found.reshape(front + self._kept()) if keepdims else found

    def whole(self, found: Any) -> Any:
        """Return (outer, k, inner) as an array with all axes; the rows' own has the length k.

        Several axes need the length that they have.
        """
        order = self.outer + self.axes + self.inner
        k = found.shape[1]
        along = (k,) if len(self.axes) == 1 else self._sizes(self.axes)
        found = found.reshape(self._sizes(self.outer) + along + self._sizes(self.inner))
        return found.transpose(sorted(range(len(order)), key=order.__getitem__))

    def _kept(self) -> tuple[int, ...]:
        return tuple(1 if each in self.axes else size for each, size in enumerate(self.shape))

    def _sizes(self, axes: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(self.shape[each] for each in axes)

    def _count(self, axes: tuple[int, ...]) -> int:
        return int(np.prod(self._sizes(axes), dtype=np.int64))
