"""Rows of keys on a device in order: first keys, sorts, and thresholds; none waits."""

from typing import Any

import cupy
import numpy as np
from cupy.cuda import runtime

from modern.device_arrays import ArrayKeys
from modern.launching.launch import KeyType
from modern.primitives import thresholding, top_k
from modern.rows.launches import KeyRows, Request, find, turn, write_firsts
from modern.rows.layout import DeviceLayout
from modern.rows.network_tiles import sort_by_network
from modern.rows.plans import EQUAL, NO_ARRAY, Lying, Question
from modern.rows.sorts import sort_rows
from shadersort.selection.rows.protocol import Rows, Ties
from shadersort.selection.top_keys import LARGEST, MAGNITUDE, SMALLEST

INT64 = np.dtype(np.int64)

LONG_FIRSTS = 1 << 20
"""From so many keys on, the first keys of the only row have a kernel of their own."""


class OrderedRows(Rows):
    """What `DeviceRows` answer along their axis; `new_rows` makes what `axis_result` takes."""

    keys: ArrayKeys
    rows: KeyRows
    layout: DeviceLayout
    dtype: Any
    itemsize: int
    is_float: bool
    is_one_array: bool
    new: Any

    def new_rows(self, count: int, dtype: KeyType | None = None) -> tuple[Any, int]:
        """Return an array for (outer, count, inner), and its address; `axis_result` shapes it.

        Several axes that are joined come back with their own lengths, for rows of full length.
        """
        outer, along, inner = self.layout.sizes
        shape = outer + (along if count == self.length else (count,)) + inner
        return self.keys.empty(shape, self.dtype if dtype is None else dtype)

    def _firsts(self, question: Question, values: int, places: int) -> tuple[KeyRows, Request]:
        """Return a question about first keys: their answers are (outer, count, inner)."""
        inner = self.rows.lying.inner
        rows = self.rows._replace(answer_steps=(question.firsts * inner, inner))
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

    def sort(self, network: str | None = None) -> Any:
        """Return each row in ascending order, bit for bit; by a network's comparators if named."""
        found, pointer = self.new_rows(self.length)
        (outer, length, inner, steps), keys, near = self.rows.lying, self.keys, self.rows.pointer
        size = self.count * length * self.itemsize
        if not size:
            return found
        if inner > 1 or steps[:2] not in ((length, 1), (0, 1)):
            near = keys.scratch(size)
            turn(self.rows, near)
        ordered = pointer if inner == 1 else keys.scratch(size)
        if network:
            sort_by_network(keys, near, (self.count, length), ordered, network)
        else:
            sort_rows(keys, near, (self.count, length), ordered)
        if inner > 1:
            back = Lying(outer, inner, length, (length * inner, length, 1))
            turn(KeyRows(keys, ordered, back, (0, 0)), pointer)
        return found

    def argsort(self, *, descending: bool) -> Any:
        """Return the places of each row's keys in stable order; NaNs come last."""
        by = LARGEST if descending else SMALLEST
        if descending and self.is_float and self.count * self.length:
            lying = self.rows.lying  # ascending, of keys with the other sign
            copy = self.keys.scratch(self.count * self.length * self.itemsize)
            turn(self.rows, copy, opposite=True)
            steps = lying.inner * lying.length, 1, lying.length
            lying, by = lying._replace(steps=steps), SMALLEST
            self.rows = self.rows._replace(pointer=copy, lying=lying)
        return self.first(self.length, by, in_order=True, ties="lowest")[1]

    def threshold(self, count: int, *, soft: bool) -> Any:
        """Return the rows with zero for all but the `count` keys of largest magnitude."""
        found, pointer = self.new_rows(self.length)
        if not self.count * self.length:
            return found
        if self.is_one_array and 0 < count < self.length:
            thresholding.launch(self.keys, count, soft, pointer)
            return found
        keys, asked = self.keys, min(count + soft, self.length)
        runtime.memsetAsync(pointer, 0, self.count * self.length * self.itemsize, keys.stream)
        if count:
            values, places = (
                keys.scratch(self.count * asked * size) for size in (self.itemsize, 8)
            )
            question = Question(firsts=asked, by=MAGNITUDE, in_order=soft)
            rows, request = self._firsts(question, values, places)
            find(rows, request)
            macros = {"KEPT": 1, "SOFT": int(soft), "BY": MAGNITUDE}
            write_firsts(rows, request, count, (NO_ARRAY, NO_ARRAY, count, pointer), macros)
        return found
