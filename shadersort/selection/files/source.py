"""What a source of pieces is: keys that can be read again, piece by piece."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np

from shadersort.errors import UnsupportedKeys
from shadersort.keys.accepted import as_rows_of_keys
from shadersort.keys.types import Integers, Keys

Read = Callable[[], Keys]
"""Reads a piece."""


class Source(ABC):
    """Keys in pieces.

    Attributes
    ----------
    name
        What messages call it.
    dtype
        The type of the keys, in native byte order.
    sizes
        How many keys each piece has.
    threads
        How many pieces may be in memory.
    flat
        Whether the keys have one dimension, so that their places are known to the caller.
    scattered
        Whether a few single keys are read faster than a whole piece.
    in_memory
        Whether pieces are parts of an array, which reading does not copy.
    neighbours
        How many neighbouring pieces a thread reads one after the other, if that is faster.
    sampled
        Some keys from random places, if they are known already.
    """

    name: str
    dtype: np.dtype[Any]
    sizes: list[int]
    threads: int
    flat: bool = True
    scattered: bool = False
    in_memory: bool = False
    neighbours: int = 1
    sampled: Keys | None = None

    @abstractmethod
    def read(self, place: int) -> Keys:
        """Return the keys of a piece: one dimension, native byte order."""

    def read_into(self, place: int, room: Keys) -> None:
        """Fill an array of the type and the size of a piece with its keys."""
        room[:] = self.read(place)

    def blocks(self, place: int) -> Iterator[Keys]:
        """Yield the keys of a piece, perhaps block by block: the next one takes the same memory."""
        yield self.read(place)

    @contextmanager
    def one_after_another(self) -> Iterator[None]:
        """While a thread reads neighbouring pieces."""
        yield

    def readers(self, places: Sequence[int]) -> Iterator[Read]:
        """Yield what reads each of some pieces; several threads may call it."""
        for place in places:
            yield partial(self.read, place)

    def take(self, place: int, within: Integers, run: int = 1) -> Keys:
        """Return some keys of a piece, by their places in it; or runs that begin there."""
        return self.read(place)[in_runs(within, run)]

    def check(self) -> None:  # noqa: B027  (not every source can see that)
        """Raise InputChanged if it is seen that the keys are not those of the beginning."""

    @property
    def where(self) -> str:
        """What is read, for messages and for progress."""
        return self.name


def in_runs(starts: Integers, run: int) -> Integers:
    """Return the places of runs, one run after the other.

    Examples
    --------
    >>> in_runs(np.array([7, 2]), 3)
    array([7, 8, 9, 2, 3, 4])
    """
    return starts if run == 1 else (starts[:, None] + np.arange(run)).reshape(-1)


def cut(count: int, most: int) -> list[int]:
    """Return the sizes of pieces of about equal size, of `most` keys at most.

    Examples
    --------
    >>> cut(10, 4), cut(0, 4)
    ([4, 3, 3], [])
    """
    pieces = -(-count // max(most, 1))
    return [count // pieces + (place < count % pieces) for place in range(pieces)]


def checked_type(stored: np.dtype[Any], name: str) -> np.dtype[Any]:
    """Return a type in native byte order; raise UnsupportedKeys if selection does not take it."""
    try:
        return as_rows_of_keys(np.empty(0, stored)).dtype
    except UnsupportedKeys as error:
        raise UnsupportedKeys(f"{name}: {error}") from error
