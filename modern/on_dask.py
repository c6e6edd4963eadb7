"""Dask arrays: all keys as one row are asked now, rows along axes when Dask computes them.

- If no axis is left, because there is one dimension, or `axis` names all or is None, the answer is
  computed at once: a scalar or an array of NumPy. The chunks are pieces, and every round computes
  them anew, unless they are persisted; keys may be larger than the cluster's memory.
- Otherwise the answer is a Dask array. Rows across chunks are rechunked first, so that each is in
  one chunk: other axes are cut so that chunks have about the `array.chunk-size` of Dask's
  configuration.

What runs the tasks is what Dask would use: threads, the scheduler that `dask.config` names, or the
cluster of the current client. Unknown sizes of chunks are computed by Dask first, and the errors of
tasks and of a cluster are its own.
"""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from math import prod
from operator import itemgetter
from typing import Any

import numpy as np

from modern.opening import Call, is_on_gpu, open_rows, resolve_axis
from modern.pieces import fetch_to_host, open_row
from shadersort.errors import InputChanged, MethodUnavailable, UnsupportedKeys
from shadersort.keys.inputs import SELECTED, as_selectable
from shadersort.keys.types import Integers
from shadersort.selection.pieces.asking import (
    PieceHolder,
    Question,
    Summed,
    join_summed,
    sum_bits,
)
from shadersort.selection.pieces.primitives import PieceRows
from shadersort.selection.rows.axes import layout_of
from shadersort.selection.rows.protocol import Rows

JOINED = 16
"""About this many answers are joined by a task."""

COUNTERS_ON_GPU = 1 << 13
"""The largest number of counters in a histogram that any GPU has room for."""

RANKED = ("ranks", "ranks_unless_nan", "quantiles")
"""Questions with an answer for each rank, or quantile, of their first argument."""

PLACES = ("places", "argsort")
"""Questions whose answers are places."""

ALONG = ("sort", "argsort", "threshold", "first")
"""Questions whose answers have keys, or places, along the axes of the rows."""


def open_dask(x: Any, call: Call) -> Any:
    """Open a Dask array, or a column of a Dask data frame."""
    if hasattr(x, "to_dask_array"):
        x = x.to_dask_array()
    as_selectable(np.empty(0, x.dtype))  # raises an error of their type before any is computed
    resolve_axis(x, call)
    if np.isnan(x.shape).any():
        x = x.copy().compute_chunk_sizes()  # the caller's array stays as it is
    if layout_of(x.shape, call.axis).left:
        return DaskRows(x, call)
    return open_row(DaskPieces(x), x.shape, call)


class DaskPieces(PieceHolder):
    """The chunks of a Dask array of any number of dimensions; it is neither changed nor persisted.

    A chunk is in memory only while its task runs; a tree of tasks joins the answers.

    Examples
    --------
    >>> import dask.array
    >>> row = PieceRows(DaskPieces(dask.array.arange(10, chunks=(5, 1, 4))))
    >>> row.ranks([6])
    array([6])
    """

    name = "a Dask array"
    changed = "the array was changed while it was read, persist it or use fixed seeds"
    fetch = staticmethod(fetch_to_host)

    def __init__(self, array: Any) -> None:
        self._array = array = array if array.ndim else array.reshape(1)
        self.dtype = np.dtype(array.dtype)
        if is_on_gpu(array._meta):
            self.counters = COUNTERS_ON_GPU
        self.sizes = [prod(each) for each in product(*array.chunks)]

    def ask(self, question: Question) -> Any:
        """Ask all chunks, and join their answers by a tree of tasks."""
        from dask import delayed
        from dask.array import reduction

        x, answers = self._array, np.empty((0,) * self._array.ndim, object)
        shared = delayed(question, traverse=False)  # goes to each worker once
        chunks = tuple((1,) * count for count in x.numblocks)
        found = x.map_blocks(ask_chunk, shared, x.dtype, chunks=chunks, dtype=object, meta=answers)
        join = partial(join_answers, join=question.join)
        options = {"keepdims": True, "split_every": JOINED, "meta": answers}
        return self.check(reduction(found, join, join, dtype=object, **options).compute().item())


def flat_places(places: Any, *, block: Sequence[tuple[int, int]], shape: Sequence[int]) -> Integers:
    """Return places in a flat block as places in the flat array of some shape.

    Examples
    --------
    >>> flat_places(np.array([0, 3]), block=[(1, 3), (2, 4)], shape=(3, 10))
    array([12, 23])
    """
    inside = np.unravel_index(places, [end - start for start, end in block])
    moved = [at + start for at, (start, _) in zip(inside, block, strict=True)]
    return np.asarray(np.ravel_multi_index(moved, shape), np.int64)


def ask_chunk(chunk: Any, question: Question, stored: Any, block_info: Any = None) -> Any:
    """Return what a chunk answers and the sum of its bits, packed, in a task."""
    info, array = block_info[0], chunk if is_on_gpu(chunk) else SELECTED.array(chunk)
    place, block = info["chunk-location"], info["array-location"]
    size, keys = prod(end - start for start, end in block), array.ravel()
    if keys.dtype != stored:
        raise UnsupportedKeys(
            f"chunk {place} has keys of {keys.dtype}, and the array says {stored}: pass chunks of "
            "one type, array.astype(...)"
        )
    if keys.size != size:
        raise InputChanged(f"chunk {place} has {keys.size} keys, and the array says {size}")
    where = partial(flat_places, block=block, shape=info["shape"])
    if not is_on_gpu(keys):
        return pack(question.ask_array(keys, where), len(block))
    from modern.primitives.cupy import CuPyPrimitives

    return pack((question.answer(CuPyPrimitives(keys), where), sum_bits(keys)), len(block))


def join_answers(packed: Any, *, join: Callable[[Sequence[Any]], Any], **_: Any) -> Any:
    """Return what several packed answers are together, packed."""
    return pack(join_summed(packed.ravel().tolist(), join), packed.ndim)


def pack(found: Summed, ndim: int) -> Any:
    """Return an array that has an answer as its only element."""
    packed = np.empty(1, object)
    packed[0] = found
    return packed.reshape((1,) * ndim)


def _asks(question: str) -> Any:
    """Return a method that asks each chunk a question, when Dask computes it."""
    return lambda self, *args, **options: self._ask(question, *args, **options)


class DaskRows(Rows):
    """Rows along some axes of a Dask array; each question is asked of each chunk, later.

    The axes of the rows are the last ones of the array that is asked.
    """

    xp = np
    ranks = ranks_each = _asks("ranks")
    ranks_unless_nan = _asks("ranks_unless_nan")
    count_non_nan = _asks("count_non_nan")
    middle = _asks("middle")
    quantiles = _asks("quantiles")
    sort = _asks("sort")
    argsort = _asks("argsort")
    threshold = _asks("threshold")
    weighted_quantiles = PieceRows.weighted_quantiles

    def __init__(self, x: Any, call: Call) -> None:
        refuse_out(call.out)
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
        return self._ask("places", ties, wanted=wanted)

    def first(self, count: int, by: int, **options: Any) -> tuple[Any, Any]:
        """Return the first keys of each row, and their places."""
        both, types = self._ask("first", count, by, **options), (self.dtype, np.int64)
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
        refuse_out(out)
        return found.transpose(self.layout.back)

    def primitives(self) -> Any:
        """Refuse: a method selects from all keys as one row."""
        raise MethodUnavailable("rows of Dask arrays take no method by its name: pass axis=None")

    def _ask(self, question: str, *args: Any, wanted: Any = None, **options: Any) -> Any:
        """Return a Dask array of what the rows of each chunk answer; `wanted` has a key of each."""
        from dask.array import blockwise

        x, axes, rows = self._x, tuple(range(self._x.ndim)), tuple(range(len(self.layout.left)))
        front = np.shape(args[0]) if question in RANKED else ()
        new_axes = dict(enumerate(front, start=x.ndim))
        left = (*new_axes, *(axes if question in ALONG else rows))
        ask = partial(ask_block, self._name, len(rows), question, args, options)
        dtype = np.dtype(np.int64) if question in PLACES else self.dtype
        if question in ("middle", "quantiles"):  # the answer to a single key shows the type
            dtype = ask(np.zeros((1,) * x.ndim, x.dtype), None).dtype
        return blockwise(
            ask,
            left,
            *(x, axes, wanted, None if wanted is None else rows),
            token=f"{self._name}-rows",
            new_axes=new_axes,
            adjust_chunks={axes[-1]: args[0]} if question == "first" else None,
            dtype=dtype,
            meta=x._meta.reshape((0,) * len(left)).astype(dtype),
        )


def ask_block(
    name: str, left: int, question: str, args: Any, options: Any, block: Any, wanted: Any
) -> Any:
    """Ask the rows of a chunk, along all axes but the first ones, a question, in a task."""
    while isinstance(block, list):  # of one chunk, along each axis of the rows
        (block,) = block
    axes = tuple(range(left, block.ndim))
    rows: Any = open_rows(name, block, axes[0] if len(axes) == 1 else axes)
    found = getattr(rows, question)(*(() if wanted is None else (wanted,)), *args, **options)
    if question == "first":
        return tuple(map(rows.axis_result, found))
    front = np.shape(args[0]) if question in RANKED else ()
    return rows.axis_result(found) if question in ALONG else rows.result(found, front)


def refuse_out(out: Any) -> None:
    """Raise MethodUnavailable for a place of the result, as Dask computes it later."""
    if out is not None:
        raise MethodUnavailable("rows of Dask arrays take no out: pass an array in memory")
