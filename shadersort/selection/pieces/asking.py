"""Questions that every piece of the keys answers for itself, and what asks the pieces.

A piece is an array on some device, a chunk of a Dask array, or a part of a file. A question takes
the primitives of a piece and returns a small answer; its `join` adds up answers of several pieces.
Large pieces on the host are asked block by block, which bounds the memory beside them.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial, reduce
from itertools import count
from typing import Any

import numpy as np

from shadersort.errors import EmptyInput, InputChanged, UnsupportedKeys
from shadersort.keys.accepted import selectable
from shadersort.keys.types import Integers, Keys
from shadersort.selection.primitives import NumPyPrimitives, Primitives, Traffic
from shadersort.selection.rows.first import find_first
from shadersort.selection.top_keys import SMALLEST
from shadersort.sorting.external.schedule import cores

BLOCK = 1 << 18
"""Keys that are asked together, on the host: blocks of 8-byte keys fit into a core's cache."""

JOINED = 16
"""At most this many answers are held before they are joined."""

ROOM = 1 << 22
"""At most this many keys are collected from all pieces."""

Step = Callable[[Any], Any]
"""Takes primitives; returns an answer, or primitives over a copy of some keys."""

Join = Callable[[Sequence[Any]], Any]
"""Returns what answers, in the order of their keys, are together; joins of joins are the same."""


@dataclass(frozen=True)
class Question:
    """What is asked of all pieces.

    Attributes
    ----------
    answer
        Takes the primitives of a piece, its number, and the place in it at which the keys begin.
    join
        Adds up answers.
    filters
        Steps that copy some keys first.
    title
        What progress says.

    Examples
    --------
    >>> from operator import methodcaller
    >>> question = Question(len_of, sum, (methodcaller("between", None, np.int64(30)),))
    >>> question(NumPyPrimitives([30, 10, 20]), 0, 0)
    2
    """

    answer: Callable[..., Any]
    join: Join
    filters: tuple[Step, ...] = ()
    title: str = "counting"

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
    """Return the first keys of primitives on the host in an order, and their places."""
    if not k:
        return keys.keys[:0], np.empty(0, np.int64)
    (places,) = find_first(keys.keys[None], k, smallest=by == SMALLEST)
    return keys.keys[places], places


class PieceHolder(ABC):
    """What holds the pieces of some keys, and asks them.

    Attributes
    ----------
    name
        What messages call the keys.
    dtype
        The caller's type of key.
    sizes
        How many keys each piece has.
    scattered
        Whether reading a few single keys costs less than reading all pieces.
    few
        At most this many keys are collected to be sorted.
    room
        At most this many keys between pivots are kept, of all pieces together.
    fetch
        Takes the primitives of few keys; returns their array where it can be gathered.
    first
        Returns the first keys of one piece in an order, and their places in it.
    counters
        The largest number of counters in a histogram.
    places
        How many keys are before each piece; or a function of the number of a piece and of places
        in it, which returns places among all keys.
    rounds
        How often pieces were asked so far.
    """

    name = "parts"
    dtype: np.dtype[Any]
    sizes: Sequence[int]
    scattered = True
    few = room = ROOM
    fetch: Callable[[Any], Any] = staticmethod(copy_keys)
    first: Callable[..., tuple[Keys, Integers]] = staticmethod(first_of_array)
    counters = 1 << 16
    rounds = 0

    @property
    def places(self) -> Any:
        """How many keys are before each piece."""
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
        ask = partial(ask_array, question=question)
        if len(self.arrays) == 1:
            return ask(self.arrays[0], 0)
        with ThreadPoolExecutor(cores()) as pool:
            return question.join(list(pool.map(ask, self.arrays, count())))

    def take(self, places: Integers) -> Keys:
        """Return the keys at ascending places."""
        self.rounds += 1
        ends = np.cumsum(self.sizes)
        cuts = np.searchsorted(places, ends)
        starts = zip(self.arrays, ends - self.sizes, np.split(places, cuts[:-1]), strict=True)
        return np.concatenate([each[some - start] for each, start, some in starts])


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


def ask_array(array: Keys, piece: int, question: Question) -> Any:
    """Ask an array of NumPy, block by block.

    Examples
    --------
    >>> ask_array(np.arange(1 << 20), 0, Question(len_of, sum))
    1048576
    """
    starts = range(0, max(array.size, 1), BLOCK)
    return join_as_they_come(
        (question(NumPyPrimitives(array[at : at + BLOCK]), piece, at) for at in starts), question
    )


def join_as_they_come(answers: Iterable[Any], question: Question) -> Any:
    """Return what answers are together, and hold few of them meanwhile."""
    held: list[Any] = []
    for each in answers:
        held.append(each)
        if len(held) == JOINED:
            held = [question.join(held)]
    return question.join(held)


class Sums:
    """The sums of the bits of all pieces that were read: each must be the same in every round.

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


def working_type(dtype: np.dtype[Any]) -> tuple[np.dtype[Any], Any]:
    """Return the type of keys that primitives work with, and what they stand in for."""
    keys, stand_in = selectable(np.empty(0, dtype))
    return keys.dtype, stand_in
