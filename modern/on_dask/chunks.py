"""All chunks of a Dask array: what asks them, and where their keys are in the array."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import Any, cast

import numpy as np

from modern.on_dask.chunk import COPIES, Asked, Box, Chunk
from shadersort.errors import ClusterUnavailable, InputChanged, KeysNotFlat, ShadersortError
from shadersort.selection.dask_tasks import Rounds
from shadersort.selection.primitives.parts import Ask, Call
from shadersort.selection.primitives.parts.sums import Join, T

ABOUT = {
    "counts": "counts",
    "counts_at": "counts",
    "take": "sample",
    "histogram_and_nans": "histogram",
    "bucket_histogram": "histogram",
    "digit_histogram": "histogram",
    "digit_histograms": "histogram",
    "copied": "candidates",
    "collected": "keys",
    "top_of": "top",
    "between": "part",
    "closed_between": "part",
    "with_prefixes": "part",
    "of_buckets": "part",
}
"""What a call is in the names of tasks; other calls have their own names."""


class Chunks:
    """Asks chunks: what the primitives over parts take as `ask_all`."""

    def __init__(self, array: Any, name: str) -> None:
        self.rounds, self.sums = Rounds(array, name), dict[int, int]()
        lengths = [list(map(float, each)) for each in array.chunks]
        if np.isnan(np.concatenate([[0.0], *lengths])).any():
            lengths = self._measured(array.numblocks)
        self.lengths = [np.array(each, np.int64) for each in lengths]

    @property
    def sizes(self) -> list[int]:
        """How many keys each chunk has."""
        return [prod(map(int, each)) for each in product(*self.lengths)]

    def __call__(self, parts: Sequence[Chunk], asks: Sequence[Ask]) -> list[Any]:
        """Ask each part something; copies of some keys are parts with one more filter."""
        questions = [Asked(part, *each) for part, each in zip(parts, asks, strict=True)]
        places = [part.place for part in parts]
        pairs = self.rounds.each(about(asks[0][0]), places, questions)
        found = [self._same(*each) for each in pairs]
        if asks[0][0] not in COPIES:
            return found
        return [
            replace(part, size=size, filters=(*part.filters, each))
            for part, size, each in zip(parts, found, asks, strict=True)
        ]

    def together(
        self, parts: Sequence[Chunk], call: Call, args: tuple[Any, ...], join: Join[T]
    ) -> T:
        """Ask all parts the same; return what the answers are together."""
        questions = [Asked(part, call, join=join) for part in parts]
        places = [part.place for part in parts]
        pair = self.rounds.joined(about(call), places, questions, JoinPairs(join), args)
        return cast(T, self._same(*pair))

    def with_places(self, parts: Sequence[Chunk], asks: Sequence[Ask], join: Join[T]) -> T:
        """Ask each part something about places; return what the answers are together."""
        both = zip(parts, asks, strict=True)
        questions = [Asked(part, *each, join, has_places=True) for part, each in both]
        places = [part.place for part in parts]
        pair = self.rounds.joined(about(asks[0][0]), places, questions, JoinPairs(join))
        return cast(T, self._same(*pair))

    def _same(self, found: Any, sums: dict[int, int]) -> Any:
        """Return an answer; raise InputChanged if a chunk is not what it was in another round."""
        for place, each in sums.items():
            if self.sums.setdefault(place, each) != each:
                raise InputChanged(
                    f"chunk {place} has changed: keys are read in several rounds, and have to be "
                    "the same each time; persist the array, or compute it from fixed seeds"
                )
        return found

    def box(self, place: int) -> "Box":
        """Return where the keys of a chunk are in the array."""
        numbers = np.unravel_index(place, [each.size for each in self.lengths])
        starts = [
            int(each[:number].sum()) for each, number in zip(self.lengths, numbers, strict=True)
        ]
        shape = [int(each[number]) for each, number in zip(self.lengths, numbers, strict=True)]
        return Box(tuple(starts), tuple(shape), tuple(int(each.sum()) for each in self.lengths))

    def _measured(self, counts: tuple[int, ...]) -> list[list[float]]:
        """Return the lengths of chunks along each axis, by a round that computes all chunks."""
        try:
            shapes = self.rounds.each("sizes", range(prod(counts)), [np.shape] * prod(counts))
        except ShadersortError:
            raise
        except Exception as error:
            raise ClusterUnavailable(
                "the sizes of some chunks are unknown, and the chunks cannot be computed to find "
                f"them: {type(error).__name__}: {error}"
            ) from error
        lengths: list[list[float]] = [[-1] * count for count in counts]
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


@dataclass(frozen=True)
class JoinPairs:
    """Joins answers, and what stands beside them about chunks."""

    join: Callable[[Sequence[Any]], Any]

    def __call__(self, pairs: Sequence[tuple[Any, dict[int, int]]]) -> tuple[Any, dict[int, int]]:
        """Return what several pairs are together."""
        sums = {place: each for _, some in pairs for place, each in some.items()}
        return self.join([found for found, _ in pairs]), sums


def known(array: Any) -> Any:
    """Return a Dask array whose chunks have known sizes; a round finds those that are unknown."""
    if not np.isnan(array.shape).any():
        return array
    lengths = [tuple(map(int, each)) for each in Chunks(array, "keys").lengths]
    return type(array)(array.dask, array.name, tuple(lengths), meta=array._meta)


def about(call: Call) -> str:
    """Return what a call is in the names of tasks.

    Examples
    --------
    >>> about("take"), about("extent")
    ('sample', 'extent')
    """
    name = call if isinstance(call, str) else call.__name__
    return ABOUT.get(name, name.replace("_", "-"))
