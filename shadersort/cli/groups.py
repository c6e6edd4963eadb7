"""Numbers by groups: each group's numbers go to a summary of its own."""

from collections.abc import Callable, Iterator
from typing import Any, Generic, Protocol, Self, TypeVar

import numpy as np

from shadersort.errors import InputChanged, TooManyGroups
from shadersort.keys.reading.words import Words
from shadersort.keys.types import Integers, Keys
from shadersort.streams.different_words import different

TOGETHER = 1 << 20
"""Numbers that are divided at once: a summary takes many numbers faster than few."""


class Taker(Protocol):
    """What takes the numbers of a group."""

    def update(self, keys: Keys, /) -> Any:
        """Take the next numbers."""


AnyTaker = TypeVar("AnyTaker", bound=Taker)
Other = TypeVar("Other", bound=Taker)


class Groups(Generic[AnyTaker]):
    """Gives the numbers of each group to what takes them; a group is named by a word.

    Parameters
    ----------
    make
        Makes what takes the numbers of a new group.
    most
        The most groups that are allowed.

    Examples
    --------
    >>> from shadersort.streams import QuantileSummary
    >>> words = Words.of([b"b", b"a", b"b"], np.arange(1, 4))
    >>> groups = Groups(lambda: QuantileSummary(0.1), 10)
    >>> groups = groups.update(iter([(words, np.array([1, 2, 3]))]))
    >>> {word: taker.maximum for word, taker in groups.items()}
    {b'b': np.int64(3), b'a': np.int64(2)}
    """

    def __init__(self, make: Callable[[], AnyTaker], most: int) -> None:
        self._make, self._most = make, most
        self._numbers: dict[bytes, int] = {}
        self._takers: list[AnyTaker] = []
        self._held: list[tuple[Integers, Keys]] = []
        self._fixed = False

    def __len__(self) -> int:
        return len(self._takers)

    def items(self) -> Iterator[tuple[bytes, AnyTaker]]:
        """Yield the groups in the order in which they were first seen."""
        return zip(self._numbers, self._takers, strict=True)

    def giving_to(self, takers: list[Other]) -> "Groups[Other]":
        """Return the same groups with other takers, one for each; no group may be added."""
        groups: Groups[Other] = Groups(takers.pop, len(self))  # it makes none
        groups._numbers, groups._takers, groups._fixed = self._numbers, takers, True
        return groups

    def update(self, rows: Iterator[tuple[Words, Keys]]) -> Self:
        """Take in numbers with the words of their groups.

        Raises TooManyGroups, or InputChanged if a group is new and none may be added.
        """
        held = 0
        for words, keys in rows:
            found, places = different(words)
            numbers = np.array([self._number(word) for word in found])
            self._held.append((numbers[places], np.ascontiguousarray(keys)))  # not whole records
            held += len(keys)
            if held >= TOGETHER:
                self._divide()
                held = 0
        self._divide()
        return self

    def _number(self, word: bytes) -> int:
        """Return the number of a group, which may be new."""
        number = self._numbers.get(word)
        if number is not None:
            return number
        if self._fixed:
            raise InputChanged("there was a new group when the input was read again")
        if len(self) == self._most:
            raise TooManyGroups(
                f"there are more than {self._most:,} groups, different words in the column: "
                "each needs memory. Pass a larger --most-groups to allow more"
            )
        self._takers.append(self._make())
        return self._numbers.setdefault(word, len(self._numbers))

    def _divide(self) -> None:
        """Give the numbers that are held to their groups, in their order."""
        if not self._held:
            return
        numbers, keys = (np.concatenate(each) for each in zip(*self._held, strict=True))
        self._held.clear()
        short = numbers.astype(np.uint16) if len(self) <= 1 << 16 else numbers
        order = np.argsort(short, kind="stable")  # a radix sort for 16 bits
        numbers, keys = numbers[order], keys[order]
        begins = np.flatnonzero(np.diff(numbers, prepend=-1))
        for begin, end in zip(begins, np.append(begins[1:], len(keys)), strict=True):
            self._takers[int(numbers[begin])].update(keys[begin:end])
