"""Summaries of Dask arrays: a task summarises each chunk, and a tree of tasks merges summaries."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from shadersort.errors import UnsupportedKeys
from shadersort.streams.windowed import WindowedSummary
from shadersort.tasks import Rounds

S = TypeVar("S", bound=WindowedSummary)


def summary_of_chunks(array: Any, make: Callable[[], S], name: str) -> S:
    """Return a summary of all values of a Dask array, in one round over its chunks.

    `make` makes an empty summary; `name` begins the names of the tasks.

    Examples
    --------
    >>> from functools import partial
    >>> import dask.array
    >>> from shadersort.streams import QuantileSummary
    >>> values = dask.array.arange(1000, chunks=300)
    >>> summary_of_chunks(values, partial(QuantileSummary, 0.1), "quantiles").n
    1000
    """
    if not hasattr(array, "__dask_keys__") or not hasattr(array, "chunks"):
        raise UnsupportedKeys(f"a Dask array is wanted, not {type(array).__name__}: use update()")
    make()  # raises errors of options before any chunk is computed
    rounds = Rounds(array, name)
    questions = [_Summarised(make)] * len(rounds.keys)
    found: S = rounds.joined("summary", range(len(rounds.keys)), questions, _Merged(make))
    return found


@dataclass(frozen=True)
class _Summarised:
    """Summarises a chunk."""

    make: Callable[[], Any]

    def __call__(self, chunk: Any) -> Any:
        return self.make().update(chunk.reshape(-1))


@dataclass(frozen=True)
class _Merged:
    """Merges summaries into a new one: a task that is run again finds its own unchanged."""

    make: Callable[[], Any]

    def __call__(self, summaries: Sequence[Any]) -> Any:
        merged = self.make()
        for each in summaries:
            merged.merge(each)
        return merged
