"""Questions that every piece of the keys answers for itself, and what asks the pieces.

A piece is an array on some device, a chunk of a Dask array, or a part of a file. A question takes
the primitives of some keys of a piece and returns a small answer; its `join` adds up answers.
Pieces on the host are asked block by block, which bounds the memory beside them.
"""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial, reduce
from typing import Any

import numpy as np

from shadersort.errors import EmptyInput, InputChanged, UnsupportedKeys
from shadersort.keys.types import Integers, Keys
from shadersort.selection.primitives import NumPyPrimitives, Primitives
from shadersort.selection.primitives.values import Traffic
from shadersort.selection.rows.first import find_first
from shadersort.selection.top_keys import SMALLEST
from shadersort.sorting.external.schedule import cores

BLOCK = 1 << 19
"""Bytes that are asked together on the host, so that a core's cache holds them."""

SPAN = 1 << 23
"""Bytes of an array that a thread asks at a time."""

JOINED = 16
"""At most this many answers are held before they are joined."""

ROOM = 1 << 22
"""At most this many keys are collected from all pieces."""

THINNED, FEWEST = 64, 1 << 14
"""Of more than FEWEST keys, 1 in THINNED tells which of them can be the first ones."""

Step = Callable[[Any], Any]
"""Takes primitives; returns an answer, or primitives over a copy of some keys."""

Join = Callable[[Sequence[Any]], Any]
"""Joins answers, in the order of their keys; what it returns can be joined again."""


@dataclass(frozen=True)
class Question:
    """What is asked of all pieces.

    Examples
    --------
    >>> from operator import methodcaller
    >>> question = Question(len_of, sum, (methodcaller("between", None, np.int64(30)),))
    >>> question(NumPyPrimitives([30, 10, 20]), 0, 0)
    2
    """

    answer: Callable[..., Any]  # takes primitives of keys, the number of their piece, their place
    join: Join
    filters: tuple[Step, ...] = ()  # they copy some keys first
    title: str = "counting"  # what progress says
    block: int = BLOCK  # bytes that are asked together on the host

    def __call__(self, keys: Primitives, piece: int, start: int) -> Any:
        """Return the answer of some keys of a piece."""
        return self.answer(reduce(lambda at, step: step(at), self.filters, keys), piece, start)


def len_of(keys: Primitives, *_: int) -> int:
    """Return how many keys there are."""
    return keys.size


def copy_keys(keys: Any) -> Keys:
    """Return a copy of the array of primitives on the host."""
    found: Keys = keys.keys.copy()
    return found


def first_of_array(keys: Any, by: int, k: int) -> tuple[Keys, Integers]:
    """Return the first keys of primitives on the host in an order, and their places.

    Of many keys, a part shows which of them can be first; only those are compared with each other.
    """
    array, smallest, some = keys.keys, by == SMALLEST, None
    bar = 2 * (k // THINNED) + THINNED  # likely to leave k keys, and few more
    if array.size > FEWEST and bar < array.size // (2 * THINNED):
        thin = array[::THINNED].copy()
        thin.partition(place := bar if smallest else thin.size - 1 - bar)
        some = np.flatnonzero(array <= thin[place] if smallest else ~(array < thin[place]))
        if some.size < k:
            some = None
    (places,) = find_first((array if some is None else array[some])[None], k, smallest=smallest)
    places = places if some is None else some[places]
    return array[places], places


class PieceHolder(ABC):
    """What holds the pieces of some keys, and asks them."""

    name = "parts"  # what messages call the keys
    dtype: np.dtype[Any]  # the caller's type of key
    sizes: Sequence[int]  # how many keys each piece has
    scattered = True  # whether reading a few single keys costs less than reading all pieces
    few = ROOM  # at most this many keys are collected to be sorted
    room = ROOM  # at most this many keys between pivots are kept, of all pieces together
    counters = 1 << 16  # the largest number of counters in a histogram
    rounds = 0  # how often pieces were asked so far

    # the array of the primitives of few keys, where it can be gathered
    fetch: Callable[[Any], Any] = staticmethod(copy_keys)
    # the first keys of the primitives of a piece in an order, and their places in it
    first: Callable[..., tuple[Keys, Integers]] = staticmethod(first_of_array)

    @property
    def places(self) -> Any:
        """How many keys are before each piece.

        Or a function of the number of a piece and of places in it, which returns places among all.
        """
        return np.cumsum(self.sizes) - self.sizes

    @abstractmethod
    def ask(self, question: Question) -> Any:
        """Ask all pieces, in one round; return what their answers are together."""

    def take(self, places: Integers) -> Keys:
        """Return the keys at ascending places, in the caller's type, if they are `scattered`."""
        raise NotImplementedError

    def gather(self, kept: Sequence[Any], traffic: Traffic) -> Primitives:
        """Return primitives over keys that were fetched."""
        return NumPyPrimitives(np.concatenate(kept), traffic)

    def divide(self, places: Integers) -> list[Integers]:
        """Return the places in each piece, given ascending places among all keys."""
        starts = self.places
        some = np.split(places, np.searchsorted(places, starts[1:]))
        return [each - start for each, start in zip(some, starts, strict=True)]


class ArrayPieces(PieceHolder):
    """Arrays of NumPy, all of one type; threads ask them at once.

    Examples
    --------
    >>> pieces = ArrayPieces([np.array([3, 1]), np.array([2])])
    >>> pieces.ask(Question(len_of, sum)), pieces.take(np.array([0, 2]))
    (3, array([3, 2]))
    """

    def __init__(self, arrays: Sequence[Any]) -> None:
        self.arrays, self.dtype = arrays, type_of(arrays)
        self.sizes = [int(each.size) for each in arrays]

    def ask(self, question: Question) -> Any:
        """Ask all arrays."""
        self.rounds += 1
        step = SPAN // self.dtype.itemsize
        tasks = (
            partial(ask_array, array[at : at + step], piece, question, at)
            for piece, array in enumerate(self.arrays)
            for at in range(0, max(array.size, 1), step)
        )
        threads = min(cores(), -(-sum(self.sizes) // step))
        return join_as_they_come(in_threads(tasks, threads), question)

    def take(self, places: Integers) -> Keys:
        """Return the keys at ascending places."""
        self.rounds += 1
        both = zip(self.arrays, self.divide(places), strict=True)
        return np.concatenate([each[some] for each, some in both])


def type_of(arrays: Sequence[Any]) -> np.dtype[Any]:
    """Return the type of key of all arrays, in native byte order, or raise an error."""
    types = {each.dtype.newbyteorder("=") for each in arrays}
    if not types:
        raise EmptyInput("no parts: pass at least one array")
    if len(types) > 1:
        names = ", ".join(sorted(map(str, types)))
        raise UnsupportedKeys(f"parts have keys of {names}: pass parts of one type")
    found: np.dtype[Any] = types.pop()
    return found


def in_threads(tasks: Iterable[Callable[[], Any]], threads: int) -> Iterator[Any]:
    """Yield what tasks return, in their order; no more of them are begun than there are threads."""
    if threads < 2:
        yield from (task() for task in tasks)
        return
    waiting: deque[Future[Any]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        try:
            for task in tasks:
                if len(waiting) == threads:
                    yield waiting.popleft().result()
                waiting.append(pool.submit(task))
            while waiting:
                yield waiting.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)


def ask_array(array: Keys, piece: int, question: Question, start: int = 0) -> Any:
    """Ask an array of NumPy, block by block; it is at some place in its piece.

    Examples
    --------
    >>> ask_array(np.arange(1 << 20), 0, Question(len_of, sum))
    1048576
    """
    step = question.block // array.itemsize
    answers = (
        question(NumPyPrimitives(array[at : at + step]), piece, start + at)
        for at in range(0, max(array.size, 1), step)
    )
    return join_as_they_come(answers, question)


def join_as_they_come(answers: Iterable[Any], question: Question) -> Any:
    """Join answers to one; a few that have come are joined before the next is asked for."""
    held: list[Any] = []
    for each in answers:
        held.append(each)
        if len(held) == JOINED:
            held = [question.join(held)]
    return question.join(held)


class Sums:
    """The sums of the bits of pieces, which must be the same in every round.

    Examples
    --------
    >>> sums = Sums("The file")
    >>> sums.check({0: 7}), sums.check({0: 8})
    Traceback (most recent call last):
    ...
    shadersort.errors.InputChanged: The file was changed while it was read: piece 0 has other ...
    """

    def __init__(self, name: str, piece: str = "piece", advice: str = "write it later") -> None:
        self._name, self._piece, self._advice = name, piece, advice
        self._known = dict[int, int]()

    def check(self, sums: dict[int, int]) -> None:
        """Raise InputChanged if a piece has another sum than before."""
        for place, now in sums.items():
            if now != self._known.setdefault(place, now):
                raise InputChanged(
                    f"{self._name} was changed while it was read: {self._piece} {place} has other "
                    f"keys than before, and all rounds have to read the same; {self._advice}"
                )


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
