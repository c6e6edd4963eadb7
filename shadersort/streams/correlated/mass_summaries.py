"""Greenwald-Khanna summaries with masses beside the counts: section 5.4 of the paper.

Each value of a set brings three masses: 1, whose sums are ranks, and the positive and the negative
part of the number that belongs to it. The bounds of the sums of each mass, over all values up to
some point, are kept like the bounds of a rank, by their increments from entry to entry:

    lower[i] = the mass after entry i − 1, up to entry i
    upper[i] = the mass from entry i on, up to before entry i + 1

Both are masses of the set that the entry came from. Merging sorts the entries of two sets together,
and the error D of a union, the largest mass between two neighbours, is again at most the sum of the
errors of its parts. Compressing keeps the last entry of every slot of counts, and of every slot of
the two other masses together. This adds at most one slot of either to its D.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from shadersort.errors import CorruptSummary, NotFinite
from shadersort.keys.types import Integers, Keys
from shadersort.streams.correlated.pairs import Pairs
from shadersort.streams.levels import Levels
from shadersort.streams.quantiles.gk_summaries import GKSummaries, is_sorted
from shadersort.streams.quantiles.rank_answers import RankBounds
from shadersort.streams.summary import Timed
from shadersort.streams.values import plain_zeros

Masses = npt.NDArray[np.float64]
Places = npt.NDArray[np.intp]

MASSES = 3
"""The count, the positive mass and the negative one."""
SUMMED = 64
"""Columns whose sums are added up; divides every window."""
OVERFLOW = "the sum of all |y| is more than float64 holds: scale y down"
ROUNDING = 1e-6
"""How far sums in bytes may be off by rounding, as a share of all."""
PART = 1 << 16
"""Pairs that are summarised at once, so that their arrays fit a cache: masses take 48 bytes."""
GROUP, LEAST, GROUPS = 1 << 19, 16, 4
"""Pairs in a group; the least windows in it; and the groups that all windows make, at least."""


@dataclass(frozen=True, slots=True, eq=False)
class MassSummaries(GKSummaries):
    """Summaries of several sets; `lower` and `upper` have the shape (3, summaries, entries)."""

    @classmethod
    def exact(cls, values: Keys, masses: Masses) -> Self:
        """Return summaries that keep every value, given sorted rows and the mass of each value.

        Examples
        --------
        >>> exact = MassSummaries.exact(np.array([[1, 2]]), np.array([[5.0, -3.0]]))
        >>> exact.lower[:, 0].tolist()
        [[1.0, 1.0], [5.0, 0.0], [0.0, 3.0]]
        """
        each = np.empty((MASSES, *masses.shape))
        each[0] = 1
        np.maximum(masses, 0, out=each[1])
        each[1] += 0.0  # −0.0 becomes 0.0
        np.subtract(each[1], masses, out=each[2])
        return cls(values, each, each)

    def compressed(self, size: int, step: int, slots: int = 1) -> Self:
        """Return summaries of sets of `size` values with fewer entries.

        One entry is kept for every `step` counts, and one for each of `slots` equal parts of the
        two other masses together.
        """
        with np.errstate(over="ignore"):
            low = np.cumsum(self.lower, axis=2)
            through = low if self.upper is self.lower else np.cumsum(self.upper, axis=2)
            mass = through[1] + through[2]
        kept = _places(through[0], mass, size, step, slots)
        is_first = kept % self.entries == 0
        low, ends = low.reshape(MASSES, -1), through.reshape(MASSES, -1)
        before = np.where(is_first, 0, ends.take(kept - ~is_first, axis=1))
        lower = np.diff(low.take(kept, axis=1), axis=2, prepend=0)
        upper = np.diff(before, axis=2, append=through[:, :, -1:])
        # −0.0 becomes 0.0
        return type(self)(self.values.ravel().take(kept), lower + 0.0, upper + 0.0)

    def checked(self, size: int) -> Self:
        """Return these summaries if each can be of `size` values, or raise CorruptSummary."""
        masses = np.stack([self.lower, self.upper])
        with np.errstate(over="ignore", invalid="ignore"):  # sums of masses may overflow
            low, through = sums = np.cumsum(masses, axis=3)
            rounding = ROUNDING * through[:, :, -1:]
            above = low > through + rounding
            apart = np.abs(low[:, :, -1:] - through[:, :, -1:]) > rounding
        # compressing may repeat an entry: nothing lies between the two
        above[:, :, :-1] &= self.values[:, 1:] != self.values[:, :-1]
        if not (
            is_sorted(self.values)
            and self.lower.dtype == self.upper.dtype == np.float64
            and np.all(np.isfinite(masses) & (masses >= 0))
            and np.all((masses[:, 0] <= size) & (masses[:, 0] == np.floor(masses[:, 0])))
            and np.all(sums[:, 0, :, -1] == size)
            and np.all(low[0] <= 1 + through[0] - self.upper[0])
            and not (above.any() or apart.any())
        ):
            raise CorruptSummary("the masses of a bucket contradict each other")
        return self


def _places(counts: npt.NDArray[Any], masses: Masses, size: int, step: int, slots: int) -> Places:
    """Return the places to keep in each row: the first, and the last of each slot of either kind.

    `counts` and `masses` are the sums up to each entry, for each row. The slot of an entry is that
    of the sums before it; an empty slot repeats the entry before it. So the slots below an entry's
    say how many entries are kept before it. Places count over all rows.
    """
    whole = masses[:, -1:]
    if not np.isfinite(whole).all():
        raise NotFinite(OVERFLOW)
    share = masses / np.where(whole > 0, whole, 1)
    share *= slots
    ends = share.astype(np.int64)
    np.minimum(ends, slots - 1, out=ends)
    ends += counts.astype(np.int64) // step
    total = (size - 1) // step + 2 + slots
    ends[:, -1] = total - 1
    times = np.diff(ends, axis=1, prepend=-1)  # how often each entry is kept
    once = np.flatnonzero(times > 0)  # faster than of integers
    kept: Places = np.repeat(once, times.ravel()[once])
    return kept.reshape(len(masses), total)


def add_pairs(
    levels: Levels[Any],
    pairs: Pairs,
    step: int,
    slots: int,
    timed: Timed,
    order: Callable[[Any], Integers],
    mapped: Callable[..., Any],
) -> Levels[Any]:
    """Return levels with windows of pairs added, whose `order` and threads (`mapped`) are given.

    Groups of 2^k windows begin at multiples of 2^k, counted from the first window of the stream. So
    each becomes one bucket, the same one as if its windows had come one by one.
    """
    windows, length = pairs.x.shape
    rows = max(1, PART // length)
    most = min(max(GROUP // length, LEAST), windows // GROUPS)
    size = 1 << (max(rows, most).bit_length() - 1)
    empty = Levels(levels.compressed)
    first = -sum(1 << level for level in levels.buckets) % size
    bounds = sorted({0, *range(min(first, windows), windows, size), windows})

    def summarise(part: Pairs) -> MassSummaries:
        places = order(part.x) + np.arange(0, part.x.size, length)[:, None]
        x, y = (each.ravel().take(places) for each in (part.x, part.y))
        return MassSummaries.exact(plain_zeros(x), y).compressed(length, step, slots)

    def summarise_group(group: Pairs) -> Mapping[int, Any]:
        parts = [summarise(group[at : at + rows]) for at in range(0, len(group), rows)]
        stack = parts.pop().preceded_by(*parts)
        if len(group) < size:
            return {0: stack}
        return empty.with_stack(0, stack, lambda operation: nullcontext())[0].buckets

    with timed("sort"):
        groups = list(mapped(summarise_group, [pairs[a:b] for a, b in pairwise(bounds)]))
    for group in groups:
        for level, stack in group.items():
            levels, _ = levels.with_stack(level, stack, timed)
    return levels


def window_sums(windows: Keys) -> Masses:
    """Return the sum of each window in float64, in a fixed order; NaN of both infinities.

    The values of every 64th column are added first, and then these sums: sorters of other machines
    add in the same order, so that all bits agree.
    """
    with np.errstate(invalid="ignore", over="ignore"):
        columns = windows.reshape(len(windows), -1, SUMMED).sum(axis=1, dtype=np.float64)
        found: Masses = np.cumsum(columns, axis=1)[:, -1]
    return plain_nans(found)


def plain_nans(sums: Masses) -> Masses:
    """Return sums with one NaN for all: machines give them different bits."""
    return np.where(np.isnan(sums), np.nan, sums)


class SumBounds:
    """Bounds of the sums of all masses up to any point, from the buckets of a summary."""

    def __init__(self, summaries: Sequence[MassSummaries]) -> None:
        union = MassSummaries.union(summaries)
        with np.errstate(over="ignore"):  # a sum that float64 does not hold is infinite
            low, high = (np.cumsum(each[:, 0], axis=1) for each in (union.lower, union.upper))
        nothing = np.zeros((MASSES, 1))
        self._low, self._high = np.hstack([nothing, low]), np.hstack([nothing, high])
        self.ranks = RankBounds(union.values[0], low[0].astype(np.int64), high[0].astype(np.int64))

    def up_to(self, points: Keys) -> tuple[Any, Any]:
        """Return the bounds of the sum of y up to each point; NaN where float64 overflows."""
        gap = self.ranks.gaps(points, "right")
        low, high = self._low[:, gap], self._high[:, gap]
        with np.errstate(over="ignore", invalid="ignore"):
            return (low[1] - high[2])[()], (high[1] - low[2])[()]
