"""The chunks of a Dask array as pieces: every round of questions computes them anew.

What runs the tasks is what Dask would use: threads, the scheduler that `dask.config` names, or the
cluster of the current client. A chunk is in memory only while its task runs, unless it is
persisted; only answers are kept, and a tree of tasks joins them.
"""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from math import prod
from typing import Any

import numpy as np

from modern.opening import is_on_gpu
from modern.pieces import fetch_to_host
from shadersort.errors import InputChanged, UnsupportedKeys
from shadersort.keys.accepted import SELECTED, as_selectable
from shadersort.keys.types import Integers
from shadersort.selection.pieces.asking import (
    JOINED,
    PieceHolder,
    Question,
    Summed,
    join_summed,
    sum_bits,
)

COUNTERS_ON_GPU = 1 << 13
"""The largest number of counters in a histogram that any GPU has room for."""


class DaskPieces(PieceHolder):
    """The chunks of a Dask array of any number of dimensions; it is neither changed nor persisted.

    If sizes of chunks are unknown, Dask computes them first.

    Examples
    --------
    >>> import dask.array
    >>> from shadersort.selection.pieces.primitives import Pieces
    >>> Pieces(DaskPieces(dask.array.arange(10, chunks=(5, 1, 4)))).counts(np.int64(6))
    Counts(below=6, equal=1, above=3)
    """

    name = "a Dask array"
    changed = "the array was changed while it was read, persist it or use fixed seeds"
    fetch = staticmethod(fetch_to_host)

    def __init__(self, array: Any) -> None:
        as_selectable(np.empty(0, array.dtype))  # raises an error of their type before a round
        self._array = array = measure_chunks(array if array.ndim else array.reshape(1))
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


def measure_chunks(array: Any) -> Any:
    """Return a Dask array whose chunks have known sizes; Dask computes those that are unknown."""
    return array.copy().compute_chunk_sizes() if np.isnan(array.shape).any() else array


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
    array, info = chunk if is_on_gpu(chunk) else SELECTED.array(chunk), block_info[0]
    place, block = info["chunk-location"], info["array-location"]
    size = prod(end - start for start, end in block)
    if array.dtype != stored:
        raise UnsupportedKeys(
            f"chunk {place} has keys of {array.dtype}, and the array says {stored}: pass chunks of "
            "one type, array.astype(...)"
        )
    if array.size != size:
        raise InputChanged(f"chunk {place} has {array.size} keys, and the array says {size}")
    where = partial(flat_places, block=block, shape=info["shape"])
    if is_on_gpu(array):
        from modern.primitives.cupy import CuPyPrimitives

        keys = array.reshape(-1)
        return pack((question.answer(CuPyPrimitives(keys), where), sum_bits(keys)), array.ndim)
    keys = np.ascontiguousarray(array).reshape(-1)
    return pack(question.ask_array(keys, where), len(block))


def join_answers(packed: Any, *, join: Callable[[Sequence[Any]], Any], **_: Any) -> Any:
    """Return what several packed answers are together, packed."""
    return pack(join_summed(packed.ravel().tolist(), join), packed.ndim)


def pack(found: Summed, ndim: int) -> Any:
    """Return an array that has an answer as its only element."""
    packed = np.empty(1, object)
    packed[0] = found
    return packed.reshape((1,) * ndim)
