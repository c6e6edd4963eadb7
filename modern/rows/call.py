"""The rows of keys on a device: how they lie, and where their answers go."""

from functools import lru_cache
from math import prod
from operator import index
from typing import Any, NamedTuple

import cupy
import numpy as np

from modern.device_arrays import CuPyKeys, Sizes, TorchKeys
from modern.launching.launch import BFLOAT16, KeyType
from modern.opening import ONE_AXIS, Call, as_cupy, is_on_gpu, resolve_axis
from modern.rows.launches import KeyRows
from modern.rows.plans import Lying
from shadersort.selection.rows.axes import Layout, layout_of
from shadersort.selection.rows.protocol import Rows
from shadersort.selection.rows.weighted import weighted_quantiles

LONG, LONG_FIRSTS = 1 << 15, 1 << 20
"""The only row is one array for kernels of its own, from this many keys on; for first keys."""


class DeviceLayout(NamedTuple):
    """An array seen as rows along the middle axis of (outer, length, inner).

    Either `inner` is 1, and the keys of a row are neighbours in memory; or neighbouring rows are.
    """

    lying: Lying
    order: Sizes | None  # of the axes of a contiguous copy; None if the array is taken as it is
    axes: Layout  # the same along the axes of the caller's array
    sizes: tuple[Sizes, ...]  # of the axes that are joined to each of the three
    back: Sizes | None  # what puts the axes back where they were; None if they are there


class DeviceCall(Rows):
    """Keys as (outer, length, inner) on a device, and the arrays for answers.

    Answers are arrays of the caller's library: kernels write into what `new` and `new_rows` return,
    which `result` and `along` take.

    Attributes
    ----------
    keys
        The keys, of three axes as `DeviceLayout` says, in the caller's memory or in a copy.
    length, count
        The keys of a row, and the number of rows.
    dtype
        The caller's type of key: one of NumPy, or "bfloat16".
    is_one_array
        Whether all keys are one long row, neighbours in memory.
    rows
        The rows as kernels take them; answers are (…, outer, inner).
    """

    xp = cupy
    dtype: Any

    def __init__(self, x: Any, call: Call) -> None:
        axis = call.axis
        if not x.ndim or (type(axis) is not int and call.name in ONE_AXIS):
            x, axis = resolve_axis(x, call)
        if axis is not None and type(axis) is not int:
            axis = tuple(axis) if hasattr(axis, "__iter__") else (index(axis),)
        keys: CuPyKeys | TorchKeys = CuPyKeys(x) if isinstance(x, cupy.ndarray) else TorchKeys(x)
        self.source, self.axis, self.out = keys, axis, call.out
        self.layout = layout = device_layout(keys.shape, keys.strides, axis)
        if layout.order is not None:
            keys = keys.copy_contiguous(layout.order)
        outer, self.length, inner, steps = layout.lying
        keys.shape, keys.strides = layout.lying[:3], steps
        self.keys, self.launcher, self.dtype = keys, keys.launcher, keys.dtype
        self.itemsize, self.count = keys.launcher.raw.itemsize, outer * inner
        self.rows = KeyRows(keys, keys.pointer, layout.lying, (inner, self.count))
        self.is_float = isinstance(keys.dtype, str) or keys.dtype.kind == "f"
        self.rest = layout.axes.kept if call.keepdims else layout.axes.left
        self.is_one_array = self.count == 1 and self.length >= LONG and steps[1] == 1

    def new(self, front: Sizes = (), dtype: KeyType | None = None) -> tuple[Any, int]:
        """Return an array for (*front, outer, inner), and its address: its shape is the result's.

        The answers are written as contiguous (*front, outer, inner).
        """
        return self.keys.empty(front + self.rest, self.dtype if dtype is None else dtype)

    def new_rows(self, count: int, dtype: KeyType | None = None) -> tuple[Any, int]:
        """Return an array for (outer, count, inner), and its address; `along` gives it its shape.

        Several axes that are joined come back with their own lengths, for rows of full length.
        """
        outer, along, inner = self.layout.sizes
        shape = outer + (along if count == self.length else (count,)) + inner
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

    def take(self, found: Any, places: Any) -> Any:
        """Return answers at some places of the first axis, which go to the device."""
        self.launcher.check_not_captured("multiselect of ranks that do not ascend")
        return found[places]

    def along(self, found: Any, out: Any = None) -> Any:
        """Return keys or places of each row along its axis, or write them into `out`."""
        if self.layout.back is not None:
            found = self.keys.transpose(found, self.layout.back)
        return found if out is None else self.keys.write(found, out)

    def weighted_quantiles(self, weights: Any, q: Any, *, nan: bool) -> Any:
        """Return the weighted quantiles q, (*q.shape, *rows)."""
        self.launcher.check_not_captured("a weighted quantile")
        with self.keys.stream_context():
            weights = cupy.asarray(as_cupy(weights) if is_on_gpu(weights) else weights)
            keys = as_cupy(self.source.owner)
            found = weighted_quantiles(keys, weights, self.axis, q, nan=nan, xp=cupy)
            array, _ = self.new(q.shape, None if found.dtype == keys.dtype else found.dtype)
            array[...] = self.keys.give(found).reshape(array.shape)
            return array

    def _put(self, found: Any, front: Sizes) -> Any:
        """Return an answer on the host as a new array on the device."""
        rounds = self.keys.rounds and found.dtype == np.float32
        half = isinstance(self.dtype, str) and (found.dtype.kind == "V" or rounds)
        array, _ = self.new(front, BFLOAT16 if half else found.dtype)
        given = found.astype(np.float32) if half else found
        array[...] = self.keys.give(given).reshape(array.shape)
        return array


@lru_cache(maxsize=256)
def device_layout(shape: Sizes, strides: Sizes, axis: int | Sizes | None) -> DeviceLayout:
    """Lay out an array; raise NumPy's errors for axes that it has not.

    Examples
    --------
    >>> device_layout((4, 5, 3), (15, 3, 1), 1)[:2]
    (Lying(outer=4, length=5, inner=3, steps=(15, 3, 1)), None)
    >>> device_layout((5, 4), (1, 5), 0)[:2]
    (Lying(outer=4, length=5, inner=1, steps=(5, 1, 0)), None)
    >>> device_layout((4, 5, 3), (15, 3, 1), (0, 2))[:2]
    (Lying(outer=5, length=12, inner=1, steps=(12, 1, 0)), (1, 0, 2))
    """
    known = layout_of(shape, axis)
    axes, rest = known.axes, known.order[: len(known.left)]
    first, last = (axes[0], axes[-1]) if axes else (len(shape), 0)
    before = tuple(each for each in rest if each < first)
    if any(first < each < last for each in rest):
        before = rest
    groups = before, axes, rest[len(before) :]
    inner = prod(shape[each] for each in groups[2])
    copied: Sizes | None = sum(groups, ())
    steps: Sizes = (known.length * inner, inner, int(inner > 1))
    for some in (groups, (rest, axes, ()), ((), axes, rest)):
        joined = [join_axes(shape, strides, group) for group in some]
        if None not in joined and are_near(*zip(*joined, strict=True)):
            groups, copied, steps = some, None, tuple(step for _, step in joined)
            break
    order = sum(groups, ())
    back = tuple(sorted(range(len(shape)), key=order.__getitem__))
    sizes = tuple(tuple(shape[each] for each in group) for group in groups)
    lying = Lying(*map(prod, sizes), steps)
    return DeviceLayout(
        lying, copied, known, sizes, None if back == (*range(len(shape)),) else back
    )


def join_axes(shape: Sizes, strides: Sizes, axes: Sizes) -> tuple[int, int] | None:
    """Return size and stride of axes as one axis; None if they do not lie so."""
    known = [(shape[each], strides[each]) for each in axes if shape[each] != 1]
    size, step = known.pop() if known else (1, 0)
    last = size * step
    for each, stride in reversed(known):
        if stride != last:
            return None
        size, last = size * each, stride * each
    return None if step < 0 else (size, step)


def are_near(shape: Sizes, strides: Sizes) -> bool:
    """Whether the keys of rows are neighbours; or those of columns, if there are several."""
    if 0 in shape:
        return True
    return strides[2] == 1 if shape[2] > 1 else strides[1] == 1 or shape[1] == 1
