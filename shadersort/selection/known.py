"""What is known of some keys: how many of all keys are below each, and how many equal it."""

import numpy as np

from shadersort.keys.codes import code, encode
from shadersort.keys.types import Integers, Key, Keys, Mask


class Known:
    """Counts that a method found on its way, so that a proof need not read the keys again.

    Examples
    --------
    >>> known = Known()
    >>> known.add(np.float32(2), below=3, equal=1)
    >>> known.learn(np.float32([5, 7]), np.array([4, 8]), np.array([2, 2]))
    >>> known.look_up(np.float32([7, -0.0, 2]))
    (array([8, 0, 3]), array([2, 0, 1]), array([ True, False,  True]))
    """

    def __init__(self) -> None:
        self._single: dict[int, tuple[int, int]] = {}
        self._tables: list[tuple[Keys, Integers, Integers]] = []

    def add(self, pivot: Key, below: int, equal: int) -> None:
        """Learn the counts at one pivot."""
        self._single[code(pivot)] = below, equal

    def at(self, pivot: Key) -> tuple[int, int] | None:
        """Return how many keys are below and equal to a pivot, if `add` was told."""
        return self._single.get(code(pivot))

    def learn(self, keys: Keys, below: Integers, equal: Integers) -> None:
        """Learn the counts at many keys."""
        if keys.size == 1:
            self.add(keys[0], int(below[0]), int(equal[0]))
        elif keys.size:
            self._tables.append((keys, below, equal))

    def update(self, other: "Known") -> None:
        """Learn everything that another `Known` has."""
        self._single |= other._single
        self._tables += other._tables

    def look_up(self, keys: Keys) -> tuple[Integers, Integers, Mask]:
        """Return how many keys are below and equal to each given key, and which keys are known."""
        for learnt, less, same in self._tables:
            if learnt is keys:
                return less, same, np.ones(keys.size, np.bool_)
        codes = encode(keys)
        below, equal = np.zeros(keys.size, np.int64), np.zeros(keys.size, np.int64)
        known = np.zeros(keys.size, np.bool_)
        for some, less, same in self._tables:
            learnt = encode(some)
            order = np.argsort(learnt)
            places = np.searchsorted(learnt, codes, sorter=order)
            places = order[np.minimum(places, learnt.size - 1)]
            found = learnt[places] == codes
            below[found], equal[found] = less[places[found]], same[places[found]]
            known |= found
        for place, each in enumerate(codes.tolist() if self._single else ()):
            if (counts := self._single.get(each)) is not None:
                below[place], equal[place] = counts
                known[place] = True
        return below, equal, known
