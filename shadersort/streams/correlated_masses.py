"""Massed values: as `ranked.py`, with masses beside the counts.

Each value of a set brings a number of masses: 1, which makes the count, and the positive and the
negative part of what belongs to it. Between which bounds the sum of each mass lies, over all values
up to some point, is kept as the bounds of a rank are, by what they grow from entry to entry:

    lower[i] = the mass from behind entry i − 1 up to entry i
    upper[i] = the mass from entry i up to before entry i + 1

Here both are of the set that the entry came from; merging sorts the entries together, and again the
error D, the largest mass that lies between two neighbours, of a union is at most that of its parts
together. Compressing keeps the last entry of every slot of counts, and of every slot of the two
other masses together: no more than a slot of either is then added to its D.
"""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from shadersort.errors import CorruptSummary
from shadersort.keys.types import Keys
from shadersort.streams.greenwald_khanna import last_of_slots
from shadersort.streams.rank_answers import Ranks

__all__ = ["MASSES", "Massed", "Sums"]

Masses = npt.NDArray[np.float64]

MASSES = 3
"""The count, the positive mass and the negative one."""


@dataclass(frozen=True, slots=True, eq=False)
class Massed:
    """Values of several sets, one a row, with the bounds of masses up to each.

    Attributes
    ----------
    values
        In order, of shape (sets, entries). The first is the smallest of its set, the last the
        largest.
    lower, upper
        What the bounds of the masses grow by, of shape (3, sets, entries).
    """

    values: Keys
    lower: Masses
    upper: Masses

    @classmethod
    def whole(cls, values: Keys, masses: Keys) -> Self:
        """Return sets of which every value is kept: sorted rows, and the mass of each value.

        Examples
        --------
        >>> whole = Massed.whole(np.array([[1, 2]]), np.array([[5.0, -3.0]]))
        >>> whole.lower[:, 0].tolist()
        [[1.0, 1.0], [5.0, 0.0], [0.0, 3.0]]
        """
        ones = np.ones(masses.shape)
        each = np.stack([ones, np.maximum(masses, 0), np.maximum(-masses, 0)])
        return cls(values, each, each)

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, sets: slice) -> Self:
        return type(self)(self.values[sets], self.lower[:, sets], self.upper[:, sets])

    def preceded_by(self, other: Self) -> Self:
        """Return the sets of another, then these; they have equally many entries."""
        return type(self)(
            np.concatenate([other.values, self.values]),
            np.concatenate([other.lower, self.lower], axis=1),
            np.concatenate([other.upper, self.upper], axis=1),
        )

    def merged_in_pairs(self) -> Self:
        """Return the unions of the first set and the second, of the third and the fourth, …."""
        shape = (len(self) // 2, 2 * self.values.shape[1])
        values = self.values.reshape(shape)
        order = np.argsort(values, axis=1, kind="stable")
        lower, upper = (
            np.take_along_axis(masses.reshape(MASSES, *shape), order[None], 2)
            for masses in (self.lower, self.upper)
        )
        return type(self)(np.take_along_axis(values, order, 1), lower, upper)

    def compressed(self, size: int, step: int, slots: int) -> Self:
        """Return sets of so many values with fewer entries.

        One is kept for every `step` counts, and one for each of so many equal slots of the two
        other masses together.
        """
        rows = np.arange(len(self))[:, None]
        low, through = np.cumsum(self.lower, axis=2), np.cumsum(self.upper, axis=2)
        before = np.concatenate([np.zeros_like(through[:, :, :1]), through[:, :, :-1]], axis=2)
        mass, whole = before[1] + before[2], through[1, :, -1:] + through[2, :, -1:]
        by_count = (before[0] // step).astype(np.intp)
        share = np.divide(mass, whole, out=np.zeros_like(mass), where=whole > 0)
        by_mass = np.minimum((share * slots).astype(np.intp), slots - 1)
        counted = last_of_slots(by_count, (size - 1) // step + 1)
        kept = np.sort(np.concatenate([counted, last_of_slots(by_mass, slots)[:, 1:]], axis=1))
        return type(self)(
            self.values[rows, kept],
            np.diff(low[:, rows, kept], axis=2, prepend=0),
            np.diff(before[:, rows, kept], axis=2, append=through[:, :, -1:]),
        )

    def checked(self, size: int) -> Self:
        """Return the sets if they can be of so many values each, or raise CorruptSummary."""
        masses = np.stack([self.lower, self.upper])
        low, high = np.cumsum(masses[:, 0], axis=2)
        largest = 1 + high - self.upper[0]
        if not (
            np.all(self.values[:, :-1] <= self.values[:, 1:])
            and not np.isnan(self.values).any()
            and masses.dtype == np.float64
            and np.all(np.isfinite(masses) & (masses >= 0))
            and np.all(low <= largest)
            and np.all((low[:, -1] == size) & (high[:, -1] == size))
        ):
            raise CorruptSummary("the masses of a bucket contradict each other")
        return self


class Sums:
    """Bounds of all masses up to any point, from the buckets of a summary."""

    def __init__(self, sets: list[Massed]) -> None:
        values = np.concatenate([each.values[0] for each in sets])
        order = np.argsort(values, kind="stable")
        self.values = values[order]
        low, high = (
            np.cumsum(np.concatenate([getattr(each, name)[:, 0] for each in sets], 1)[:, order], 1)
            for name in ("lower", "upper")
        )
        nothing = np.zeros((MASSES, 1))
        self._low, self._high = np.hstack([nothing, low]), np.hstack([nothing, high])
        self.ranks = Ranks(self.values, low[0].astype(np.int64), high[0].astype(np.int64))

    def masses(self, points: Keys) -> tuple[Any, Any]:
        """Return the bounds of the sum of y up to each point."""
        gap = self.ranks.gaps(points, "right")
        low, high = self._low[:, gap], self._high[:, gap]
        return (low[1] - high[2])[()], (high[1] - low[2])[()]
