"""Axes: which rows an array has along them, and what shape a result gets. As in NumPy."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import prod
from operator import index
from typing import Any, TypeAlias

from numpy.lib.array_utils import normalize_axis_tuple

Axis: TypeAlias = int | Sequence[int] | None
"""One axis; several, which are joined to one; or None, all axes."""

Axes: TypeAlias = tuple[int, ...]
Sizes: TypeAlias = tuple[int, ...]


@dataclass(frozen=True)
class Layout:
    """How an array is seen as (outer, length, inner), with its rows along the middle axis.

    The other axes are in the order of their strides, so that NumPy needs no copy to join them, if
    an array of that order of axes is contiguous. Of an array with gaps it may need one.

    Examples
    --------
    >>> import numpy as np
    >>> image = np.zeros((4, 5, 3))
    >>> layout = layout_of(image, 1)
    >>> layout.rows(image).shape, layout.result(np.zeros((4, 3)), keepdims=True).shape
    ((4, 5, 3), (4, 1, 3))
    """

    shape: Sizes  # of the array
    axes: Axes  # along which its rows lie; in this order if there are several
    outer: Axes  # the other axes, those with large strides
    inner: Axes  # and those with smaller strides than the rows

    @cached_property
    def seen(self) -> tuple[int, int, int]:
        """The shape (outer, length, inner)."""
        outer, length, inner = (
            prod(self._sizes(axes)) for axes in (self.outer, self.axes, self.inner)
        )
        return outer, length, inner

    @property
    def length(self) -> int:
        """How many keys a row has."""
        return self.seen[1]

    @property
    def count(self) -> int:
        """How many rows there are."""
        return self.seen[0] * self.seen[2]

    def rows(self, x: Any) -> Any:
        """Return the array as (outer, length, inner)."""
        turned = x.transpose(self._order) if self._back else x
        return turned.reshape(self.seen)

    def result(self, found: Any, front: Sizes = (), *, keepdims: bool = False) -> Any:
        """Return (…, outer, inner) as an array with the axes `front` first, then those left."""
        rest = self.outer + self.inner
        found = found.reshape(front + self._left)
        if self._back:
            at = len(front)
            back = sorted(range(len(rest)), key=rest.__getitem__)
            found = found.transpose((*range(at), *(at + place for place in back)))
        return found.reshape(front + self._kept) if keepdims else found

    @property
    def left(self) -> Sizes:
        """The shape that the rows leave: of the other axes, in their own order."""
        return self._sizes(tuple(sorted(self.outer + self.inner)))

    def whole(self, found: Any) -> Any:
        """Return (outer, k, inner) as an array with all axes; the rows' own has the length k.

        Several axes need the length that they have.
        """
        before, after = self._around
        along = (found.shape[1],) if len(self.axes) == 1 else self._sizes(self.axes)
        found = found.reshape(before + along + after)
        return found.transpose(self._back) if self._back else found

    @cached_property
    def _order(self) -> Axes:
        return self.outer + self.axes + self.inner

    @cached_property
    def _back(self) -> Axes:
        """The axes that turn the order back; none if all are in their own order."""
        back = tuple(sorted(range(len(self._order)), key=self._order.__getitem__))
        return () if back == tuple(range(len(back))) else back

    @cached_property
    def _around(self) -> tuple[Sizes, Sizes]:
        return self._sizes(self.outer), self._sizes(self.inner)

    @cached_property
    def _left(self) -> Sizes:
        return self._sizes(self.outer + self.inner)

    @cached_property
    def _kept(self) -> Sizes:
        return tuple(1 if each in self.axes else size for each, size in enumerate(self.shape))

    def _sizes(self, axes: Axes) -> Sizes:
        return tuple(self.shape[each] for each in axes)


def layout_of(x: Any, axis: Axis) -> Layout:
    """Lay out an array, of NumPy or CuPy; raise NumPy's errors for axes that it has not."""
    strides = None if x.flags.c_contiguous else x.strides
    named = axis if axis is None or isinstance(axis, int) else tuple(_iterated(axis))
    return _layout(x.shape, strides, named)


def _iterated(axis: Any) -> Any:
    """Return several axes, or one that is no int of Python, as NumPy's integers are none."""
    return axis if hasattr(axis, "__iter__") else (index(axis),)


@lru_cache(maxsize=256)
def _layout(shape: Sizes, strides: Sizes | None, axis: int | Axes | None) -> Layout:
    """Lay out arrays; without strides, contiguous ones."""
    ndim = len(shape)
    axes = tuple(range(ndim)) if axis is None else tuple(sorted(normalize_axis_tuple(axis, ndim)))
    if not axes:  # each key is a row, as in NumPy
        return Layout(shape, (), tuple(range(ndim)), ())
    steps = [-abs(stride) for stride in strides or ()]
    if strides is None:
        steps = [-prod(shape[each + 1 :]) for each in range(ndim)]
    rest = sorted(set(range(ndim)) - set(axes), key=lambda each: (steps[each], each))
    last = max(steps[each] for each in axes)
    outer = tuple(each for each in rest if (steps[each], each) < (last, max(axes)))
    return Layout(shape, axes, outer, tuple(rest[len(outer) :]))
