"""The primitives over parts where a copy of keys can be held: then a bracket costs one read.

Most of the keys are read once, by a copy of those between two keys of a sample. All later rounds
read that copy, which is small. The same read counts the NaNs.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from shadersort.keys.types import Integers, Key, Keys
from shadersort.selection.primitives.numpy import NumPyPrimitives
from shadersort.selection.primitives.parts.part import Ask
from shadersort.selection.primitives.parts.primitives import PartsPrimitives
from shadersort.selection.primitives.parts.sums import sum_of_counts
from shadersort.selection.primitives.protocol import Primitives
from shadersort.selection.primitives.values import Counts

SAMPLES = 1 << 14
"""Keys in a sample: about 1 in 40 of all keys lie in the bracket of a median."""

MANY = 1 << 30
"""Of so many keys the sample is four times as large: a narrow bracket saves more than its sort."""


BRACKETS = 6
"""So many brackets take as long as a histogram and a copy of some buckets."""


class BracketedParts(PartsPrimitives):
    """Primitives over parts whose reads for a rank count the NaNs, too.

    `parted` has to set `nans`.
    """

    nans: int | None = None
    """How many keys are NaN, once that is known."""

    @property
    def has_counted(self) -> bool:
        """Whether the NaNs are counted already."""
        return self.nans is not None or self._histogram is not None

    def count_numbers(self) -> int:
        """Return how many keys are not NaN: no read, if one has counted them already."""
        return super().count_numbers() if self.nans is None else self.size - self.nans

    def sort(self) -> NumPyPrimitives:
        """Collect all keys, and return them in order: the NaNs are the last ones."""
        found = super().sort()
        if self.dtype.kind == "f":
            infinity = self.dtype.type(np.inf)  # a float64 would have the keys converted, NaNs too
            self.nans = found.size - int(found.keys.searchsorted(infinity, side="right"))
        return found


class KeptParts(BracketedParts):
    """Primitives over parts that hold copies of their keys, as arrays in memory do.

    Examples
    --------
    >>> keys = KeptParts.of_arrays([[5.0, 1.0], [4.0], [2.0, np.nan, 9.0]])
    >>> at_low, at_high, inside = keys.parted(np.float64(1), np.float64(5))
    >>> at_low, inside.size, keys.count_numbers(), keys.rounds
    (Counts(below=0, equal=1, above=5), 2, 5, 1)
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        samples = SAMPLES if self.size < MANY else 4 * SAMPLES
        self.tuning = replace(self.tuning, room=self.size, samples=samples)

    def sample(self, count: int, seed: int) -> Keys:
        """Return keys from random places: of each part as many as its share of all keys is."""
        if (count, seed) not in self._sampled:
            shares = self._shares(count)
            holders = np.flatnonzero(shares)
            asks: list[Ask] = [("sample", (each, seed)) for each in shares[holders].tolist()]
            self.traffic.read += count
            found = self._asked(holders, asks)
            self._sampled[count, seed] = np.concatenate(found)
        return self._sampled[count, seed]

    def _shares(self, count: int) -> Integers:
        """Divide a number by the sizes of the parts."""
        ends = [int(end) * count // self.size for end in np.cumsum(self.sizes)]
        return np.diff(ends, prepend=0)

    def parted(self, low: Key, high: Key) -> tuple[Counts, Counts, Primitives]:
        """Count at two pivots, and copy the keys between; each part keeps its own."""
        at_low, at_high, parts = zip(*self._each("parted", low, high), strict=True)
        inside = self._over(list(parts))
        self.traffic.written += inside.size
        return sum_of_counts(at_low), sum_of_counts(at_high), inside

    def _over(self, parts: list[Any]) -> "KeptParts":
        """Return primitives over copies of some keys."""
        return type(self)(parts, self.ask_all, most=self.most, traffic=self.traffic)
