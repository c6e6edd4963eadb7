"""Greenwald-Khanna summaries with different numbers of entries, one a row.

A shorter row repeats its first entry, with no increment of its ranks: that changes nothing in a
union, and nothing of what a compression keeps.
"""

from collections.abc import Callable
from typing import Any, Self

import numpy as np

from shadersort.keys.types import Keys
from shadersort.streams.chains import chains, links_of
from shadersort.streams.greenwald_khanna import GKSummaries


class PaddedSummaries(GKSummaries):
    """Summaries whose shorter rows repeat their first entry; see `GKSummaries`."""

    __slots__ = ()

    @classmethod
    def of(cls, summaries: GKSummaries) -> Self:
        """Return summaries as ones of this class."""
        return cls(summaries.values, summaries.lower, summaries.upper)

    def thinned(self, size: int, least: Callable[..., Any]) -> Self:
        """Return summaries of sets of `size` values with as few entries as a bound allows.

        `least` takes NumPy and the largest ranks of entries, and returns the smallest rank that a
        neighbour before each may have; every entry must allow the one before it. Of equal values
        at most the first and the last are kept.

        Examples
        --------
        >>> two = PaddedSummaries.of_samples(np.array([[1, 3, 5], [2, 3, 9]]), np.arange(3), 3)
        >>> two.thinned(3, lambda np, largest: largest - 2).values
        array([[1, 5],
               [2, 9]])
        """
        smallest, before = self.smallest, self.before
        links = links_of(np, self.values, smallest, before, size, least)
        every = np.arange(len(self))[:, None], chains(links)
        return type(self).of_ranks(self.values[every], smallest[every], before[every], size)

    def padded(self, entries: int) -> Self:
        """Return summaries with so many entries, the first of which are repeated."""
        return type(self)(*_padded(self, entries))

    def preceded_by(self, *others: GKSummaries) -> Self:
        """Return the summaries of others followed by these, all with equally many entries."""
        stacks: list[GKSummaries] = [*others, self]
        entries = max(each.entries for each in stacks)
        columns = (_padded(each, entries) for each in stacks)
        return type(self)(*(np.concatenate(each) for each in zip(*columns, strict=True)))

    @property
    def trimmed(self) -> Self:
        """The only summary of this stack, without repeated entries."""
        first = self.lower[0] > 0
        last = self.upper[0] > 0
        if first.all() and last.all():
            return self
        return type(self)(self.values[:, last], self.lower[:, first], self.upper[:, last])


def _padded(summaries: GKSummaries, entries: int) -> tuple[Keys, Any, Any]:
    """Return the columns of summaries with that many entries."""
    more = entries - summaries.entries
    values, lower, upper = summaries.values, summaries.lower, summaries.upper
    if not more:
        return values, lower, upper
    first, none = np.repeat(values[:, :1], more, axis=1), np.zeros((len(values), more), lower.dtype)
    return (
        np.concatenate([first, values], axis=1),
        np.concatenate([lower[:, :1], none, lower[:, 1:]], axis=1),
        np.concatenate([none.astype(upper.dtype, copy=False), upper], axis=1),
    )
