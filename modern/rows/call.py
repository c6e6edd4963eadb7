"""The rows of keys on a device: how they lie, and where their answers go."""

from functools import cached_property, lru_cache
from math import prod
from operator import index
from typing import Any, NamedTuple

from numpy.lib.array_utils import normalize_axis_tuple

from modern.device_arrays import DeviceKeys, KeyType, Sizes
from modern.launching.launch import Launcher
from shadersort.errors import KeysNotFlat


class DeviceLayout(NamedTuple):
    """An array seen as (outer, length, inner), with its rows along the middle axis.

    Either `inner` is 1, and the keys of a row are neighbours in memory; or neighbouring rows are.
    """

    shape: Sizes  # (outer, length, inner)
    strides: Sizes  # of these, in keys
    order: Sizes | None  # of the axes of a contiguous copy; None if the array is taken as it is
    before: Sizes  # sizes of the axes in front of the rows' own in a result
    after: Sizes  # and of those behind
    kept: Sizes  # the shape that rows leave, where their axes stay with the length 1


class DeviceCall:
    """Keys as (outer, length, inner) on a device, and the arrays for answers.

    Attributes
    ----------
    keys
        The keys, of three axes as `DeviceLayout` says, in the caller's memory or in a copy.
    length, count
        The keys of a row, and the number of rows.
    dtype
        The caller's type of key: one of NumPy, or "bfloat16".
    """

    def __init__(self, keys: DeviceKeys, axis: Any, keepdims: bool, out: Any) -> None:
        self.source, self.keepdims, self.out = keys, keepdims, out
        named = axis if axis is None or isinstance(axis, int) else _as_tuple(axis)
        self.layout = layout = device_layout(keys.shape, keys.strides, named)
        if layout.order is None:
            self.keys = keys.seen(layout.shape, layout.strides)
        else:
            self.keys = keys.contiguous(layout.order, layout.shape)
        self.length, self.count = layout.shape[1], layout.shape[0] * layout.shape[2]
        self.dtype: KeyType = keys.dtype

    @cached_property
    def launcher(self) -> Launcher:
        """What launches kernels for these keys."""
        return self.keys.launcher

    def new(self, front: Sizes = (), dtype: KeyType | None = None) -> tuple[Any, int]:
        """Return an array for (*front, outer, inner), and its address: its shape is the result's.

        The answers are written as contiguous (*front, outer, inner).
        """
        layout = self.layout
        rest = layout.kept if self.keepdims else layout.before + layout.after
        return self.keys.empty(front + rest, self.dtype if dtype is None else dtype)

    def new_along(self, count: int, dtype: KeyType | None = None) -> tuple[Any, int]:
        """Return an array for (outer, count, inner), and its address: its shape is the result's."""
        shape = (*self.layout.before, count, *self.layout.after)
        return self.keys.empty(shape, self.dtype if dtype is None else dtype)

    def result(self, found: Any, front: Sizes = ()) -> Any:
        """Return an answer from `new` or `new_along`, or write it into the caller's `out`."""
        return found if self.out is None else self.source.write(found, self.out)


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
    if not ndim and axis not in (None, ()):
        raise KeysNotFlat("keys must have 1 dimension or more, not 0: pass [key] or axis=None")
    axes = tuple(range(ndim)) if axis is None else tuple(sorted(normalize_axis_tuple(axis, ndim)))
    rest = tuple(each for each in range(ndim) if each not in axes)
    first = axes[0] if axes else ndim
    before, after = (tuple(e for e in rest if e < first), tuple(e for e in rest if e > first))
    if axes and axes[-1] - first >= len(axes):  # not side by side: their rows are joined last
        before, after = rest, ()
    sizes = [tuple(shape[each] for each in group) for group in (before, axes, after)]
    result = sizes[0], sizes[2], tuple(1 if e in axes else shape[e] for e in range(ndim))
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
