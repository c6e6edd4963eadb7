"""The rows of Dask arrays: answers along axes, as Dask arrays.

Rows that lie in one chunk each are answered chunk by chunk, when the answer is computed. Rows
across chunks are rechunked first: other axes are cut so that chunks have about the
`array.chunk-size` of Dask's configuration. Rows that are longer than that are answered at once, by
rounds over the chunks as they are, for all rows together; but with a method or an option by its
name, and for top keys, places, sorting and thresholds, each of them becomes one chunk.
"""

from collections.abc import Sequence
from functools import partial
from importlib import import_module
from math import prod
from operator import itemgetter
from typing import Any

import numpy as np

from modern.homes.call import Call
from modern.on_dask import known
from modern.on_dask.row_answers import OF_LONG_ROWS, answers_of_rows, wanted_of
from modern.rows.outputs import TopK
from shadersort.errors import BadAxis
from shadersort.keys.accepted import selectable
from shadersort.selection.driver import rank_of, ranks_of
from shadersort.selection.top_keys import count_of


def of_rows(call: Call, along: tuple[int, ...]) -> Any:
    """Return the answers of rows, as a Dask array."""
    selectable(np.empty(0, call.x.dtype))  # raises an error of their type before any is computed
    x = known(call.x)
    length = prod(x.shape[axis] for axis in along)
    _check_ranks(call, length)
    if is_long(x, along) and _is_plain(call):
        return _of_long(call, x, along, length)
    x = in_one_chunk(x, along)
    if call.rows == "kept":
        return _mapped(call, x, x.chunks, x.dtype)
    if call.rows != "reduced":
        return _of_one_axis(call, x, along)
    keepdims = bool(call.options.get("keepdims"))
    front = () if call.in_front is None else call.in_front.shape
    left = [
        (1,) if axis in along else each
        for axis, each in enumerate(x.chunks)
        if keepdims or axis not in along
    ]
    drop = [] if keepdims else list(along)
    chunks = (*((each,) for each in front), *left)
    return _mapped(call, x, chunks, _dtype(call, x), drop, list(range(len(front))))


def in_one_chunk(x: Any, along: tuple[int, ...]) -> Any:
    """Return a Dask array with each row, along some axes, in one chunk; or raise.

    Examples
    --------
    >>> import dask.array
    >>> in_one_chunk(dask.array.ones((6, 4), chunks=(2, 3)), (1,)).numblocks[1]
    1
    """
    if all(x.numblocks[axis] == 1 for axis in along):
        return x
    return x.rechunk({axis: -1 if axis in along else "auto" for axis in range(x.ndim)})


def is_long(x: Any, along: tuple[int, ...]) -> bool:
    """Whether rows, along some axes, are in several chunks and too long for one."""
    from dask import config
    from dask.utils import parse_bytes

    length = prod(x.shape[axis] for axis in along)
    most: int = parse_bytes(config.get("array.chunk-size"))
    several = any(x.numblocks[axis] > 1 for axis in along) and x.size > 0
    return several and length * x.dtype.itemsize > most


def _is_plain(call: Call) -> bool:
    """Whether a call has no options but those that long rows have."""
    own = {"axis", "keepdims", "k", "ks", "q", "out", "weights", "segments", "q_per_row"}
    quantiles = {"method"} if call.front == "q" else set()
    return call.function.__name__ in OF_LONG_ROWS and call.options.keys() <= own | quantiles


def _of_long(call: Call, x: Any, along: tuple[int, ...], length: int) -> Any:
    """Return the answers of rows by rounds over the chunks as they are, computed at once."""
    from dask.array import from_array

    name, front = call.function.__name__, () if call.in_front is None else call.in_front.shape
    given = dict(zip(OF_LONG_ROWS[name], call.args, strict=False)) | call.options
    wanted = wanted_of(name, given, length, x.dtype)
    found = answers_of_rows(x, along, name, wanted, front, _dtype(call, x))
    if call.options.get("keepdims"):
        found = np.expand_dims(found, tuple(len(front) + axis for axis in along))
    return from_array(found)


def _check_ranks(call: Call, length: int) -> None:
    """Raise an error if rows of a length have no key of a rank that is asked for."""
    first: Any = next(iter(call.args), None)
    name = call.function.__name__
    if name == "multiselect":
        ranks_of(call.options.get("ks", first), length)
    elif name.endswith("select"):
        rank_of(call.options.get("k", first), length)


def _of_one_axis(call: Call, x: Any, along: tuple[int, ...]) -> Any:
    """Return rows in order, or their top keys."""
    if len(along) != 1:
        raise BadAxis(f"{call.function.__name__} of a Dask array takes one axis, not {along}")
    if call.rows == "ordered":
        return _mapped(call, x, x.chunks, x.dtype)
    return _top(call, x, along[0])


def _top(call: Call, x: Any, axis: int) -> Any:
    """Return the top keys of rows, and their places."""
    k = count_of(call.args[0] if call.args else call.options["k"], x.shape[axis])
    chunks = tuple((k,) if each == axis else sizes for each, sizes in enumerate(x.chunks))
    both = _mapped(call, x, chunks, x.dtype)
    parts = [
        both.map_blocks(itemgetter(i), dtype=dtype, meta=_meta(x, x.ndim, dtype), token=token)
        for i, (dtype, token) in enumerate(((x.dtype, "topk-values"), (np.int64, "topk-places")))
    ]
    return TopK(*parts)


def _mapped(
    call: Call,
    x: Any,
    chunks: Any,
    dtype: Any,
    drop: Sequence[int] = (),
    new: Sequence[int] = (),
) -> Any:
    """Return the answers of all chunks, which have these sizes; some axes go, and some come."""
    name = call.function.__name__
    of_block = partial(answer_of_block, name, call.args, call.options)
    return x.map_blocks(
        of_block,
        token=f"{name}-rows",
        chunks=chunks,
        dtype=dtype,
        meta=_meta(x, len(chunks), dtype),
        **({"drop_axis": list(drop)} if drop else {}),
        **({"new_axis": list(new)} if new else {}),
    )


def answer_of_block(name: str, args: Any, options: dict[str, Any], block: Any) -> Any:
    """Answer a call with the keys of a chunk: this runs in a task."""
    return getattr(import_module("modern"), name)(block, *args, **options)


def _meta(x: Any, ndim: int, dtype: Any) -> Any:
    """Return an empty array of the library of the chunks."""
    from dask.array.utils import meta_from_array

    return meta_from_array(x._meta, ndim=ndim, dtype=dtype)


def _dtype(call: Call, x: Any) -> Any:
    """Return the type of an answer, by that of a single key where it is not that of the keys."""
    name = call.function.__name__
    if name.startswith("arg"):
        return np.dtype(np.int64)
    if name.endswith("select"):
        return x.dtype
    return call.of(np.zeros(1, x.dtype), axis=0, keepdims=False).dtype
