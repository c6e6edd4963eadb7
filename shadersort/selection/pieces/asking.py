"""Questions that pieces answer, and what holds the pieces and asks them."""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import Any

import numpy as np

from shadersort.errors import InputChanged
from shadersort.keys.types import Integers, Key, Keys
from shadersort.selection.primitives import Counts, NumPyPrimitives, Primitives
from shadersort.selection.primitives.values import Traffic
from shadersort.selection.rows.partition import find_first
from shadersort.selection.top_keys import SMALLEST

BLOCK = 1 << 20
"""Bytes that are asked together on the host, so that a core's cache holds them."""

JOINED = 16
"""At most this many answers are held before they are joined."""

FEW = 1 << 23
"""At most this many keys come together from all pieces."""

THINNED = 64
"""1 in this many keys shows which of all keys can be the first ones."""

Where = Callable[[Any], Any]
"""Returns places among all keys, given places among those that are asked."""


@dataclass(frozen=True)
class Question:
    """What is asked of all pieces in one round.

    Examples
    --------
    >>> question = Question(lambda keys, where: keys.counts(np.int64(4)).below, sum)
    >>> question.ask_array(np.arange(1 << 20), lambda places: places)
    4
    """

    answer: Callable[[Any, Where], Any]  # takes primitives of some keys, and tells their places
    join: Callable[[Sequence[Any]], Any]
    block: int = BLOCK  # bytes that are asked together on the host

    def ask_array(self, array: Keys, where: Where) -> Any:
        """Ask an array of NumPy, block by block."""
        step = self.block // array.itemsize
        return self.join_all(
            self.answer(
                BlockPrimitives(array[at : at + step]), partial(move, start=at, where=where)
            )
            for at in range(0, max(array.size, 1), step)
        )

    def join_all(self, answers: Iterable[Any]) -> Any:
        """Join answers to one; a few that have come are joined before the next is asked for."""
        held: list[Any] = []
        for each in answers:
            held.append(each)
            if len(held) == JOINED:
                held = [self.join(held)]
        return self.join(held)


class BlockPrimitives(NumPyPrimitives):
    """Primitives over a block on the host: one read splits it and counts the NaNs."""

    _nans: int | None = None

    def split(self, low: Key, high: Key) -> tuple[Counts, Counts, Primitives]:
        """Count at two pivots, which are no NaNs, and copy the keys between."""
        self.traffic.add(self.size)
        below = self.keys < low
        rest = self.keys.compress(below == (self.keys > high))  # from low to high, and NaNs
        numbers = rest[rest == rest]
        self._nans, before = rest.size - numbers.size, int(np.count_nonzero(below))
        is_low, is_high = numbers == low, numbers == high
        at_low, at_high = int(np.count_nonzero(is_low)), int(np.count_nonzero(is_high))
        return (
            Counts.complete(before, at_low, self.size),
            Counts.complete(before + numbers.size - at_high, at_high, self.size),
            NumPyPrimitives(numbers[~(is_low | is_high)], self.traffic),
        )

    def count_numbers(self) -> int:
        """Return how many keys are not NaN."""
        if self._nans is None:
            self._nans = int(np.count_nonzero(self.keys != self.keys))
        return self.size - self._nans

    def first(self, by: int, k: int) -> tuple[Keys, Integers]:
        """Return the first keys in an order, and their places.

        Of many keys a few show which can be first; only those are compared with each other.
        """
        array, smallest, some = self.keys, by == SMALLEST, np.empty(0, np.int64)
        thin, rank = array[::THINNED], 2 * (k // THINNED) + THINNED  # likely to leave k keys
        if 0 < 2 * rank < thin.size:
            bar = thin[find_first(thin[None], rank, smallest=smallest)[0, -1]]
            some = np.flatnonzero(~(array > bar if smallest else array < bar))
        few = array if some.size < max(k, 1) else array[some]
        (places,) = find_first(few[None], k, smallest=smallest)
        places = places if few is array else some[places]
        return array[places], places


def move(places: Any, *, start: int, where: Where) -> Any:
    """Return places among all keys, given those in a block that begins at some place."""
    return where(places + start)


class PieceHolder(ABC):
    """What holds the pieces of some keys, and asks them."""

    name = "parts"  # what messages call the keys
    dtype: np.dtype[Any]  # the caller's type of key
    sizes: Sequence[int]  # how many keys each piece has
    # returns the keys at ascending places, where that takes less time than to ask all pieces
    take: Callable[[Integers], Keys] | None = None
    few = FEW  # at most this many keys come together from all pieces
    counters = 1 << 16  # the largest number of counters in a histogram
    rounds = 0  # how often pieces were asked so far
    sums: dict[int, int]  # of the bits of each piece, where each round reads them anew
    changed: str  # how a message begins that goes on with the number of a piece

    # the array of the primitives of few keys, where it can be gathered
    fetch: Callable[[Any], Any] = staticmethod(attrgetter("keys"))

    @abstractmethod
    def ask(self, question: Question) -> Any:
        """Ask all pieces, in one round; return what their answers are together."""

    def check(self, piece: int, now: int) -> None:
        """Raise InputChanged if the bits of a piece have another sum than in the round before."""
        if now != self.sums.setdefault(piece, now):
            again = "has other keys than before, and all rounds have to read the same"
            raise InputChanged(f"{self.changed} {piece} {again}")

    def gather(self, kept: Sequence[Any], traffic: Traffic) -> Primitives:
        """Return primitives over keys that were fetched."""
        return NumPyPrimitives(np.concatenate(kept), traffic)


def in_threads(tasks: Iterable[Callable[[], Any]], threads: int) -> Iterator[Any]:
    """Yield what tasks return, in their order; no more of them are begun than there are threads."""
    if threads < 2:
        yield from (task() for task in tasks)
        return
    waiting: deque[Future[Any]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        for task in tasks:
            if len(waiting) == threads:
                yield waiting.popleft().result()
            waiting.append(pool.submit(task))
        yield from (each.result() for each in waiting)


def sum_bits(keys: Any) -> int:
    """Return a sum, modulo 2**64, of all words of 64 bits of a flat array of NumPy or CuPy.

    Examples
    --------
    >>> sum_bits(np.array([1, 0, 2, 0, 7], np.uint32))
    10
    """
    octets = keys.view(np.uint8)
    whole = octets.size // 8 * 8
    sums = (octets[:whole].view(np.uint64).sum(), octets[whole:].sum())
    return sum(map(int, sums)) % 2**64
