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

from modern.files import check_call
from modern.on_dask.pieces import DaskPieces, known
from modern.opening import Call, checked_axis, open_rows
from shadersort.errors import MethodUnavailable
from shadersort.keys.accepted import selectable
from shadersort.selection.pieces.rows import PieceRows


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
        return PieceRows(DaskPieces(x, call.name), x.ndim if call.keepdims else 0)
    selectable(np.empty(0, x.dtype))  # raises an error of their type before any is computed
    checked_axis(x, call)
    return DaskRows(known(x), tuple(sorted(along)), call)


class DaskRows:
    """Rows along some axes of a Dask array; each question is asked of each chunk, later.

    Answers keep the axes of the rows, with the length 1, until `result`.
    """

    xp = np

    def __init__(self, x: Any, along: tuple[int, ...], call: Call) -> None:
        if any(x.numblocks[axis] > 1 for axis in along):
            x = x.rechunk({axis: -1 if axis in along else "auto" for axis in range(x.ndim)})
        self._x, self._along, self._call, self.dtype = x, along, call, x.dtype
        self.length = prod(x.shape[axis] for axis in along)
        self.count = prod(x.shape) // max(self.length, 1)

    def ranks(self, ks: Any) -> Any:
        """Return the keys of ranks, the same for all rows."""
        return self._map("ranks", ks, front=(len(ks),), dtype=self.dtype)

    def rank(self, k: int) -> Any:
        """Return the keys of one rank."""
        return self.ranks([k])[0]

    def ranks_unless_nan(self, ks: Any) -> Any:
        """Return the keys of ranks, or NaNs."""
        return self._map("ranks_unless_nan", ks, front=(len(ks),), dtype=self.dtype)

    def middle(self, *, nan: bool) -> Any:
        """Return the medians."""
        return self._map("middle", nan=nan)

    def quantiles(self, q: Any, method: str, *, nan: bool) -> Any:
        """Return the quantiles q."""
        return self._map("quantiles", q, method, nan=nan, front=np.shape(q))

    def places(self, wanted: Any, ties: Any) -> Any:
        """Return where each row has its wanted key."""
        return self._map("places", ties, wanted=wanted, dtype=np.int64)

    def sort(self) -> Any:
        """Return each row in ascending order."""
        return self._map("sort", length=self.length, dtype=self.dtype)

    def threshold(self, count: int, *, soft: bool) -> Any:
        """Return the rows with zero for all but the keys of largest magnitude."""
        return self._map("threshold", count, soft=soft, length=self.length, dtype=self.dtype)

    def first(self, count: int, by: int, *, in_order: bool, ties: Any) -> tuple[Any, Any]:
        """Return the first keys of each row, and their places."""
        options = {"in_order": in_order, "ties": ties, "length": count, "dtype": self.dtype}
        both = self._map("first", count, by, **options)
        values, places = (
            both.map_blocks(itemgetter(i), dtype=dtype, meta=self._meta(both.ndim, dtype))
            for i, dtype in enumerate((self.dtype, np.int64))
        )
        return values, places

    def take(self, found: Any, places: Any) -> Any:
        """Return the answers at some places of the first axis."""
        return found[places]

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
        *args: Any,
        front: tuple[int, ...] = (),
        wanted: Any = None,
        length: int = 1,
        dtype: Any = None,
        **options: Any,
    ) -> Any:
        """Return what rows answer to a question, a Dask array; their axes get a length."""
        of_block = partial(
            answer_block, self._call.name, self._along, question, args, options, front
        )
        x = self._x
        if dtype is None:  # by that of a single key
            dtype = of_block(np.zeros((1,) * x.ndim, x.dtype)).dtype
        sizes = [
            ((length,) if len(self._along) == 1 or length == 1 else each)
            if axis in self._along
            else each
            for axis, each in enumerate(x.chunks)
        ]
        return x.map_blocks(
            of_block,
            *(() if wanted is None else (wanted,)),
            token=f"{self._call.name}-rows",
            chunks=(*((each,) for each in front), *sizes),
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
