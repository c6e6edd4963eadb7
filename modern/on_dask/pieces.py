"""The chunks of a Dask array as pieces: every round of questions computes them anew.

What runs the tasks is what Dask would use: threads, the scheduler that `dask.config` names, or the
cluster of the current client. A chunk is in memory only while its task runs, unless it is
persisted; only answers are kept.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, product
from math import prod
from operator import call
from typing import Any
from uuid import uuid4

import numpy as np

from modern.opening import is_on_gpu
from modern.parts import fetch_to_host, first_on_gpu
from shadersort.errors import (
    ClusterUnavailable,
    InputChanged,
    KeysNotFlat,
    ShadersortError,
    UnsupportedKeys,
)
from shadersort.keys.accepted import SELECTED, as_selectable
from shadersort.keys.types import Integers
from shadersort.selection.pieces.asking import PieceHolder, Question, Sums, ask_array, sum_bits

JOINED = 16
"""A task joins at most this many answers."""

COUNTERS_ON_GPU = 1 << 13
"""The largest number of counters in a histogram that any GPU has room for."""


class DaskPieces(PieceHolder):
    """The chunks of a Dask array of any number of dimensions; it is neither changed nor persisted.

    Parameters
    ----------
    array
        The array. If sizes of chunks are unknown, a round finds them.
    label
        What the tasks are for: the beginning of their names.

    Examples
    --------
    >>> import dask.array
    >>> from shadersort.selection.pieces.primitives import Pieces
    >>> Pieces(DaskPieces(dask.array.arange(10, chunks=(5, 1, 4)), "median")).counts(np.int64(6))
    Counts(below=6, equal=1, above=3)
    """

    name = "a Dask array"
    scattered = False
    first = staticmethod(first_on_gpu)
    fetch = staticmethod(fetch_to_host)

    def __init__(self, array: Any, label: str) -> None:
        from dask.core import flatten

        as_selectable(np.empty(0, array.dtype))  # raises an error of their type before a round
        held = _held(array)
        if any(each.client.status == "closed" for each in held):
            raise _closed("it is persisted on a cluster")
        self.dtype, self._label, self._stored = np.dtype(array.dtype), label, array.dtype
        self.array = array if held else _optimize(array)
        self._chunks = list(flatten(self.array.__dask_keys__()))
        self._sums = Sums("the array", "chunk", "persist it, or compute it from fixed seeds")
        if is_on_gpu(array._meta):
            self.counters = COUNTERS_ON_GPU
        self.lengths = [list(each) for each in array.chunks]
        if np.isnan(array.shape).any():
            self.lengths = self._measure(array.numblocks)
        self.sizes = [prod(each) for each in product(*self.lengths)]

    @property
    def places(self) -> Any:
        """What returns places in the flat array."""
        return partial(flat_places, lengths=self.lengths)

    def ask(self, question: Question) -> Any:
        """Ask all chunks, and join their answers by a tree of tasks."""
        asked = [(i, size, self._stored) for i, size in enumerate(self.sizes)]
        found, sums = self._compute(question.title, Asked(question), asked)
        self._sums.check(sums)
        return found

    def _compute(self, title: str, asked: Any, arguments: Sequence[tuple[Any, ...]]) -> Any:
        """Compute all chunks, and what becomes of them; in one round."""
        from dask.delayed import Delayed
        from dask.highlevelgraph import HighLevelGraph

        self.rounds += 1
        layer, token = f"{self._label}-{title}-{uuid4().hex}", uuid4().hex
        shared = f"{self._label}-question-{token}"  # goes to each worker once
        tasks: dict[Any, Any] = {
            (layer, i): (call, shared, chunk, *each)
            for i, (chunk, each) in enumerate(zip(self._chunks, arguments, strict=True))
        }
        names, level = list(tasks), 0
        tasks[shared] = asked
        while len(names) > 1 or not level:
            level += 1
            some = [names[i : i + JOINED] for i in range(0, len(names), JOINED)]
            names = [(f"{self._label}-joined-{token}", level, i) for i in range(len(some))]
            tasks |= {name: (_join, shared, each) for name, each in zip(names, some, strict=True)}
        graph = HighLevelGraph.from_collections(layer, tasks, dependencies=[self.array])
        try:
            return Delayed(names[0], graph, layer=layer).compute()
        except Exception as error:
            named = _named(error)
            if named is None:
                raise
            raise named from error

    def _measure(self, counts: tuple[int, ...]) -> list[list[int]]:
        """Return the lengths of chunks along each axis, by a round that computes all chunks."""
        try:
            shapes = self._compute("sizes", Shapes(), [()] * prod(counts))
        except ShadersortError:
            raise
        except Exception as error:
            raise ClusterUnavailable(
                "the sizes of some chunks are unknown, and the chunks cannot be computed to find "
                f"them: {type(error).__name__}: {error}"
            ) from error
        lengths = [[-1] * count for count in counts]
        for numbers, shape in zip(np.ndindex(counts), shapes, strict=True):
            for axis, number in enumerate(numbers):
                known = lengths[axis][number]
                if len(shape) != len(counts) or known not in (-1, shape[axis]):
                    raise KeysNotFlat(
                        f"chunk {numbers} has the shape {shape}, which does not fit its "
                        "neighbours: pass chunks that together are an array"
                    )
                lengths[axis][number] = shape[axis]
        return lengths


def flat_places(piece: int, places: Integers, lengths: Sequence[Sequence[int]]) -> Integers:
    """Return places in a flat chunk as places in the flat array, given lengths along each axis.

    Examples
    --------
    >>> flat_places(4, np.array([0, 3]), [[1, 2], [2, 2, 6]])
    array([12, 23])
    """
    if not lengths:
        return places
    numbers = np.unravel_index(piece, [len(each) for each in lengths])
    pairs = list(zip(lengths, map(int, numbers), strict=True))
    inside = np.unravel_index(places, [each[number] for each, number in pairs])
    moved = [at + sum(each[:n]) for at, (each, n) in zip(inside, pairs, strict=True)]
    return np.asarray(np.ravel_multi_index(moved, list(map(sum, lengths))), np.int64)


@dataclass(frozen=True)
class Asked:
    """A question that runs in a task: on another machine, perhaps."""

    question: Question

    def __call__(
        self, chunk: Any, piece: int, size: int, stored: Any
    ) -> tuple[Any, dict[int, int]]:
        """Return what a chunk answers, and the sum of its bits by its place."""
        array = chunk if is_on_gpu(chunk) else SELECTED.array(chunk)
        if array.dtype != stored:
            raise UnsupportedKeys(
                f"chunk {piece} has keys of {array.dtype}, and the array says {stored}: pass "
                "chunks of one type, array.astype(...)"
            )
        if array.size != size:
            raise InputChanged(
                f"chunk {piece} has {array.size} keys, and had {size} before: keys are read in "
                "several rounds, and have to be the same each time"
            )
        if is_on_gpu(array):
            from modern.primitives.cupy import CuPyPrimitives

            keys = array.reshape(-1)
            return self.question(CuPyPrimitives(keys), piece, 0), {piece: sum_bits(keys)}
        keys = np.ascontiguousarray(array).reshape(-1)
        return ask_array(keys, piece, self.question), {piece: sum_bits(keys)}

    def join(self, pairs: Sequence[tuple[Any, dict[int, int]]]) -> tuple[Any, dict[int, int]]:
        """Return what several answers are together."""
        sums = {place: each for _, some in pairs for place, each in some.items()}
        return self.question.join([found for found, _ in pairs]), sums


class Shapes:
    """The question for the shapes of chunks."""

    def __call__(self, chunk: Any) -> list[Any]:
        """Return a list of one shape."""
        return [np.shape(chunk)]

    def join(self, shapes: Sequence[list[Any]]) -> list[Any]:
        """Put lists together."""
        return list(chain.from_iterable(shapes))


def _join(asked: Any, answers: Sequence[Any]) -> Any:
    return asked.join(answers)


def known(array: Any) -> Any:
    """Return a Dask array whose chunks have known sizes; a round finds those that are unknown."""
    if not np.isnan(array.shape).any():
        return array
    lengths = tuple(map(tuple, DaskPieces(array, "keys").lengths))
    return type(array)(array.dask, array.name, lengths, meta=array._meta)


def _optimize(array: Any) -> Any:
    """Return an array with fewer tasks for each chunk, once for all rounds."""
    graph = array.__dask_optimize__(array.__dask_graph__(), array.__dask_keys__())
    rebuild, args = array.__dask_postpersist__()
    return rebuild(graph, *args)


def _held(array: Any) -> list[Any]:
    """Return the futures in an array's graph: chunks that a cluster holds."""
    from dask.highlevelgraph import MaterializedLayer

    layers = getattr(array.dask, "layers", {}).values()
    some = chain.from_iterable(each.values() for each in layers if type(each) is MaterializedLayer)
    return [each for each in some if type(each).__module__ == "distributed.client"]


def _closed(why: object) -> ClusterUnavailable:
    return ClusterUnavailable(
        f"the cluster that holds this array cannot be asked ({why}): its client is closed; open "
        "another and persist the array there, or pass an array that is not persisted"
    )


def _named(error: Exception) -> Exception | None:
    """Return our error for one of a cluster; None for others, which are those of tasks."""
    kind = type(error).__name__
    if kind in ("FutureCancelledError", "CancelledError"):
        return ClusterUnavailable(
            f"all copies of some chunks are gone, and nothing can compute them again ({error}): "
            "scatter or persist them anew, or pass an array that is computed from its source"
        )
    if kind == "KilledWorker":
        return ClusterUnavailable(
            f"workers died while they computed a chunk ({error}): if memory was short, pass "
            "smaller chunks, array.rechunk(...), or give workers fewer threads"
        )
    if kind in ("ClosedClientError", "CommClosedError") or "Missing dependency" in str(error):
        return _closed(error)
    return None
