"""Answers for Dask arrays: rows of all keys are asked now, rows along axes when Dask computes them.

- If no axis is left, because there is one dimension, or `axis` names all or is None, the answer is
  computed at once: a scalar or an array of NumPy. Every round computes the chunks anew, unless they
  are persisted; keys may be larger than the cluster's memory.
- Otherwise the answer is a Dask array. Rows across chunks are rechunked first, so that each is in
  one chunk: other axes are cut so that chunks have about the `array.chunk-size` of Dask's
  configuration.
"""

from functools import partial
from math import prod
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple

from modern.on_dask.pieces import DaskPieces, measure_chunks
from modern.opening import Call, open_rows, resolve_axis
from modern.pieces import check_call
from shadersort.errors import MethodUnavailable
from shadersort.keys.accepted import as_selectable
from shadersort.selection.pieces.rows import PieceRows
from shadersort.selection.rows.protocol import Rows

RANKED = ("ranks", "ranks_each", "ranks_unless_nan", "quantiles")
"""Questions with an answer for each rank, or quantile, of their first argument."""


def open_dask(x: Any, call: Call) -> Any:
    """Open a Dask array, or a column of a Dask data frame."""
    if hasattr(x, "to_dask_array"):
        x = x.to_dask_array()
    if call.out is not None:
        raise MethodUnavailable("Dask arrays take no out: pass an array in memory")
    every = tuple(range(x.ndim))
    along = every if call.axis is None else normalize_axis_tuple(call.axis, x.ndim)
    if len(along) == x.ndim:
        check_call(call._replace(axis=None, keepdims=False))
        return PieceRows(DaskPieces(x), x.ndim if call.keepdims else 0)
    as_selectable(np.empty(0, x.dtype))  # raises an error of their type before any is computed
    resolve_axis(x, call)
    return DaskRows(measure_chunks(x), tuple(sorted(along)), call)


def _asks(question: str) -> Any:
    """Return a method that asks each chunk a question, when Dask computes it."""
    return lambda self, *args, **options: self._ask(question, args, options)


class DaskRows(Rows):
    """Rows along some axes of a Dask array; each question is asked of each chunk, later.

    Answers keep the axes of the rows, with the length 1, until `result`.
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

    def __init__(self, x: Any, along: tuple[int, ...], call: Call) -> None:
        if any(x.numblocks[axis] > 1 for axis in along):
            x = x.rechunk({axis: -1 if axis in along else "auto" for axis in range(x.ndim)})
        self._x, self._along, self._call = x, along, call
        self.dtype = x.dtype.newbyteorder("=")
        self.length = prod(x.shape[axis] for axis in along)
        self.count = prod(n for axis, n in enumerate(x.shape) if axis not in along)

    def places(self, wanted: Any, ties: Any) -> Any:
        """Return where each row has its wanted key."""
        return self._ask("places", (ties,), {}, wanted, dtype=np.int64)

    def first(self, count: int, by: int, **options: Any) -> tuple[Any, Any]:
        """Return the first keys of each row, and their places."""
        both, types = self._ask("first", (count, by), options, length=count), (self.dtype, np.int64)
        values, places = (
            both.map_blocks(itemgetter(i), dtype=dtype, meta=self._meta(both.ndim, dtype))
            for i, dtype in enumerate(types)
        )
        return values, places

    def weighted_quantiles(self, *_: Any, **__: Any) -> Any:
        """Refuse weights."""
        raise MethodUnavailable("Dask arrays take no weights: pass an array in memory")

    def result(self, found: Any, front: tuple[int, ...] = ()) -> Any:
        """Return answers without the axes of the rows, unless these are kept."""
        from dask.array import asarray

        kept = [1 if axis in self._along else n for axis, n in enumerate(self._x.shape)]
        found = asarray(found).reshape((*front, *kept))
        if self._call.keepdims:
            return found
        return found.squeeze(tuple(axis + len(front) for axis in self._along))

    def along(self, found: Any, out: Any = None) -> Any:
        """Return keys or places of each row as they are."""
        return found

    def primitives(self) -> Any:
        """Refuse: a method selects from all keys as one row."""
        raise MethodUnavailable("rows of Dask arrays take no method by its name: pass axis=None")

    def _ask(
        self,
        question: str,
        args: Any,
        options: Any,
        *wanted: Any,
        length: int = 1,
        dtype: Any = None,
    ) -> Any:
        """Return a Dask array of what rows answer, whose axes get a length."""
        x, front = self._x, np.shape(args[0]) if question in RANKED else ()
        chunks = [(length,) if i in self._along else each for i, each in enumerate(x.chunks)]
        ask = partial(ask_block, self._call.name, self._along, question, args, options)
        if question in ("sort", "threshold"):
            chunks = x.chunks
        if dtype is None:  # the answer to a single key shows the type of means
            single = question in ("count_non_nan", "middle", "quantiles")
            dtype = ask(np.zeros((1,) * x.ndim, x.dtype)).dtype if single else self.dtype
        return x.map_blocks(
            ask,
            *wanted,
            token=f"{self._call.name}-rows",
            chunks=(*((each,) for each in front), *chunks),
            dtype=dtype,
            meta=self._meta(len(front) + x.ndim, dtype),
            new_axis=list(range(len(front))) or None,
        )

    def _meta(self, ndim: int, dtype: Any) -> Any:
        """Return an empty array of the library of the chunks."""
        from dask.array.utils import meta_from_array

        return meta_from_array(self._x._meta, ndim=ndim, dtype=dtype)


def ask_block(
    name: str,
    axes: tuple[int, ...],
    question: str,
    args: Any,
    options: Any,
    block: Any,
    wanted: Any = None,
) -> Any:
    """Ask the rows of a chunk a question, in a task."""
    whole = question in ("sort", "threshold", "first")
    rows: Any = open_rows(name, block, axes[0] if len(axes) == 1 else axes, keepdims=not whole)
    if wanted is not None:
        args = (wanted.squeeze(axes), *args)
    found = getattr(rows, question)(*args, **options)
    if question == "first":
        return tuple(map(rows.along, found))
    front = np.shape(args[0]) if question in RANKED else ()
    return rows.along(found) if whole else rows.result(found, front)
