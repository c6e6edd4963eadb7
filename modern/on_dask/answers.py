"""Answers for Dask arrays: rows of all keys are asked now, rows along axes when Dask computes them.

- If no axis is left, because there is one dimension, or `axis` names all or is None, the answer is
  computed at once: a scalar or an array of NumPy. Every round computes the chunks anew, unless they
  are persisted; keys may be larger than the cluster's memory.
- Otherwise the answer is a Dask array. Rows across chunks are rechunked first, so that each is in
  one chunk: other axes are cut so that chunks have about the `array.chunk-size` of Dask's
  configuration.
"""

from collections.abc import Callable
from functools import partial
from math import prod
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple

from modern.files import check_call
from modern.on_dask.pieces import DaskPieces, known
from modern.opening import Call, checked_axis, open_rows
from shadersort.errors import MethodUnavailable
from shadersort.keys.accepted import selectable
from shadersort.selection.pieces.rows import PieceRows
from shadersort.selection.rows.protocol import Rows


def open_dask(x: Any, call: Call) -> Any:
    """Open a Dask array, or a column of a Dask data frame."""
    if hasattr(x, "to_dask_array"):
        x = x.to_dask_array()
    if call.out is not None:
        raise MethodUnavailable("Dask arrays take no out: pass an array in memory")
    every = tuple(range(x.ndim))
    along = every if call.axis is None else normalize_axis_tuple(call.axis, x.ndim)
    if len(along) == x.ndim:
        check_call(call._replace(axis=None, keepdims=False), f"keys of {type(x).__name__}")
        return PieceRows(DaskPieces(x), x.ndim if call.keepdims else 0)
    selectable(np.empty(0, x.dtype))  # raises an error of their type before any is computed
    checked_axis(x, call)
    return DaskRows(known(x), tuple(sorted(along)), call)


def _asks(question: str, front: Callable[[Any], tuple[int, ...]] = lambda _: (), **how: Any) -> Any:
    """Return a method that asks a question of each chunk; `front` takes its first argument."""

    def ask(self: "DaskRows", *args: Any, **options: Any) -> Any:
        return self._map(question, args, options, front(args[0]) if args else (), **how)

    ask.__doc__, ask.__name__ = f"Ask each chunk for `{question}`, when Dask computes it.", question
    return ask


class DaskRows(Rows):
    """Rows along some axes of a Dask array; each question is asked of each chunk, later.

    Answers keep the axes of the rows, with the length 1, until `result`.
    """

    xp = np
    ranks = _asks("ranks", np.shape, of_keys=True)
    ranks_unless_nan = _asks("ranks_unless_nan", np.shape, of_keys=True)
    ranks_each = _asks("ranks_each", np.shape, of_keys=True)
    count_non_nan = _asks("count_non_nan")
    middle = _asks("middle")
    quantiles = _asks("quantiles", np.shape)
    sort = _asks("sort", of_keys=True, length=-1)
    threshold = _asks("threshold", of_keys=True, length=-1)

    def __init__(self, x: Any, along: tuple[int, ...], call: Call) -> None:
        if any(x.numblocks[axis] > 1 for axis in along):
            x = x.rechunk({axis: -1 if axis in along else "auto" for axis in range(x.ndim)})
        self._x, self._along, self._call, self.dtype = x, along, call, x.dtype
        self.length = prod(x.shape[axis] for axis in along)
        self.count = prod(x.shape) // max(self.length, 1)

    def places(self, wanted: Any, ties: Any) -> Any:
        """Return where each row has its wanted key."""
        return self._map("places", (ties,), {}, wanted=wanted, dtype=np.int64)

    def first(self, count: int, by: int, *, in_order: bool, ties: Any) -> tuple[Any, Any]:
        """Return the first keys of each row, and their places."""
        options = {"in_order": in_order, "ties": ties}
        both = self._map("first", (count, by), options, length=count, of_keys=True)
        values, places = (
            both.map_blocks(itemgetter(i), dtype=dtype, meta=self._meta(both.ndim, dtype))
            for i, dtype in enumerate((self.dtype, np.int64))
        )
        return values, places

    def weighted(self, *_: Any, **__: Any) -> Any:
        """Refuse weights."""
        raise MethodUnavailable("Dask arrays take no weights: pass an array in memory")

    def result(self, found: Any, front: tuple[int, ...] = ()) -> Any:
        """Return answers without the axes of the rows, unless these are kept."""
        import dask.array

        kept = [1 if axis in self._along else n for axis, n in enumerate(self._x.shape)]
        if isinstance(found, np.ndarray):
            found = dask.array.from_array(found.reshape((*front, *kept)))
        elif found.ndim - len(kept) != len(front):
            found = found.reshape((*front, *kept))
        if self._call.keepdims:
            return found
        return found.squeeze(tuple(axis + len(front) for axis in self._along))

    def along(self, found: Any, out: Any = None) -> Any:
        """Return keys or places of each row."""
        if out is not None:
            raise MethodUnavailable("Dask arrays take no out: pass an array in memory")
        return found

    def primitives(self) -> Any:
        """Refuse: a method selects from one row."""
        raise MethodUnavailable(
            f"a method by its name selects from one row, and there are {self.count:,}: pass "
            "axis=None, or leave the method out"
        )

    def _map(
        self,
        question: str,
        args: tuple[Any, ...],
        options: dict[str, Any],
        front: tuple[int, ...] = (),
        *,
        wanted: Any = None,
        length: int = 1,
        of_keys: bool = False,
        dtype: Any = None,
    ) -> Any:
        """Return a Dask array of what rows answer; their axes get a length, or keep their own: −1.

        Without `dtype` or `of_keys`, the answer to a single key shows the type of answers.
        """
        call = self._call.name, self._along, question, args, options, front
        of_block, x = partial(answer_block, *call), self._x
        if of_keys:
            dtype = self.dtype
        elif dtype is None:
            dtype = of_block(np.zeros((1,) * x.ndim, x.dtype)).dtype
        chunks = [
            (length,) if axis in self._along and length >= 0 else each
            for axis, each in enumerate(x.chunks)
        ]
        return x.map_blocks(
            of_block,
            *(() if wanted is None else (wanted,)),
            token=f"{self._call.name}-rows",
            chunks=(*((each,) for each in front), *chunks),
            dtype=dtype,
            meta=self._meta(len(front) + x.ndim, dtype),
            **({"new_axis": list(range(len(front)))} if front else {}),
        )

    def _meta(self, ndim: int, dtype: Any) -> Any:
        """Return an empty array of the library of the chunks."""
        from dask.array.utils import meta_from_array

        return meta_from_array(self._x._meta, ndim=ndim, dtype=dtype)


def answer_block(
    name: str,
    axes: tuple[int, ...],
    question: str,
    args: Any,
    options: Any,
    front: tuple[int, ...],
    block: Any,
    wanted: Any = None,
) -> Any:
    """Ask the rows of a chunk a question: this runs in a task."""
    axis = axes[0] if len(axes) == 1 else axes
    whole = question in ("sort", "threshold", "first")
    rows: Any = open_rows(name, block, axis, keepdims=not whole)
    if wanted is not None:
        args = (wanted.squeeze(axes), *args)
    found = getattr(rows, question)(*args, **options)
    if question == "first":
        return tuple(map(rows.along, found))
    return rows.along(found) if whole else rows.result(found, front)
