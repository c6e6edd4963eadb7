"""Summaries of Dask arrays: a task summarises each chunk, and a tree of tasks merges summaries."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from shadersort.errors import UnsupportedKeys
from shadersort.selection.dask_tasks import Rounds
from shadersort.streams.windowed import WindowedSummary

S = TypeVar("S", bound=WindowedSummary)


def summary_of_chunks(array: Any, make: Callable[[], S], name: str) -> S:
    """Return a summary of all values of a Dask array or column, in one round over its chunks.

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
    if not hasattr(array, "__dask_keys__") or not (is_column(array) or hasattr(array, "chunks")):
        raise UnsupportedKeys(
            f"a Dask array or a column of a Dask data frame is wanted, not {type(array).__name__}: "
            "use update()"
        )
    make()  # raises errors of options before any chunk is computed
    rounds = Rounds(array, name)
    questions = [_Summarised(make, _may_miss_integers(array))] * len(rounds.keys)
    found: S = rounds.joined("summary", range(len(rounds.keys)), questions, _Merged(make))
    return found


def is_column(values: Any) -> bool:
    """Whether values are a column of a Dask data frame, or its index.

    Examples
    --------
    >>> import dask.dataframe, pandas
    >>> frame = dask.dataframe.from_pandas(pandas.DataFrame({"t": [3.0, 1.0]}), npartitions=2)
    >>> is_column(frame), is_column(frame["t"])
    (False, True)
    """
    return (
        hasattr(values, "npartitions")
        and getattr(values, "ndim", 0) == 1
        and hasattr(values, "to_dask_array")
    )


def _may_miss_integers(values: Any) -> bool:
    """Whether values are a column of integers some of which may be missing."""
    dtype: Any = getattr(values, "dtype", None)
    return is_column(values) and not isinstance(dtype, np.dtype) and dtype.kind in "iu"


@dataclass(frozen=True)
class _Summarised:
    """Summarises a chunk; as floats if only some chunks might have NaN for missing integers."""

    make: Callable[[], Any]
    floats: bool

    def __call__(self, chunk: Any) -> Any:
        summary = self.make()
        if self.floats:
            summary._adopt(np.dtype(np.float64))
        return summary.update(chunk.reshape(-1) if hasattr(chunk, "reshape") else chunk)


@dataclass(frozen=True)
class _Merged:
    """Merges summaries into a new one: a task that is run again finds its own unchanged."""

    make: Callable[[], Any]

    def __call__(self, summaries: Sequence[Any]) -> Any:
        merged = self.make()
        for each in summaries:
            merged.merge(each)
        return merged
