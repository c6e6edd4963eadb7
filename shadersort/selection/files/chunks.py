"""Chunks of arrays that a function makes anew for each round."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, cast

import numpy as np

from shadersort.errors import InputChanged, NotRereadable, UnsupportedKeys
from shadersort.keys.accepted import as_rows_of_keys
from shadersort.keys.types import Keys
from shadersort.selection.files.budget import Budget
from shadersort.selection.files.source import Read, Source, checked_type
from shadersort.selection.primitives.dense_buckets import SAMPLES

Make = Callable[[], Iterable[Any]]
"""Makes all chunks anew."""


class Chunks(Source):
    """Arrays, one after the other, of any shapes and of one type.

    They are counted once in the beginning. That round also draws the sample.
    """

    def __init__(self, make: Make, budget: Budget) -> None:
        self.name, self._make, self._budget = "the sequence of chunks", make, budget
        self.threads, self.sizes, self.dtype = budget.threads, [], np.dtype(np.float64)
        sample = Sample(SAMPLES)
        for place, chunk in enumerate(self._chunks()):
            if not place:
                self.dtype = chunk.dtype
            self._check_type(chunk.dtype, place, UnsupportedKeys)
            self.sizes.append(chunk.size)
            sample.add(chunk)
        self.sampled = sample.keys.astype(self.dtype, copy=False)

    def read(self, place: int) -> Keys:
        """Return the keys of a chunk; all chunks before it are made, too."""
        (read,) = self.readers([place])
        return read()

    def readers(self, places: Sequence[int]) -> Iterator[Read]:
        """Yield some chunks as they are made, in the caller's thread."""
        wanted, last = set(places), len(self.sizes) - 1
        place = -1
        for place, chunk in enumerate(self._chunks()):
            if place > last:
                raise InputChanged(self._changed(f"more than {last + 1:,}"))
            self._check_type(chunk.dtype, place, InputChanged)
            if place in wanted:
                yield partial(_same, chunk)
            if place != last and place == max(wanted):
                return
        if place < 0:
            raise NotRereadable(ONCE.format("what the function returns"))
        if place < max(wanted):
            raise InputChanged(self._changed(f"{place + 1:,}"))

    def _changed(self, now: str) -> str:
        return (
            f"there were {len(self.sizes):,} chunks at first, and {now} when they were made again"
        )

    def _chunks(self) -> Iterator[Keys]:
        made = self._make()
        if isinstance(made, np.ndarray) or not hasattr(made, "__iter__"):
            raise UnsupportedKeys(
                f"chunks are made by a function that returns an iterator of arrays, not "
                f"{type(made).__name__}"
            )
        for place, chunk in enumerate(made):
            array = as_rows_of_keys(chunk)
            checked_type(array.dtype, f"chunk {place}")
            room = self._budget.threads_for(
                array.nbytes, f"chunk {place}", ", or make smaller chunks"
            )
            self.threads = min(self.threads, room)
            yield array.reshape(-1)

    def _check_type(self, now: np.dtype[Any], place: int, error: type[Exception]) -> None:
        if now != self.dtype:
            raise error(
                f"chunk 0 has keys of {self.dtype}, and chunk {place} of {now}: use one type"
            )


class Sample:
    """Keys from random places of chunks, with replacement; each key is as likely as any other.

    Examples
    --------
    >>> sample = Sample(5)
    >>> sample.add(np.full(3, 7))
    >>> sample.keys
    array([7, 7, 7, 7, 7])
    """

    def __init__(self, count: int) -> None:
        self._count, self._seen, self._random = count, 0, np.random.default_rng(0)
        self.keys: Keys = np.empty(0)

    def add(self, chunk: Keys) -> None:
        """Take in a chunk: a key of it takes each place as often as its share of all keys is."""
        if not chunk.size:
            return
        self._seen += chunk.size
        if self._seen == chunk.size:
            self.keys = np.empty(self._count, chunk.dtype)
        taken = self._random.random(self._count) < chunk.size / self._seen
        places = self._random.integers(0, chunk.size, int(taken.sum()))
        self.keys[taken] = chunk[places]


ONCE = (
    "{} can be read only once, and the keys are read several times: pass a function that returns a "
    "fresh iterator each time, or store the keys with np.save"
)


def makes_chunks(given: Any) -> Make:
    """Return what makes all chunks anew; raise NotRereadable for what can be read only once.

    Examples
    --------
    >>> makes_chunks(iter([np.arange(3)]))
    Traceback (most recent call last):
    ...
    shadersort.errors.NotRereadable: ... can be read only once, and the keys are read several ...
    """
    if callable(given):
        return cast(Make, given)
    if isinstance(given, Iterable) and not isinstance(given, Iterator):
        return lambda: given
    if not isinstance(given, Iterator):
        raise UnsupportedKeys(
            f"{type(given).__name__} has no keys: pass a path, an array, or what makes chunks"
        )
    raise NotRereadable(ONCE.format(type(given).__name__))


def _same(chunk: Keys) -> Keys:
    return chunk
