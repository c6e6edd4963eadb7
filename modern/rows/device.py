"""Rows of keys on a device: every question is launched on the caller's stream; none waits."""

from math import prod
from operator import index
from typing import Any

import cupy
import numpy as np
import numpy.typing as npt

from modern.device_arrays import ArrayKeys, CuPyKeys, TorchKeys, write_values
from modern.launching.launch import BFLOAT16, KeyType
from modern.opening import ONE_AXIS, Call, as_cupy, is_on_gpu, resolve_axis
from modern.primitives import cells, one_read
from modern.rows.launches import KeyRows, Request, find
from modern.rows.layout import device_layout
from modern.rows.ordered import INT64, OrderedRows
from modern.rows.plans import MEDIAN, NANMEDIAN, NO_ARRAY, NUMBERS, Question, Sizes
from modern.rows.quantiles import find_of_numbers, launch_step, plan_quantiles
from shadersort.errors import MethodUnavailable
from shadersort.selection.primitives import Primitives
from shadersort.selection.rows.host import HostRows
from shadersort.selection.top_keys import LARGEST, SMALLEST
from shadersort.selection.weighted_quantiles import weighted_quantiles

FLOAT64 = np.dtype(np.float64)

LONG = 1 << 15
"""From so many keys on, the only row is one array for kernels of its own."""


class DeviceRows(OrderedRows):
    """Rows of an array of CuPy or PyTorch on a device, along any axes.

    Answers are arrays of the caller's library, with the axes in front that a question adds: kernels
    write into what `new` and `new_rows` return, which `result` and `axis_result` take.

    Attributes
    ----------
    keys
        The keys, of three axes as `DeviceLayout` says, in the caller's memory or in a copy.
    rows
        The rows as kernels take them; answers are (…, outer, inner).
    length, count
        The keys of a row, and the number of rows.
    dtype
        The caller's type of key: one of NumPy, or "bfloat16".
    is_one_array
        Whether all keys are one long row, neighbours in memory.
    """

    xp = cupy
    dtype: Any

    def __init__(self, x: Any, call: Call, keys: ArrayKeys | None = None) -> None:
        axis = call.axis
        if not x.ndim or (type(axis) is not int and call.name in ONE_AXIS):
            x, axis = resolve_axis(x, call)
        if axis is not None and type(axis) is not int:
            axis = tuple(axis) if hasattr(axis, "__iter__") else (index(axis),)
        if keys is None:
            keys = CuPyKeys(x) if isinstance(x, cupy.ndarray) else TorchKeys(x)
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

    def axis_result(self, found: Any, out: Any = None) -> Any:
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
            found = weighted_quantiles(HostRows(keys, self.axis), weights, q, nan=nan, xp=cupy)
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

    def rank(self, k: int) -> Any:
        """Return the keys of one rank, the same for all rows: of shape (*rows)."""
        found, pointer = self.new()
        self._find((k,), pointer, unless_nan=False)
        return found

    def ranks(self, ks: Any, *, unless_nan: bool = False) -> Any:
        """Return the keys of ranks, the same for all rows: of shape (len(ks), *rows)."""
        found, pointer = self.new((len(ks),))
        self._find(ks, pointer, unless_nan=unless_nan)
        return found

    def ranks_unless_nan(self, ks: Any) -> Any:
        """Return the keys of ranks; a row that has a NaN gets NaN for every rank."""
        return self.ranks(ks, unless_nan=self.is_float)

    def _find(self, ks: Any, pointer: int, *, unless_nan: bool) -> None:
        """Find the keys of ranks, and write them as (len(ks), outer, inner)."""
        if not self.count or not len(ks):
            return
        first, last, count = int(ks[0]), int(ks[-1]), len(ks)
        if self.is_one_array and (count == 1 or last - first == count - 1 == 1):
            self.launch_one(first, pointer, pair=count == 2, unless_nan=unless_nan)
        elif self.is_one_array and cells.is_possible(self.keys):
            ranks = ks if isinstance(ks, tuple) else ks.tolist()
            self.launch_many(ranks, pointer, unless_nan=unless_nan)
        elif count == 1 and first in (0, self.length - 1) and not unless_nan:
            end = Question(firsts=1, by=LARGEST if first else SMALLEST)
            find(self.rows, Request(end, (pointer, NO_ARRAY), (self.itemsize, 0), (1,)))
        else:
            listed = last - first != count - 1
            at = write_values(self.keys, np.asarray(ks, np.int64)) if listed else NO_ARRAY
            question, sizes = Question(unless_nan=unless_nan), (0, self.itemsize)
            find(self.rows, Request(question, (at, pointer), sizes, (first, count, 0)))

    def launch_one(self, rank: int, answer: int, **how: Any) -> None:
        """Launch the search for a rank, or for the middle keys, in one array (one_read.py)."""
        one_read.launch(self.keys, rank, answer, **how)

    def launch_many(self, ranks: Any, answers: int, *, unless_nan: bool) -> None:
        """Launch the search for ascending ranks in one array (cells.py)."""
        cells.launch(self.keys, ranks, answers, unless_nan=unless_nan)

    def ranks_each(self, ks: Any) -> Any:
        """Return the keys of each row's own ranks: both of shape (r, *rows), on the device."""
        found, pointer = self.new((len(ks),))
        if self.count and len(ks):
            with self.keys.stream_context():
                given = cupy.ascontiguousarray(as_cupy(ks) if is_on_gpu(ks) else cupy.asarray(ks))
            self.find_each(given.data.ptr, pointer, len(ks))
        return found

    def count_non_nan(self) -> Any:
        """Return how many keys of each row are not NaN: int64."""
        found, pointer = self.new((), INT64)
        if self.count:
            self.count_numbers(pointer)
        return found

    def count_numbers(self, pointer: int) -> None:
        """Write how many keys of each row are not NaN."""
        find(self.rows, Request(Question(NUMBERS), (NO_ARRAY, pointer), (0, 8)))

    def find_each(self, ranks: int, answers: int, count: int) -> None:
        """Find each row's own ranks, which are at an address."""
        sizes = 8, self.itemsize
        find(self.rows, Request(Question(), (ranks, answers), sizes, (0, count, 1)))

    def middle(self, *, nan: bool) -> Any:
        """Return the medians as `np.median` or `np.nanmedian` does, without their warning."""
        found, pointer = self.new((), self.dtype if self.is_float else FLOAT64)
        if self.is_one_array:
            ask = one_read.NANMEDIAN if nan else one_read.MEDIAN
            self.launch_one(0, pointer, ask=ask)
        elif self.count:
            question = Question(NANMEDIAN if nan else MEDIAN)
            sizes = 0, self.itemsize if self.is_float else 8
            find(self.rows, Request(question, (NO_ARRAY, pointer), sizes))
        return found

    def quantiles(self, q: npt.ArrayLike, method: str, *, nan: bool) -> Any:
        """Return the quantiles q, (*q.shape, *rows), as NumPy does, without its warning."""
        plan = plan_quantiles(self.length, q, method, self.dtype, self.keys.rounds)
        found, pointer = self.new(plan.shape, plan.dtype)
        if not self.count or not plan.ranks:
            return found
        if nan and self.is_float:
            find_of_numbers(self, plan, pointer)
        else:
            keys = self.keys.scratch(len(plan.ranks) * self.count * self.itemsize)
            self._find(plan.ranks, keys, unless_nan=self.is_float and not nan)
            launch_step(self.rows, plan.mix, prod(plan.shape), keys, NO_ARRAY, pointer)
        return found

    def primitives(self) -> Primitives:
        """Return the primitives of the only row."""
        from modern.primitives.cupy import CuPyPrimitives

        if self.count != 1:
            raise MethodUnavailable(
                "rows are selected from by a method of their own: leave out what is not for rows, "
                f"or pass one row, not {self.count}"
            )
        self.launcher.check_not_captured("a method by its name")
        self.keys.shape, self.keys.strides = (self.length,), (1,)
        return CuPyPrimitives(self.keys)
