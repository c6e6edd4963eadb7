"""The rows of keys on a device: every question is launched on the caller's stream, and none waits.

Answers are arrays of the caller's library, with the axes in front that a question adds.
"""

from typing import Any

import cupy
import numpy as np
import numpy.typing as npt

from modern.device_arrays import write_values
from modern.opening import as_cupy, is_on_gpu
from modern.primitives import cells, one_read, thresholding, top_k
from modern.rows import quantiles as mixes
from modern.rows.call import LONG_FIRSTS, DeviceCall
from modern.rows.launches import KeyRows, Request, find, turn, write_kept
from modern.rows.plans import EQUAL, MEDIAN, NANMEDIAN, NO_ARRAY, NUMBERS, Lying, Question
from modern.rows.sorts import sort_rows
from shadersort.errors import MethodUnavailable
from shadersort.selection.primitives import Primitives
from shadersort.selection.rows.protocol import Ties
from shadersort.selection.top_keys import LARGEST, MAGNITUDE, SMALLEST

INT64, FLOAT64 = np.dtype(np.int64), np.dtype(np.float64)


class DeviceRows(DeviceCall):
    """Rows of an array of CuPy or PyTorch on a device, along any axes."""

    def rank(self, k: int) -> Any:
        """Return the keys of one rank, the same for all rows: of shape (*rows)."""
        found, pointer = self.new()
        self._find((k,), pointer, unless_nan=False)
        return found

    def ranks(self, ks: Any) -> Any:
        """Return the keys of ranks, the same for all rows: of shape (len(ks), *rows)."""
        found, pointer = self.new((len(ks),))
        self._find(ks, pointer, unless_nan=False)
        return found

    def ranks_unless_nan(self, ks: Any) -> Any:
        """Return the keys of ranks; a row that has a NaN gets NaN for every rank."""
        found, pointer = self.new((len(ks),))
        self._find(ks, pointer, unless_nan=self.is_float)
        return found

    def _find(self, ks: Any, pointer: int, *, unless_nan: bool) -> None:
        """Find the keys of ranks, and write them as (len(ks), outer, inner)."""
        if not self.count or not len(ks):
            return
        first, last, count = int(ks[0]), int(ks[-1]), len(ks)
        if self.is_one_array and (count == 1 or last - first == count - 1 == 1):
            one_read.launch(self.keys, first, pointer, pair=count == 2, unless_nan=unless_nan)
        elif self.is_one_array and cells.is_possible(self.keys):
            ranks = ks if isinstance(ks, tuple) else ks.tolist()
            cells.launch(self.keys, ranks, pointer, unless_nan=unless_nan)
        elif count == 1 and first in (0, self.length - 1) and not unless_nan:
            end = Question(firsts=1, by=LARGEST if first else SMALLEST)
            find(self.rows, Request(end, (pointer, NO_ARRAY), (self.itemsize, 0), (1,)))
        else:
            listed = last - first != count - 1
            at = write_values(self.keys, np.asarray(ks, np.int64)) if listed else NO_ARRAY
            question, sizes = Question(unless_nan=unless_nan), (0, self.itemsize)
            find(self.rows, Request(question, (at, pointer), sizes, (first, count, 0)))

    def ranks_each(self, ks: Any) -> Any:
        """Return the keys of each row's own ranks: both of shape (r, *rows), on the device."""
        found, pointer = self.new((len(ks),))
        if self.count and len(ks):
            with self.keys.stream_context():
                given = cupy.ascontiguousarray(as_cupy(ks) if is_on_gpu(ks) else cupy.asarray(ks))
            addresses, sizes = (given.data.ptr, pointer), (8, self.itemsize)
            find(self.rows, Request(Question(), addresses, sizes, (0, len(ks), 1)))
        return found

    def count_non_nan(self) -> Any:
        """Return how many keys of each row are not NaN: int64."""
        found, pointer = self.new((), INT64)
        if self.count:
            find(self.rows, Request(Question(NUMBERS), (NO_ARRAY, pointer), (0, 8)))
        return found

    def middle(self, *, nan: bool) -> Any:
        """Return the medians as `np.median` or `np.nanmedian` does, without their warning."""
        found, pointer = self.new((), self.dtype if self.is_float else FLOAT64)
        if self.is_one_array:
            ask = one_read.NANMEDIAN if nan else one_read.MEDIAN
            one_read.launch(self.keys, 0, pointer, ask=ask)
        elif self.count:
            question = Question(NANMEDIAN if nan else MEDIAN)
            sizes = 0, self.itemsize if self.is_float else 8
            find(self.rows, Request(question, (NO_ARRAY, pointer), sizes))
        return found

    def quantiles(self, q: npt.ArrayLike, method: str, *, nan: bool) -> Any:
        """Return the quantiles q, (*q.shape, *rows), as NumPy does, without its warning."""
        plan = mixes.plan_quantiles(self.length, q, method, self.dtype, self.keys.rounds)
        found, pointer = self.new(plan.shape, plan.dtype)
        if not self.count or not plan.wanted:
            return found
        if nan and self.is_float:
            mixes.find_of_numbers(self.rows, plan, pointer)
        else:
            keys = self.keys.scratch(len(plan.ranks) * self.count * self.itemsize)
            self._find(plan.ranks, keys, unless_nan=self.is_float and not nan)
            mixes.mix(self.rows, plan, keys, pointer)
        return found

    def _firsts(self, question: Question, values: int, places: int) -> tuple[KeyRows, Request]:
        """Return a question about first keys: their answers are (outer, count, inner)."""
        inner, count = self.rows.lying.inner, max(question.firsts, 1)
        rows = self.rows._replace(answer_steps=(count * inner, inner))
        return rows, Request(question, (values, places), (self.itemsize, 8), (question.firsts,))

    def first(self, count: int, by: int, *, in_order: bool, ties: Ties) -> tuple[Any, Any]:
        """Return the first keys of each row in an order, and their places."""
        values, places = self.new_rows(count), self.new_rows(count, INT64)
        alone = self.is_one_array and self.length >= LONG_FIRSTS and by != MAGNITUDE
        if alone and 1 < count <= top_k.MOST and ties != "highest":
            top_k.launch(self.keys, by, count, values[1], places[1])
        elif self.count and count:
            question = Question(firsts=count, by=by, in_order=in_order, highest=ties == "highest")
            find(*self._firsts(question, values[1], places[1]))
        return values[0], places[0]

    def places(self, wanted: Any, ties: Ties) -> Any:
        """Return where each row has its wanted key: an answer of `ranks`."""
        found, pointer = self.new((), INT64)
        if self.count:
            at = wanted.data.ptr if isinstance(wanted, cupy.ndarray) else wanted.data_ptr()
            keys = self.keys.scratch(self.count * self.itemsize)
            question = Question(firsts=1, by=EQUAL, highest=ties == "highest")
            find(*self._firsts(question, keys, pointer), sought=at)
        return found

    def sort(self) -> Any:
        """Return each row in ascending order, bit for bit."""
        found, pointer = self.new_rows(self.length)
        (outer, length, inner, steps), keys, near = self.rows.lying, self.keys, self.rows.pointer
        size = self.count * length * self.itemsize
        if not size:
            return found
        if inner > 1 or steps[:2] not in ((length, 1), (0, 1)):
            near = keys.scratch(size)
            turn(self.rows, near)
        ordered = pointer if inner == 1 else keys.scratch(size)
        sort_rows(keys, near, self.count, length, ordered)
        if inner > 1:
            back = Lying(outer, inner, length, (length * inner, length, 1))
            turn(KeyRows(keys, ordered, back, (0, 0)), pointer)
        return found

    def threshold(self, count: int, *, soft: bool) -> Any:
        """Return the rows with zero for all but the `count` keys of largest magnitude."""
        found, pointer = self.new_rows(self.length)
        if not self.count * self.length:
            return found
        if self.is_one_array and 0 < count < self.length:
            thresholding.launch(self.keys, count, soft, pointer)
            return found
        asked, keys = min(count + soft, self.length), self.keys
        question = Question(firsts=asked, by=MAGNITUDE, in_order=soft)
        values, places = (keys.scratch(self.count * asked * size) for size in (self.itemsize, 8))
        rows, request = self._firsts(question, values, places)
        if asked:
            find(rows, request)
        write_kept(rows, request, count, pointer, soft=soft)
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
