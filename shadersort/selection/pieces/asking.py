"""Questions that pieces answer, how answers are joined, and what holds the pieces and asks them."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add, attrgetter
from typing import Any, TypeAlias

import numpy as np

from shadersort.errors import InputChanged
from shadersort.keys.types import Integers, Key, Keys
from shadersort.selection.primitives import Counts, NumPyPrimitives, Primitives
from shadersort.selection.primitives.values import Extent, Traffic
from shadersort.selection.rows.partition import find_first, find_ranks
from shadersort.selection.top_keys import SMALLEST

BLOCK = 1 << 19
"""Keys that are asked together on the host, so that a core's caches hold them."""

FEW = 1 << 23
"""At most this many keys come together from all pieces."""

THINNED = 64
"""1 in this many keys shows which of all keys can be the first ones."""

Where = Callable[[Any], Any]
"""Returns places among all keys, given places among those that are asked."""

Summed: TypeAlias = tuple[Any, int]
"""An answer, and a number that tells whether the keys that gave it have changed."""


@dataclass(frozen=True)
class Question:
    """What is asked of all pieces in one round.

    Examples
    --------
    >>> question = Question(lambda keys, where: keys.counts(np.int64(4)).below, sum)
    >>> question.ask_array(np.arange(10), lambda places: places)[0]
    4
    """

    answer: Callable[[Any, Where], Any]  # takes primitives of some keys, and tells their places
    join: Callable[[Sequence[Any]], Any]

    def ask_array(self, array: Keys, where: Where) -> Summed:
        """Ask an array of NumPy, block by block."""

        def ask_block(start: int) -> Summed:
            keys = BlockPrimitives(array[start : start + BLOCK])
            return self.answer(keys, lambda places: where(places + start)), sum_bits(keys.keys)

        return self.join_all(map(ask_block, range(0, max(array.size, 1), BLOCK)))

    def join_all(self, answers: Iterable[Summed]) -> Summed:
        """Join answers to one, each as soon as it has come."""
        return reduce(lambda *both: join_summed(both, self.join), answers)


def join_summed(held: Sequence[Summed], join: Callable[[Sequence[Any]], Any]) -> Summed:
    """Join answers; sums become one number, which also depends on their order."""
    answers, sums = zip(*held, strict=True)
    return join(answers), hash(sums)


def sum_bits(keys: Any) -> int:
    """Return a sum, modulo 2**64, of all words of 64 bits of a flat array of NumPy or CuPy."""
    octets = keys.view(np.uint8)
    whole = octets.size // 8 * 8
    return (int(octets[:whole].view(np.uint64).sum()) + int(octets[whole:].sum())) % 2**64


@dataclass(frozen=True)
class Kept:
    """A copy of some keys on its way: its arrays, or none if it has more keys than `room`."""

    size: int
    arrays: list[Any]
    room: int

    def __add__(self, other: "Kept") -> "Kept":
        size, arrays = self.size + other.size, self.arrays + other.arrays
        return Kept(size, arrays if size <= self.room else [], self.room)


def add_up(answers: Sequence[Any]) -> Any:
    """Return the sum of answers; of lists and tuples, the sums of what they have at each place."""
    first = answers[0]
    if not isinstance(first, tuple | list):
        return reduce(add, answers)
    fields = map(add_up, zip(*answers, strict=True))
    return type(first)(*fields) if hasattr(first, "_fields") else type(first)(fields)


def join_extents(answers: Sequence[Extent]) -> Extent:
    """Return the extent of the keys of all pieces."""
    finite = [each for each in answers if each.finite] or answers[:1]
    names = ("total", "finite", "minus_infinite", "plus_infinite", "nans")
    return Extent(
        low=min(each.low for each in finite),
        high=max(each.high for each in finite),
        **{name: sum(getattr(each, name) for each in answers) for name in names},
    )


def find_best(answers: Sequence[Any], by: Any) -> Any:
    """Return the least or the largest answer of the pieces that have one; None if none has."""
    return by((each for each in answers if each is not None), default=None)


class BlockPrimitives(NumPyPrimitives):
    """Primitives over a block on the host, which lies in a core's caches."""

    def split(self, low: Key, high: Key) -> tuple[Counts, Counts, Primitives]:
        """Count at two pivots, which are no NaNs, and copy the keys between."""
        below = self.keys < low
        rest = NumPyPrimitives(self.keys.compress(below == (self.keys > high)))  # and NaNs
        at_low, at_high, inside = rest.split(low, high)
        before = int(np.count_nonzero(below))
        return (
            Counts.complete(before, at_low.equal, self.size),
            Counts.complete(before + at_high.below, at_high.equal, self.size),
            inside,
        )

    def count_numbers(self) -> int:
        """Return how many keys are not NaN."""
        return self.size - int(np.count_nonzero(self.keys != self.keys))

    def first(self, by: int, k: int) -> tuple[Keys, Integers]:
        """Return the first keys in an order, and their places, ascending.

        Of many keys a few show which can be first; only those are compared with each other.
        """
        array, smallest, some = self.keys, by == SMALLEST, np.empty(0, np.int64)
        thin, rank = array[::THINNED], 2 * (k // THINNED) + THINNED  # likely to leave k keys
        if 2 * rank < thin.size:
            bar = find_ranks(thin[None], [rank - 1 if smallest else thin.size - rank])[0]
            some = np.flatnonzero(~(array > bar if smallest else array < bar))
        few = array if some.size < max(k, 1) else array[some]
        (places,) = find_first(few[None], k, smallest=smallest, in_order=False)
        places = places if few is array else some[places]
        return array[places], places


class PieceHolder(ABC):
    """What holds the pieces of some keys, and asks them."""

    name = "parts"  # what messages call the keys
    dtype: np.dtype[Any]  # the caller's type of key
    sizes: Sequence[int]  # how many keys each piece has
    # returns the keys at ascending places, where that takes less time than to ask all pieces
    take: Callable[[Integers], Keys] | None = None
    few = FEW  # at most this many keys come together from all pieces
    counters = 1 << 16  # the largest number of counters in a histogram
    reads = 0  # how many times all pieces were asked so far
    changed = "the keys were changed while they were read"  # begins a message

    # the array of the primitives of few keys, where it can be gathered
    fetch: Callable[[Any], Any] = staticmethod(attrgetter("keys"))

    _sum: int | None = None  # what a round has found of the bits of all keys

    @abstractmethod
    def ask(self, question: Question) -> Any:
        """Ask all pieces, in one round; return what their answers are together."""

    def check(self, found: Summed) -> Any:
        """Return an answer; raise InputChanged if sums of bits are not those of other rounds."""
        answer, now = found
        self.reads += 1
        self._sum = now if self._sum is None else self._sum
        if now != self._sum:
            again = "they are not the same keys as before, and all rounds have to read the same"
            raise InputChanged(f"{self.changed}: {again}")
        return answer

    def gather(self, kept: Sequence[Any], traffic: Traffic) -> Primitives:
        """Return primitives over keys that were fetched."""
        return NumPyPrimitives(np.concatenate(kept), traffic)
