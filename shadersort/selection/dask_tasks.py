"""Questions to the chunks of a Dask array: a task for each chunk, and a tree that joins answers.

What runs the tasks is what Dask would use: threads, the scheduler that `dask.config` names, or the
cluster of the current client. A chunk is in memory only while its task runs, unless it is
persisted. So each *round* of questions computes the chunks anew, and only answers are kept.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any
from uuid import uuid4

from shadersort.errors import ClusterUnavailable

JOINED = 16
"""A task joins at most this many answers."""

Question = Callable[[Any], Any]
"""Takes a chunk; returns a small answer."""


class Rounds:
    """The chunks of a Dask array, which are asked in rounds.

    Parameters
    ----------
    array
        The Dask array; it is neither changed nor persisted.
    name
        What the tasks are for: the beginning of their names.

    Examples
    --------
    >>> import dask.array
    >>> rounds = Rounds(dask.array.arange(10, chunks=4), "count")
    >>> rounds.each("length", [0, 2], [len, len]), rounds.joined("length", range(3), [len] * 3, sum)
    ([4, 2], 10)
    """

    def __init__(self, array: Any, name: str) -> None:
        from dask.core import flatten

        held = _held(array)
        if any(each.client.status == "closed" for each in held):
            raise _closed("it is persisted on a cluster")
        self.array = array if held else _optimized(array)
        self.keys, self.name = list(flatten(self.array.__dask_keys__())), name

    def each(self, about: str, places: Sequence[int], questions: Sequence[Question]) -> list[Any]:
        """Ask some chunks, each its own question; return their answers in this order."""
        lists = [_Listed(each) for each in questions]
        found: list[Any] = self.joined(about, places, lists, _in_one_list)
        return found

    def joined(
        self,
        about: str,
        places: Sequence[int],
        questions: Sequence[Callable[..., Any]],
        join: Callable[[Sequence[Any]], Any],
        shared: tuple[Any, ...] = (),
    ) -> Any:
        """Ask some chunks; return what the answers are together, joined in the order of chunks.

        What is `shared` are further arguments of all questions: they go to each worker once.
        """
        name = f"{self.name}-{about}"
        asked, token = f"{name}-{uuid4().hex}", uuid4().hex
        pairs = enumerate(zip(places, questions, strict=True))
        beside = f"{name}-shared-{token}"
        tasks: dict[Any, Any] = {
            (asked, i): (_answer, question, self.keys[place], beside)
            for i, (place, question) in pairs
        }
        level, names = 0, list(tasks)
        tasks[beside] = _Shared(shared)
        while len(names) > 1 or not level:
            level += 1
            several = [names[i : i + JOINED] for i in range(0, len(names), JOINED)]
            names = [(f"{name}-joined-{token}", level, i) for i in range(len(several))]
            tasks |= {each: (join, some) for each, some in zip(names, several, strict=True)}
        return self._computed(asked, tasks, names[0])

    def _computed(self, layer: str, tasks: dict[Any, Any], wanted: Any) -> Any:
        from dask.delayed import Delayed
        from dask.highlevelgraph import HighLevelGraph

        graph = HighLevelGraph.from_collections(layer, tasks, dependencies=[self.array])
        try:
            return Delayed(wanted, graph, layer=layer).compute()
        except Exception as error:
            named = _named(error)
            if named is None:
                raise
            raise named from error


@dataclass(frozen=True)
class _Shared:
    """Arguments that Dask does not look into, as it does into tuples."""

    arguments: tuple[Any, ...]


def _answer(question: Callable[..., Any], chunk: Any, shared: _Shared) -> Any:
    return question(chunk, *shared.arguments)


class _Listed:
    """A question whose answer is put into a list."""

    def __init__(self, question: Question) -> None:
        self.question = question

    def __call__(self, chunk: Any) -> list[Any]:
        return [self.question(chunk)]


def _in_one_list(lists: Sequence[list[Any]]) -> list[Any]:
    return list(chain.from_iterable(lists))


def _optimized(array: Any) -> Any:
    """Return an array or a data frame with fewer tasks for each chunk, once for all rounds.

    `dask.optimize` of a data frame loses a filter of its rows in Dask 2026.8.
    """
    if hasattr(array, "optimize"):
        return array.optimize()
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
