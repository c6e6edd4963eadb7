"""The rows of keys on a device: how they lie, and where their answers go."""

from functools import lru_cache
from math import prod
from operator import index
from typing import Any, NamedTuple, Self

import cupy
import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple

from modern.device_arrays import CuPyKeys, DeviceKeys, Sizes, TorchKeys
from modern.launching.launch import BFLOAT16, KeyType
from modern.opening import ONE_AXIS, Call, as_cupy, checked_axis, is_on_gpu
from shadersort.selection.rows.protocol import Rows
from shadersort.selection.rows.weighted import weighted_quantiles


class DeviceLayout(NamedTuple):
    """An array seen as (outer, length, inner), with its rows along the middle axis.

    Either `inner` is 1, and the keys of a row are neighbours in memory; or neighbouring rows are.
    """

    shape: Sizes  # (outer, length, inner)
    strides: Sizes  # of these, in keys
    order: Sizes | None  # of the axes of a contiguous copy; None if the array is taken as it is
    before: Sizes  # sizes of the axes in front of the rows' own in a result
    after: Sizes  # and of those behind
    along: Sizes  # and of the rows' own axes
    kept: Sizes  # the shape that rows leave, where their axes stay with the length 1
    back: Sizes | None  # what puts joined axes back where they were; None if they are there


class DeviceCall(Rows):
    """Keys as (outer, length, inner) on a device, and the arrays for answers.

    Answers are arrays of the caller's library, in the shape of the result already: kernels write
    into what `new` and `new_along` return.

    Attributes
    ----------
    keys
        The keys, of three axes as `DeviceLayout` says, in the caller's memory or in a copy.
    length, count
        The keys of a row, and the number of rows.
    dtype
        The caller's type of key: one of NumPy, or "bfloat16".
    """

    xp = cupy

    def __init__(self, keys: DeviceKeys, axis: Any, keepdims: bool, out: Any) -> None:
        self.source, self.axis, self.out = keys, axis, out
        named = axis if axis is None or type(axis) is int else _as_tuple(axis)
        self.layout = layout = device_layout(keys.shape, keys.strides, named)
        if layout.order is not None:
            keys = keys.contiguous(layout.order)
        keys.shape, keys.strides = layout.shape, layout.strides
        self.keys, self.launcher, self.dtype = keys, keys.launcher, keys.dtype
        self.rest = layout.kept if keepdims else layout.before + layout.after
        self.length, self.count = layout.shape[1], layout.shape[0] * layout.shape[2]

    @classmethod
    def open(cls, x: Any, call: Call) -> Self:
        """Open an array of CuPy or a tensor of PyTorch on a GPU."""
        axis = call.axis
        if not x.ndim or (type(axis) is not int and call.name in ONE_AXIS):
            x, axis = checked_axis(x, call)
        keys = CuPyKeys(x) if isinstance(x, cupy.ndarray) else TorchKeys(x)
        return cls(keys, axis, call.keepdims, call.out)

    def new(self, front: Sizes = (), dtype: KeyType | None = None) -> tuple[Any, int]:
        """Return an array for (*front, outer, inner), and its address: its shape is the result's.

        The answers are written as contiguous (*front, outer, inner).
        """
        return self.keys.empty(front + self.rest, self.dtype if dtype is None else dtype)

    def new_along(self, count: int, dtype: KeyType | None = None) -> tuple[Any, int]:
        """Return an array for (outer, count, inner), and its address: its shape is the result's.

        Several axes that are joined come back with their own lengths, for rows of full length.
        """
        layout = self.layout
        along = (count,) if count != self.length else layout.along
        shape = (*layout.before, *along, *layout.after)
        return self.keys.empty(shape, self.dtype if dtype is None else dtype)

    def result(self, found: Any, front: Sizes = ()) -> Any:
        """Return an answer, or write it into the caller's `out`.

        An answer on the host, as a search by a method has it, comes to the device.
        """
        if isinstance(found, np.ndarray | np.generic):
            found = self._put(np.asarray(found), front)
        elif found.ndim - len(front) != len(self.rest):
            found = found.reshape(front + self.rest)
        return found if self.out is None else self.keys.write(found, self.out)

    def along(self, found: Any, out: Any = None) -> Any:
        """Return keys or places of each row along its axis, or write them into `out`.

        Rows whose axes do not lie side by side were joined behind the others; they go back.
        """
        if self.layout.back is not None:
            found = self.keys.transposed(found, self.layout.back)
        return found if out is None else self.keys.write(found, out)

    def weighted(self, weights: Any, q: Any, *, nan: bool) -> Any:
        """Return the weighted quantiles q, (*q.shape, *rows)."""
        with self.keys.here():
            weights = cupy.asarray(as_cupy(weights) if is_on_gpu(weights) else weights)
            keys = self.source.as_cupy()
            found = weighted_quantiles(keys, weights, self.axis, q, nan=nan, xp=cupy)
            array, _ = self.new(q.shape, None if found.dtype == keys.dtype else found.dtype)
            array[...] = self.keys.give(found).reshape(array.shape)
            return array

    def _put(self, found: Any, front: Sizes) -> Any:
        """Return an answer on the host as a new array on the device."""
        half = self.dtype == BFLOAT16 and found.dtype.kind not in "iub"
        array, _ = self.new(front, BFLOAT16 if half else found.dtype)
        given = found.astype(np.float32) if half else found
        array[...] = self.keys.give(given).reshape(array.shape)
        return array


def _as_tuple(axis: Any) -> Sizes:
    """Return several axes, or one that is no int of Python, as a tuple of axes."""
    return tuple(axis) if hasattr(axis, "__iter__") else (index(axis),)


@lru_cache(maxsize=256)
def device_layout(shape: Sizes, strides: Sizes, axis: int | Sizes | None) -> DeviceLayout:
    """Lay out an array; raise NumPy's errors for axes that it has not.

    Examples
    --------
    >>> device_layout((4, 5, 3), (15, 3, 1), 1)[:3]
    ((4, 5, 3), (15, 3, 1), None)
    >>> device_layout((5, 4), (1, 5), 0)[:3]
    ((4, 5, 1), (5, 1, 0), None)
    >>> device_layout((4, 5, 3), (15, 3, 1), (0, 2))[:3]
    ((5, 12, 1), (12, 1, 0), (1, 0, 2))
    """
    ndim = len(shape)
    axes = tuple(range(ndim)) if axis is None else tuple(sorted(normalize_axis_tuple(axis, ndim)))
    rest = tuple(each for each in range(ndim) if each not in axes)
    first = axes[0] if axes else ndim
    before, after = (tuple(e for e in rest if e < first), tuple(e for e in rest if e > first))
    back = None
    if axes and axes[-1] - first >= len(axes):  # not side by side: their rows are joined last
        before, after = rest, ()
        back = tuple(sorted(range(ndim), key=(rest + axes).__getitem__))
    sizes = [tuple(shape[each] for each in group) for group in (before, axes, after)]
    kept = tuple(1 if each in axes else shape[each] for each in range(ndim))
    result = sizes[0], sizes[2], sizes[1], kept, back
    for outer, inner in ((before, after), (rest, ()), ((), rest)):
        joined = [_joined(shape, strides, group) for group in (outer, axes, inner)]
        if None not in joined:
            seen, steps = zip(*joined, strict=True)  # type: ignore[arg-type]
            if _is_near(seen, steps):
                return DeviceLayout(seen, steps, None, *result)
    outer, length, inner = map(prod, sizes)
    contiguous = (length * inner, inner, 1 if inner > 1 else 0)
    return DeviceLayout((outer, length, inner), contiguous, before + axes + after, *result)


def _joined(shape: Sizes, strides: Sizes, axes: Sizes) -> tuple[int, int] | None:
    """Return the size and the stride of axes as one axis; None if they do not lie like one."""
    known = [(shape[each], strides[each]) for each in axes if shape[each] != 1]
    size, step = known.pop() if known else (1, 0)
    last = size * step
    for each, stride in reversed(known):
        if stride != last:
            return None
        size, last = size * each, stride * each
    return None if step < 0 else (size, step)


def _is_near(shape: Sizes, strides: Sizes) -> bool:
    """Whether the keys of rows are neighbours; or those of columns, if there are several."""
    if 0 in shape:
        return True
    return strides[2] == 1 if shape[2] > 1 else strides[1] == 1 or shape[1] == 1
