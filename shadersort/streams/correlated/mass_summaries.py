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
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import ceil
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from shadersort.errors import CorruptSummary, NotFinite
from shadersort.keys.types import Integers, Keys
from shadersort.streams.levels import Levels
from shadersort.streams.quantiles.gk_summaries import GKSummaries, is_sorted
from shadersort.streams.quantiles.rank_answers import RankBounds, gaps
from shadersort.streams.summary import Timed
from shadersort.streams.values import plain_zeros

Masses = npt.NDArray[np.float64]
Places = npt.NDArray[np.intp]

STEP = 64  # one of every 64 values of a window is kept: the larger this step, the less is merged
FREE = 3  # the levels up to this one are not compressed: they hold fewer entries than they may
SLOWLY = 8  # a: how slowly shares shrink from level to level
MASSES = 3  # the count, the positive mass and the negative one
SUMMED = 64  # columns whose sums are added up; divides every window
OVERFLOW = "the sum of all |y| is more than float64 holds: scale y down"
ROUNDING = 1e-6  # how far sums in bytes may be off by rounding, as a share of all
PART = 1 << 16  # pairs that are summarised at once: their arrays fit a cache
GROUP, LEAST, GROUPS = 1 << 19, 16, 4  # pairs in a group, least windows in it, least groups


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Pairs (x, y), or windows of them; both arrays lie on the host, or on one device."""

    x: Any  # values without NaNs
    y: Any  # a finite mass for each; float64

    @classmethod
    def unpack(cls, packed: npt.NDArray[Any]) -> "Pairs":
        """Return pairs from an array with the fields "x" and "y"."""
        return cls(*(np.ascontiguousarray(packed[name]) for name in ("x", "y")))

    def __len__(self) -> int:
        return len(self.x)

    def __getitem__(self, which: Any) -> "Pairs":
        return Pairs(self.x[which], self.y[which])

    def reshape(self, *shape: int) -> "Pairs":
        """Return windows of the pairs."""
        return Pairs(self.x.reshape(*shape), self.y.reshape(*shape))

    def drop_nans(self) -> tuple["Pairs", int]:
        """Return the pairs without a NaN and the number of others; NotFinite if a y is infinite."""
        with np.errstate(over="ignore", invalid="ignore"):
            total = self.y.sum() + (self.x.sum(dtype=np.float64) if self.x.dtype.kind == "f" else 0)
            if total - total == 0:  # then each number is finite
                return self, 0
        if (abs(self.y) == np.inf).any():
            raise NotFinite("a y is infinite: every sum with it would be, too")
        present = (self.x == self.x) & (self.y == self.y)
        missing = len(self) - int(present.sum())
        return (self[present] if missing else self), missing


def pair_type(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the type of packed pairs, given that of x."""
    return np.dtype([("x", dtype), ("y", np.float64)])


@dataclass(frozen=True, slots=True, eq=False)
class MassSummaries(GKSummaries):
    """Summaries of several sets; `lower` and `upper` have the shape (3, summaries, entries)."""

    @classmethod
    def exact(cls, values: Keys, masses: Masses) -> Self:
        """Return summaries that keep every value, given sorted rows and the mass of each value."""
        each = np.empty((MASSES, *masses.shape))
        each[0] = 1
        np.maximum(masses, 0, out=each[1])
        each[1] += 0.0  # −0.0 becomes 0.0
        np.subtract(each[1], masses, out=each[2])
        return cls(values, each, each)

    def compress(self, size: int, step: int, slots: int = 1) -> Self:
        """Return summaries of sets of `size` values with fewer entries, as `_places` says."""
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

    def check(self, size: int) -> Self:
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

    There is a slot for every `step` counts, and there are `slots` equal ones of the two other
    masses together. `counts` and `masses` are the sums up to each entry, for each row. The slot of
    an entry is that of the sums before it; an empty slot repeats the entry before it. So the slots
    below an entry's say how many entries are kept before it. Places count over all rows.
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


@dataclass(frozen=True)
class Budgets:
    """How a summary of some error compresses its buckets; windows are those of level 0.

    A summary of N values with error ε may have a largest gap D of 2εN (D: see `gk_summaries.py`).
    Half of it is spent on the windows: every s-th value of a window of s⌈1/ε⌉ values is kept. The
    other half is divided among the levels. Any shares will do whose sum is at most one, because a
    bucket of level b, 2^b windows, has been compressed at most once on each level up to b.

    The first levels have no share, because compressing them would not pay. The j-th level after
    these has a / ((j + a − 1)(j + a)), and all these shares together are at most one, however long
    the stream is. The entries of a level then grow with the square of j, and all entries with its
    third power.
    """

    epsilon: Fraction

    @cached_property
    def window(self) -> int:
        """Values in a window."""
        return STEP * ceil(1 / self.epsilon)

    def size(self, level: int) -> int:
        """Return how many values a bucket of a level stands for."""
        return self.window << level

    def share(self, level: int) -> Fraction:
        """Return the share of a level in the error for compressing."""
        j = level - FREE
        return Fraction(SLOWLY, (j + SLOWLY - 1) * (j + SLOWLY)) if j > 0 else Fraction(0)

    def step(self, level: int) -> int:
        """Return the step between the ranks that a level keeps; 1 keeps all entries."""
        return 1 + int(self.epsilon * self.share(level) * self.size(level)) if level else STEP

    def slots(self, level: int) -> int:
        """Return the number of equal parts of the masses, of each of which an entry is kept."""
        return ceil(1 / (self.epsilon * (self.share(level) or 1)))

    def entries(self, level: int) -> int:
        """Return how many entries a bucket of a level has."""
        if 0 < level <= FREE:
            return self.entries(0) << level
        return (self.size(level) - 1) // self.step(level) + 2 + self.slots(level)

    def compress(self, level: int, stack: MassSummaries) -> MassSummaries:
        """Spend the share of a level on the counts, as every summary, and as much on the masses."""
        if level <= FREE:
            return stack
        return stack.compress(self.size(level), self.step(level), self.slots(level))


def add_pairs(
    levels: Levels[Any],
    pairs: Pairs,
    step: int,
    slots: int,
    timed: Timed,
    order: Callable[[Any], Integers],
    map_parts: Callable[..., Any],
) -> Levels[Any]:
    """Return levels with windows of pairs added, whose `order` and threads (`map_parts`) are given.

    Groups of 2^k windows begin at multiples of 2^k, counted from the first window of the stream. So
    each becomes one bucket, the same one as if its windows had come one by one.
    """
    windows, length = pairs.x.shape
    rows = max(1, PART // length)
    most = min(max(GROUP // length, LEAST), windows // GROUPS)
    size = 1 << (max(rows, most).bit_length() - 1)
    empty = Levels(levels.compress)
    first = -sum(1 << level for level in levels.buckets) % size
    bounds = sorted({0, *range(min(first, windows), windows, size), windows})

    def summarise(part: Pairs) -> MassSummaries:
        places = order(part.x) + np.arange(0, part.x.size, length)[:, None]
        x, y = (each.ravel().take(places) for each in (part.x, part.y))
        return MassSummaries.exact(plain_zeros(x), y).compress(length, step, slots)

    def summarise_group(group: Pairs) -> Mapping[int, Any]:
        parts = [summarise(group[at : at + rows]) for at in range(0, len(group), rows)]
        stack = parts.pop().prepend(*parts)
        if len(group) < size:
            return {0: stack}
        return empty.with_stack(0, stack, lambda operation: nullcontext())[0].buckets

    with timed("sort"):
        groups = list(map_parts(summarise_group, [pairs[a:b] for a, b in pairwise(bounds)]))
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
        gap = gaps(self.ranks.values, points, "right")
        low, high = self._low[:, gap], self._high[:, gap]
        with np.errstate(over="ignore", invalid="ignore"):
            return (low[1] - high[2])[()], (high[1] - low[2])[()]
