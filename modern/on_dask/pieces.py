"""The chunks of a Dask array as pieces: every round of questions computes them anew.

What runs the tasks is what Dask would use: threads, the scheduler that `dask.config` names, or the
cluster of the current client. A chunk is in memory only while its task runs, unless it is
persisted; only answers are kept, and a tree of tasks joins them.
"""

from collections.abc import Sequence
from functools import partial
from itertools import chain, product
from math import prod
from typing import Any
from uuid import uuid4

import numpy as np

from modern.opening import is_on_gpu
from modern.pieces import fetch_to_host
from shadersort.errors import (
    ClusterUnavailable,
    InputChanged,
    KeysNotFlat,
    ShadersortError,
    UnsupportedKeys,
)
from shadersort.keys.inputs import SELECTED, as_selectable
from shadersort.keys.types import Integers
from shadersort.selection.pieces.asking import JOINED, PieceHolder, Question, Where, sum_bits

COUNTERS_ON_GPU = 1 << 13
"""The largest number of counters in a histogram that any GPU has room for."""

GONE = "all copies of some chunks are gone: persist them anew, or pass what can be computed again"
DIED = "workers died while they computed a chunk: pass smaller chunks, or give them fewer threads"
CLOSED = "its client is closed: open another, and persist the array there"

FAILURES = {
    "FutureCancelledError": GONE,
    "CancelledError": GONE,
    "KilledWorker": DIED,
    "ClosedClientError": CLOSED,
    "CommClosedError": CLOSED,
}
"""What is said of the errors of a cluster, by their names; other errors are those of tasks."""


class DaskPieces(PieceHolder):
    """The chunks of a Dask array of any number of dimensions; it is neither changed nor persisted.

    If sizes of chunks are unknown, a round finds them.

    Examples
    --------
    >>> import dask.array
    >>> from shadersort.selection.pieces.primitives import Pieces
    >>> Pieces(DaskPieces(dask.array.arange(10, chunks=(5, 1, 4)))).counts(np.int64(6))
    Counts(below=6, equal=1, above=3)
    """

    name = "a Dask array"
    changed = "the array was changed while it was read, persist it or use fixed seeds: chunk"
    fetch = staticmethod(fetch_to_host)

    def __init__(self, array: Any) -> None:
        from dask.array.core import slices_from_chunks

        as_selectable(np.empty(0, array.dtype))  # raises an error of their type before a round
        array = measure_chunks(array)
        self.dtype, self.sums, self._chunks = np.dtype(array.dtype), {}, chunks_of(array)
        if is_on_gpu(array._meta):
            self.counters = COUNTERS_ON_GPU
        self.sizes = [prod(each) for each in product(*array.chunks)]
        self._stored, self._shape = array.dtype, array.shape
        self._blocks = slices_from_chunks(array.chunks)

    def ask(self, question: Question) -> Any:
        """Ask all chunks, and join their answers by a tree of tasks."""
        from dask.delayed import Delayed
        from dask.highlevelgraph import HighLevelGraph

        self.rounds += 1
        layer, shared = (f"{each}-{uuid4().hex}" for each in ("pieces", "question"))
        tasks: dict[Any, Any] = {shared: question}  # goes to each worker once
        each_chunk = zip(self._chunks, self.sizes, self._blocks, strict=True)
        for i, (chunk, size, block) in enumerate(each_chunk):
            where = partial(flat_places, block=block, shape=self._shape)
            tasks[layer, i] = ask_chunk, shared, chunk.key, i, self._stored, size, where
        names = [(layer, i) for i in range(len(self._chunks))]
        while len(names) > 1:
            some = [names[at : at + JOINED] for at in range(0, len(names), JOINED)]
            names = [(layer, len(tasks) + i) for i in range(len(some))]
            tasks |= {
                name: (join_answers, shared, each) for name, each in zip(names, some, strict=True)
            }
        graph = HighLevelGraph.from_collections(layer, tasks, dependencies=self._chunks[:1])
        answer, sums = compute([Delayed(names[0], graph, layer=layer)])[0]
        for piece, each in sums.items():
            self.check(piece, each)
        return answer


def flat_places(places: Any, *, block: Sequence[slice], shape: tuple[int, ...]) -> Integers:
    """Return places in a flat block as places in the flat array of some shape.

    Examples
    --------
    >>> flat_places(np.array([0, 3]), block=(slice(1, 3), slice(2, 4)), shape=(3, 10))
    array([12, 23])
    """
    inside = np.unravel_index(places, [each.stop - each.start for each in block])
    moved = [at + each.start for at, each in zip(inside, block, strict=True)]
    return np.asarray(np.ravel_multi_index(moved, shape) if moved else places, np.int64)


def ask_chunk(
    question: Question, chunk: Any, piece: int, stored: Any, size: int, where: Where
) -> tuple[Any, dict[int, int]]:
    """Return what a chunk answers, and the sum of its bits by its number, in a task."""
    array = chunk if is_on_gpu(chunk) else SELECTED.array(chunk)
    if array.dtype != stored:
        raise UnsupportedKeys(
            f"chunk {piece} has keys of {array.dtype}, and the array says {stored}: pass chunks of "
            "one type, array.astype(...)"
        )
    if array.size != size:
        raise InputChanged(
            f"chunk {piece} has {array.size} keys, and had {size} before: keys are read in several "
            "rounds, and have to be the same each time"
        )
    if is_on_gpu(array):
        from modern.primitives.cupy import CuPyPrimitives

        keys = array.reshape(-1)
        return question.answer(CuPyPrimitives(keys), where), {piece: sum_bits(keys)}
    keys = np.ascontiguousarray(array).reshape(-1)
    return question.ask_array(keys, where), {piece: sum_bits(keys)}


def join_answers(
    question: Question, pairs: Sequence[tuple[Any, dict[int, int]]]
) -> tuple[Any, dict[int, int]]:
    """Return what several answers are together, and all sums."""
    answers, sums = zip(*pairs, strict=True)
    return question.join(answers), dict(chain.from_iterable(each.items() for each in sums))


def chunks_of(array: Any) -> list[Any]:
    """Return what makes each chunk, with fewer tasks than the array has; raise if it is closed."""
    held = _held(array)
    if any(each.client.status == "closed" for each in held):
        raise ClusterUnavailable(f"the array is persisted on a cluster, and {CLOSED}")
    found: list[Any] = array.to_delayed(optimize_graph=not held).ravel().tolist()
    return found


def compute(tasks: Sequence[Any]) -> Any:
    """Return what tasks return; raise ClusterUnavailable for errors of a cluster."""
    import dask

    try:
        return dask.compute(*tasks)
    except Exception as error:
        lost = "Missing dependency" in str(error)
        if (words := CLOSED if lost else FAILURES.get(type(error).__name__)) is None:
            raise
        raise ClusterUnavailable(f"{words} ({error})") from error


def measure_chunks(array: Any) -> Any:
    """Return a Dask array whose chunks have known sizes; a round finds those that are unknown."""
    if not np.isnan(array.shape).any():
        return array
    from dask.delayed import delayed

    try:
        shapes = compute([delayed(np.shape)(each) for each in chunks_of(array)])
    except ShadersortError:
        raise
    except Exception as error:
        raise ClusterUnavailable(
            "the sizes of some chunks are unknown, and the chunks cannot be computed to find them: "
            f"{type(error).__name__}: {error}"
        ) from error
    lengths = [[-1] * count for count in array.numblocks]
    for numbers, shape in zip(np.ndindex(array.numblocks), shapes, strict=True):
        for axis, number in enumerate(numbers):
            if len(shape) != array.ndim or lengths[axis][number] not in (-1, shape[axis]):
                raise KeysNotFlat(
                    f"chunk {numbers} has the shape {shape}, which does not fit its neighbours: "
                    "pass chunks that together are an array"
                )
            lengths[axis][number] = shape[axis]
    return type(array)(array.dask, array.name, tuple(map(tuple, lengths)), meta=array._meta)


def _held(array: Any) -> list[Any]:
    """Return the futures in an array's graph: chunks that a cluster holds."""
    from dask.highlevelgraph import MaterializedLayer

    layers = getattr(array.dask, "layers", {}).values()
    some = chain.from_iterable(each.values() for each in layers if type(each) is MaterializedLayer)
    return [each for each in some if type(each).__module__ == "distributed.client"]
