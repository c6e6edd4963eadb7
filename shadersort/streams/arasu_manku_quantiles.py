"""How a sliding window is held: the levels of Arasu and Manku, and what each may forget when.

The stream is cut into blocks of z values, the same stream again into blocks of 2z, of 4z, and so
on: the levels. To answer for the last n values, blocks are laid over them: large ones in the
middle, smaller ones towards both ends. At the old end less than one block of level j is left
uncovered, where j is the highest level with blocks of at most εn values. What is newer than the
last block is kept as it is. No block is larger than 2^K of those of level j.

**The error** is D of `ranked.py`, and may be 2εn. It is the sum of

- what is left uncovered, less than εn;
- of every block, ε/2 of its size: all together εn/2;
- of a block of the levels j to j + K − 1, a 4K-th of a block of level j more. Such blocks lie
  before and behind the largest ones, one of each level at each end: all together εn/2.

So an old block may be blurred more: it serves long windows only, of which j is high. That is when
it is compressed again, and once windows that reach back to it have only larger blocks, it is
dropped. This leaves about 1/ε blocks of 4K entries on each stage of a level, so K²/ε entries a
level. Below the smallest level, values are kept as they are, as many as the shortest window that
has blocks; how small to begin is what `sliding_plan` weighs.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import ceil, floor

__all__ = ["Level", "SlidingPlan", "kept_ranks", "planned", "sliding_plan"]

SORTED = 32
"""Windows to be sorted have so many times 1/ε values, about."""
SMALLEST = 128
"""Blocks of fewer values would take more time than they save memory."""
LITTLE = 1.25
"""How many times the least possible memory is still little."""
WEIGHT = 3
"""An entry takes about so many times the memory of a value."""


@dataclass(frozen=True)
class Level:
    """What becomes of the blocks of a level.

    Attributes
    ----------
    size
        Values in a block.
    step
        Sorted blocks: every so many values one is kept. Merged ones: the step of compression.
    entries
        Of a block, at each of its stages.
    begins
        The age, from a block's oldest value on, at which each stage after the first begins; then
        the one at which it is dropped.
    steps
        The step of the compression with which each stage after the first begins.
    """

    size: int
    step: int
    entries: tuple[int, ...]
    begins: tuple[int, ...]
    steps: tuple[int, ...]

    def bounds(self, position: int) -> tuple[int, ...]:
        """Return the number of blocks of a stream so long, and of those at each later stage.

        Blocks are numbered from 0 as they come, so stage s holds those from bounds[s + 1] up to
        bounds[s]; those below the last bound are gone.
        """
        gone = _older(position, self.begins[-1], self.size)
        later = (max(gone, _older(position, age, self.size)) for age in self.begins)
        return position // self.size, *later


def _older(position: int, age: int, size: int) -> int:
    """Return how many blocks have at least this age."""
    return min(max(0, (position - age) // size + 1), position // size)


@dataclass(frozen=True)
class SlidingPlan:
    """All levels, and what is kept as it is.

    Attributes
    ----------
    epsilon, window, shortest
        The error for the last n values is epsilon of n, or of `shortest` where n is less.
    spread
        K: how many levels lie between the smallest and the largest blocks of an answer.
    levels
        From the smallest blocks to the largest; none if all values are kept.
    sorted_level
        The blocks of this level, and below, are made by sorting; those above by merging.
    recent
        How many values, at least, are kept as they are.
    """

    epsilon: Fraction
    window: int
    shortest: int
    spread: int
    levels: tuple[Level, ...]
    sorted_level: int
    recent: int

    @property
    def batch(self) -> int:
        """Values in a window that is sorted."""
        return self.levels[self.sorted_level].size if self.levels else min(1024, self.window)

    def level_for(self, n: int) -> int:
        """Return j, the level of the smallest blocks at the old end of the last n values."""
        most = min(n, floor(self.epsilon * max(n, self.shortest)))
        return min((most // self.levels[0].size).bit_length(), len(self.levels)) - 1

    def size(self, level: int) -> int:
        """Return the values in a block of a level."""
        return self.levels[level].size

    def compression(self, level: int) -> int:
        """Return the step with which merged blocks become those of a level."""
        return self.levels[level].step if level < len(self.levels) else 1

    def cover(self, start: int, stop: int, n: int) -> Iterator[tuple[int, int]]:
        """Yield levels and numbers of the blocks that cover a part of the stream, oldest first."""
        highest = min(self.level_for(n) + self.spread, len(self.levels) - 1)
        while start < stop:
            level = next(
                i
                for i in range(highest, -1, -1)
                if start % self.size(i) == 0 and start + self.size(i) <= stop
            )
            yield level, start // self.size(level)
            start += self.size(level)

    @property
    def values(self) -> int:
        """How many values it holds as they are, at most."""
        return self.recent + self.batch

    @property
    def entries(self) -> int:
        """How many entries of blocks it holds, at most."""
        held = 0
        for i, level in enumerate(self.levels):
            ages = [0, *(min(age, level.begins[-1]) for age in level.begins)]
            for entries, (begin, end) in zip(level.entries, pairwise(ages), strict=True):
                if end > begin:
                    held += entries * ((end - begin) // level.size + 1)
            if i >= self.sorted_level:
                held += level.entries[0] + entries  # one waits for its pair
        return held

    @property
    def memory(self) -> int:
        """What it holds at most, in values."""
        return self.values + WEIGHT * self.entries


@lru_cache(maxsize=64)
def sliding_plan(epsilon: float, window: int, shortest: int) -> SlidingPlan:
    """Return the plan with the largest blocks, hence the fastest, of those that take little memory.

    Examples
    --------
    >>> plan = sliding_plan(0.01, 10**6, 10**6)
    >>> [level.size for level in plan.levels], plan.spread
    ([10000, 20000, 40000, 80000, 160000, 320000], 5)
    """
    error = Fraction(epsilon)
    everything = SlidingPlan(error, window, shortest, 0, (), 0, window)
    unit = max(1, floor(error * shortest))
    sizes = [unit >> i for i in range(unit.bit_length())]
    sizes += [unit << i for i in range(1, 64) if unit << i <= error * window]
    plans = [
        planned(error, window, shortest, size)
        for size in sizes
        if SMALLEST <= size <= error * window
    ]
    most = min([LITTLE * plan.memory for plan in plans] + [everything.memory])
    good = [plan for plan in plans if plan.memory <= most]
    return max(good, key=lambda plan: plan.levels[0].size, default=everything)


def planned(epsilon: Fraction, window: int, shortest: int, smallest: int) -> SlidingPlan:
    """Return the plan whose smallest blocks have so many values."""
    spread = _spread(epsilon)
    base = (floor(epsilon * window) // smallest).bit_length() - 1
    top = min(base + spread, (window // smallest).bit_length() - 1)
    wanted = ceil(SORTED / epsilon / smallest)
    sorted_level = min(top, max(0, (wanted - 1).bit_length()))
    levels: list[Level] = []
    blur = 0
    for i in range(top + 1):
        size = smallest << i
        if i <= sorted_level:
            blur = floor(epsilon * size / (4 if i == sorted_level else 2))
            step, entries = blur + 1, len(kept_ranks(size, blur + 1))
        else:
            extra = floor(epsilon * size / (4 * (top - sorted_level)))
            step, entries = _compression(size, extra, 2 * levels[-1].entries[0])
            blur = 2 * blur + step - 1
        fills_only = 2 * size <= epsilon * shortest  # never at the old end of a window
        dies = 2 * size if fills_only else min(ceil(2 * size / epsilon), window + 1)
        stages = [
            stage
            for stage in _stages(epsilon, size, spread, blur, entries, shortest, smallest)
            if stage[0] < dies
        ]
        levels.append(
            Level(
                size,
                step,
                (entries, *(each[2] for each in stages)),
                (*(each[0] for each in stages), dies),
                tuple(each[1] for each in stages),
            )
        )
    raw = 0 if smallest <= epsilon * shortest else ceil(smallest / epsilon)
    recent = min(window, max(raw, smallest))
    return SlidingPlan(epsilon, window, shortest, spread, tuple(levels), sorted_level, recent)


def _spread(epsilon: Fraction) -> int:
    """Return K: so large that the largest blocks need not be more exact than the next stage."""
    spread = 0
    while (spread + 1) << (spread + 1) <= 2 / epsilon and 2 << spread <= 1 / epsilon:
        spread += 1
    return spread


def _stages(
    epsilon: Fraction, size: int, spread: int, blur: int, entries: int, shortest: int, smallest: int
) -> Iterator[tuple[int, int, int]]:
    """Yield the age at which each later stage begins, its step, and the entries it leaves."""
    allowed = [(0, floor(epsilon * size / 2))]  # at once: only what waits for its pair is finer
    for above in range(spread - 1, -1, -1):  # the level of the block, from j on
        lowest = size >> above
        if lowest >= smallest:
            begins = ceil(lowest / epsilon)
            more = Fraction(lowest, 4 * spread)
            allowed.append((begins if begins > shortest else 0, floor(epsilon * size / 2 + more)))
    for begins, most in allowed:
        step, fewer = _compression(size, most - blur, entries)
        if step > 1:
            blur, entries = blur + step - 1, fewer
            yield begins, step, fewer


def _compression(size: int, extra: int, entries: int) -> tuple[int, int]:
    """Return a step that adds so much to the error, and the entries it leaves; 1 if all stay."""
    step = 1 + max(0, extra)
    left = (size - 1) // step + 2
    return (step, left) if left < entries else (1, entries)


def kept_ranks(size: int, step: int) -> list[int]:
    """Return the ranks, from 0, that are kept of a sorted block: the ends, and every step-th."""
    return sorted({0, *range(step - 1, size, step), size - 1})
