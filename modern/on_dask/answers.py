"""Dask arrays: one answer for all keys by rounds of tasks, answers along axes as Dask arrays.

- If no axis is left, because there is one dimension, or `axis` names all or is None, the answer is
  computed at once: a scalar or an array of NumPy. Every round computes the chunks anew, unless they
  are persisted; keys may be larger than the cluster's memory (`modern/on_dask/`).
- Otherwise the answer is a Dask array: rows that lie in one chunk each are answered chunk by chunk,
  when the answer is computed. Rows across chunks are rechunked first, so that each is in one chunk:
  other axes are cut so that chunks have about the `array.chunk-size` of Dask's configuration.
"""

from collections.abc import Sequence
from functools import partial
from importlib import import_module
from math import prod
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple

from modern.files import answer_over
from modern.homes import Call
from modern.on_dask import DaskPrimitives, known
from modern.rows.outputs import TopK
from shadersort.errors import BadAxis, MethodUnavailable
from shadersort.keys.accepted import selectable
from shadersort.selection.driver import rank_of, ranks_of
from shadersort.selection.top_keys import count_of

ONE_ARRAY = {"out": None, "weights": None}
"""Options that only arrays in memory have, with their defaults."""


def answer(call: Call) -> Any:
    """Answer a call with keys in a Dask array, or in a column of a Dask data frame."""
    if hasattr(call.x, "to_dask_array"):
        call = call._replace(x=call.x.to_dask_array())
    for name, default in ONE_ARRAY.items():
        if call.options.get(name, default) is not default:
            raise MethodUnavailable(f"Dask arrays take no {name}: pass an array in memory")
    every = tuple(range(call.x.ndim))
    along = every if call.axis is None else normalize_axis_tuple(call.axis, call.x.ndim)
    return _of_all(call) if len(along) == call.x.ndim else _of_rows(call, along)


def _of_all(call: Call) -> Any:
    """Return the answer for all keys."""
    apart = ("axis", "keepdims")
    options = {name: each for name, each in call.options.items() if name not in apart}
    name = call.function.__name__
    found = answer_over(lambda: DaskPrimitives.of(call.x, name), call._replace(options=options))
    if not call.options.get("keepdims"):
        return found
    return np.reshape(found, np.shape(found) + (1,) * call.x.ndim)


def _of_rows(call: Call, along: tuple[int, ...]) -> Any:
    """Return the answers of rows, as a Dask array."""
    selectable(np.empty(0, call.x.dtype))  # raises an error of their type before any is computed
    x = known(call.x)
    _check_ranks(call, prod(x.shape[axis] for axis in along))
    if any(x.numblocks[axis] > 1 for axis in along):
        x = x.rechunk({axis: -1 if axis in along else "auto" for axis in range(x.ndim)})
    if call.rows in ("chosen", "ordered") and len(along) != 1:
        raise BadAxis(f"{call.function.__name__} of a Dask array takes one axis, not {along}")
    if call.rows == "chosen":
        return _top(call, x, along[0])
    if call.rows != "reduced":
        return _mapped(call, x, x.chunks, x.dtype)
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


def _check_ranks(call: Call, length: int) -> None:
    """Raise an error if rows of a length have no key of a rank that is asked for."""
    first: Any = next(iter(call.args), None)
    name = call.function.__name__
    if name == "multiselect":
        ranks_of(call.options.get("ks", first), length)
    elif name.endswith("select"):
        rank_of(call.options.get("k", first), length)


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
