"""Answers for Dask arrays: rows of all keys are asked now, rows along axes when Dask computes them.

- If no axis is left, because there is one dimension, or `axis` names all or is None, the answer is
  computed at once: a scalar or an array of NumPy. Every round computes the chunks anew, unless they
  are persisted; keys may be larger than the cluster's memory.
- Otherwise the answer is a Dask array. Rows across chunks are rechunked first, so that each is in
  one chunk: other axes are cut so that chunks have about the `array.chunk-size` of Dask's
  configuration.
"""

from functools import partial
from operator import itemgetter
from typing import Any

import numpy as np

from modern.on_dask.pieces import DaskPieces, measure_chunks
from modern.opening import Call, open_rows, resolve_axis
from modern.pieces import check_call
from shadersort.errors import MethodUnavailable
from shadersort.keys.inputs import as_selectable
from shadersort.selection.pieces.rows import PieceRows
from shadersort.selection.rows.axes import layout_of
from shadersort.selection.rows.protocol import Rows

RANKED = ("ranks", "ranks_each", "ranks_unless_nan", "quantiles")
"""Questions with an answer for each rank, or quantile, of their first argument."""

ALONG = ("sort", "threshold", "first")
"""Questions whose answers have keys, or places, along the axes of the rows."""


def open_dask(x: Any, call: Call) -> Any:
    """Open a Dask array, or a column of a Dask data frame."""
    if hasattr(x, "to_dask_array"):
        x = x.to_dask_array()
    if call.out is not None:
        raise MethodUnavailable("Dask arrays take no out: pass an array in memory")
    if not layout_of(x.shape, call.axis).left:
        check_call(call._replace(axis=None, keepdims=False))
        return PieceRows(DaskPieces(x), x.ndim if call.keepdims else 0)
    as_selectable(np.empty(0, x.dtype))  # raises an error of their type before any is computed
    resolve_axis(x, call)
    return DaskRows(measure_chunks(x), call)


def _asks(question: str) -> Any:
    """Return a method that asks each chunk a question, when Dask computes it."""
    return lambda self, *args, **options: self._ask(question, args, options)


class DaskRows(Rows):
    """Rows along some axes of a Dask array; each question is asked of each chunk, later.

    The axes of the rows are the last ones of the array that is asked.
    """

    xp = np
    ranks = _asks("ranks")
    ranks_each = _asks("ranks_each")
    ranks_unless_nan = _asks("ranks_unless_nan")
    count_non_nan = _asks("count_non_nan")
    middle = _asks("middle")
    quantiles = _asks("quantiles")
    sort = _asks("sort")
    threshold = _asks("threshold")
    weighted_quantiles = PieceRows.weighted_quantiles

    def __init__(self, x: Any, call: Call) -> None:
        self.layout = layout_of(x.shape, call.axis)
        axes, order = self.layout.axes, self.layout.order
        if any(x.numblocks[axis] > 1 for axis in axes):
            x = x.rechunk({axis: -1 if axis in axes else "auto" for axis in range(x.ndim)})
        self._x, self._name = x.transpose(order), call.name
        self._shape = self.layout.kept if call.keepdims else self.layout.left
        self.dtype = x.dtype.newbyteorder("=")
        self.length, self.count = self.layout.length, self.layout.rows

    def places(self, wanted: Any, ties: Any) -> Any:
        """Return where each row has its wanted key."""
        return self._ask("places", (ties,), {}, wanted, dtype=np.int64)

    def first(self, count: int, by: int, **options: Any) -> tuple[Any, Any]:
        """Return the first keys of each row, and their places."""
        both, types = self._ask("first", (count, by), options, length=count), (self.dtype, np.int64)
        values, places = (
            both.map_blocks(itemgetter(i), dtype=dtype, meta=both._meta.astype(dtype))
            for i, dtype in enumerate(types)
        )
        return values, places

    def result(self, found: Any, front: tuple[int, ...] = ()) -> Any:
        """Return answers in the shape that the caller wants."""
        from dask.array import asarray

        return asarray(found).reshape((*front, *self._shape))

    def axis_result(self, found: Any, out: Any = None) -> Any:
        """Return keys or places of each row along their axes."""
        return found.transpose(self.layout.back)

    def primitives(self) -> Any:
        """Refuse: a method selects from all keys as one row."""
        raise MethodUnavailable("rows of Dask arrays take no method by its name: pass axis=None")

    def _ask(
        self,
        question: str,
        args: Any,
        options: Any,
        *wanted: Any,
        length: int | None = None,
        dtype: Any = None,
    ) -> Any:
        """Return a Dask array of what rows answer; a `length` is that of the answers' last axis."""
        from dask.array import blockwise

        axes, rows = tuple(range(self._x.ndim)), tuple(range(len(self.layout.left)))
        front = np.shape(args[0]) if question in RANKED else ()
        new_axes = dict(enumerate(front, start=len(axes)))
        left = (*new_axes, *(axes if question in ALONG else rows))
        ask = partial(ask_block, self._name, len(rows), question, args, options)
        if dtype is None:  # the answer to a single key shows the type of means
            single = question in ("count_non_nan", "middle", "quantiles")
            one = np.zeros((1,) * len(axes), self._x.dtype)
            dtype = ask(one).dtype if single else self.dtype
        return blockwise(
            ask,
            left,
            *(self._x, axes),
            *(each for keys in wanted for each in (keys, rows)),
            token=f"{self._name}-rows",
            new_axes=new_axes,
            adjust_chunks=None if length is None else {axes[-1]: length},
            dtype=dtype,
            meta=self._x._meta.reshape((0,) * len(left)).astype(dtype),
        )


def ask_block(
    name: str, left: int, question: str, args: Any, options: Any, block: Any, *wanted: Any
) -> Any:
    """Ask the rows of a chunk, along all axes but the first ones, a question, in a task."""
    while isinstance(block, list):  # of one chunk, along each axis of the rows
        (block,) = block
    axes = tuple(range(left, block.ndim))
    rows: Any = open_rows(name, block, axes[0] if len(axes) == 1 else axes)
    found = getattr(rows, question)(*wanted, *args, **options)
    if question == "first":
        return tuple(map(rows.axis_result, found))
    front = np.shape(args[0]) if question in RANKED else ()
    return rows.axis_result(found) if question in ALONG else rows.result(found, front)
