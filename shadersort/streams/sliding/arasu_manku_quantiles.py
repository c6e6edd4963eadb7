"""Quantiles of a sliding window: the levels of blocks, and how exact a block is at each age.

`arasu_manku_levels.py` says how blocks cover the last n values. Here j is the highest level with
blocks of at most εn values, and a block is a Greenwald-Khanna summary.

**The error** is D of `gk_summaries.py`, and may be 2εn. It is the sum of

- the uncovered values, less than εn;
- ε/2 of the size of every block: εn/2 altogether;
- for each block of the levels j to j + K − 1, 1/P of the size of a block of level j, where P = 4K.
  There are at most two such blocks of each level, one before and one after the largest: εn/2
  altogether.

So an old block may be less exact: it serves only long windows, whose j is high. A block is
compressed again at the ages where it may be less exact, and dropped when all windows that reach
back to it have only larger blocks there. Each stage of a level then has about 1/ε blocks of 4K
entries, so a level holds about K²/ε entries. Below the smallest level values are kept themselves,
as many as the shortest window that has blocks.

If `shortest` makes j at least 1, P is 4K + 2: then a lower block, of which there is at most one of
each level, at the new end, also has 1/P of its size, and all these less than a block of level j.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import ceil, floor
from typing import Any, ClassVar, Self

import numpy as np

from shadersort.keys.types import Integers, Keys
from shadersort.streams.quantiles.gk_summaries import (
    GKStack,
    GKSummaries,
    Shape,
    bring_to_host,
    flat_arrays,
    restore_stacks,
)
from shadersort.streams.sliding.arasu_manku_levels import (
    UNPAIRED,
    AgeingBlocks,
    L,
    Place,
    WindowBlocks,
    WindowLevels,
)
from shadersort.streams.sorters.sorter import Sorter
from shadersort.streams.summary import Timed


@dataclass(frozen=True)
class Stages:
    """The stages of the blocks of a level, by their age."""

    size: int  # values in a block
    step: int  # of sorted blocks every `step`-th value is kept; merged ones are compressed by it
    entries: tuple[int, ...]  # of a block in each stage
    begins: tuple[int, ...]  # the age of its oldest value at each later stage; last, when it goes
    steps: tuple[int, ...]  # of the compression at the beginning of each stage after the first

    def bounds(self, position: int) -> tuple[int, ...]:
        """Return how many blocks there have been at a position, then how many are past each stage.

        Stage s holds the blocks numbered from bounds[s + 1] up to bounds[s].
        """
        count = position // self.size
        older = [min(max(0, (position - age) // self.size + 1), count) for age in self.begins]
        return count, *(max(each, older[-1]) for each in older)


class QuantileLevels(WindowLevels):
    """The levels of a sliding window for quantiles."""

    SMALLEST: ClassVar[int] = 128
    IN_ERROR: ClassVar[int] = 1

    def __init__(self, epsilon: Fraction, window: int, shortest: int, smallest: int) -> None:
        super().__init__(epsilon, window, shortest, smallest)
        spread = 0  # K: so large that the largest blocks need no more entries than the next stage
        while (spread + 1) << (spread + 1) <= 2 / epsilon and 2 << spread <= 1 / epsilon:
            spread += 1
        self.spread, self.count, self.recent = spread, 0, window
        if smallest:
            base = (floor(epsilon * window) // smallest).bit_length()
            self.count = min(base + spread, (window // smallest).bit_length())
            needed = 0 if smallest <= epsilon * shortest else ceil(smallest / epsilon)
            self.recent = min(window, max(needed, smallest))

    def level_for(self, n: int) -> int:
        """Return j, the level of the smallest blocks at the old end of the last n values."""
        most = min(n, floor(self.epsilon * max(n, self.shortest)))
        return min((most // self.smallest).bit_length(), self.count) - 1

    @cached_property
    def sorted_ranks(self) -> tuple[Integers, ...]:
        """By level, up to the sorted one: the ranks, from 0, of a block that are kept."""
        return tuple(
            np.union1d([0, each.size - 1], np.arange(each.step - 1, each.size, each.step))
            for each in self.stages[: self.sorted_level + 1]
        )

    def compress(self, level: int, stack: GKStack) -> GKStack:
        """Return a stack of merged blocks as it is kept on a level."""
        step = self.stages[level].step if level < self.count else 1
        return stack.compress(self.size(level), step) if step > 1 else stack

    @cached_property
    def stages(self) -> tuple[Stages, ...]:
        """By level: the stages of its blocks."""
        levels: list[Stages] = []
        blur = 0  # D of a new block
        for i in range(self.count):
            size = self.size(i)
            if i <= self.sorted_level:
                blur = floor(self.epsilon * size / (4 if i == self.sorted_level else 2))
                step = blur + 1
                entries = size // step + (step > 1) + (size % step > 0) if size > 1 else 1
            else:
                extra = floor(self.epsilon * size / (4 * (self.count - 1 - self.sorted_level)))
                step, entries = _compression(size, extra, 2 * levels[-1].entries[0])
                blur = 2 * blur + step - 1
            dropped = min(ceil(2 * size / self.epsilon), self.window + 1)
            if 2 * size <= self.epsilon * self.shortest:  # it serves the newest end only
                dropped = 2 * size
            later = [each for each in self._later_stages(size, blur, entries) if each[0] < dropped]
            begins, steps, fewer = zip(*later, strict=True) if later else ((), (), ())
            levels.append(Stages(size, step, (entries, *fewer), (*begins, dropped), steps))
        return tuple(levels)

    def _later_stages(self, size: int, blur: int, entries: int) -> Iterator[tuple[int, int, int]]:
        """Yield the age at which each later stage begins, its step, and the entries it leaves."""
        half = self.epsilon * size / 2
        parts = 4 * self.spread + 2 * (self.level_for(self.shortest) > 0)  # P
        # Zero stands for "at once": only a block that waits for its pair is finer.
        lowest = (size >> above for above in range(self.spread - 1, -1, -1))  # blocks of level j
        for block in (0, *(each for each in lowest if each >= self.smallest)):
            begins = ceil(block / self.epsilon)
            begins = begins if begins > self.shortest else 0
            more = Fraction(block, parts) if block else 0
            step, fewer = _compression(size, floor(half + more) - blur, entries)
            if step > 1:
                blur, entries = blur + step - 1, fewer
                yield begins, step, fewer

    @cached_property
    def entries(self) -> int:
        """How many entries all blocks have together, at most."""
        held = 0
        for i, level in enumerate(self.stages):
            ages = [0, *(min(age, level.begins[-1]) for age in level.begins)]
            for entries, (begin, end) in zip(level.entries, pairwise(ages), strict=True):
                if end > begin:
                    held += entries * ((end - begin) // level.size + 1)
            if i >= self.sorted_level:
                held += level.entries[0] + entries  # one block waits for its pair
        return held


def _compression(size: int, extra: int, entries: int) -> tuple[int, int]:
    """Return a step that adds `extra` to the error, and the entries it leaves; 1 if all stay."""
    step = 1 + max(0, extra)
    left = (size - 1) // step + 2
    return (step, left) if left < entries else (1, entries)


class RankedBlocks(WindowBlocks[L, GKStack]):
    """Blocks of values with bounds of their ranks, ours or those as printed."""

    @abstractmethod
    def _shapes(self, position: int) -> Iterator[tuple[Place, Shape]]:
        """Yield the places that have blocks at a position, in order, and what lies there."""

    @property
    def entries(self) -> int:
        """How many entries all blocks have together."""
        return sum(len(blocks) * blocks.entries for blocks in self.held.values())

    def arrays(self) -> dict[str, Keys]:
        """Return the entries as flat arrays; levels and position tell where they belong."""
        return flat_arrays(self.held)

    def restore(self, arrays: Mapping[str, Keys], dtype: Any, position: int) -> Self:
        """Return the blocks, on these levels, that gave arrays at a position."""
        held = restore_stacks(arrays, dtype, self._shapes(position))
        return type(self)(self.levels, position, held)


class QuantileBlocks(RankedBlocks[QuantileLevels], AgeingBlocks[QuantileLevels, GKStack]):
    """Greenwald-Khanna summaries, which are compressed as they grow older."""

    def with_windows(
        self, windows: Any, newest: Callable[[], Keys], sorter: Sorter, timed: Timed
    ) -> Self:
        """Return the blocks with windows added."""
        sizes = map(self.levels.size, range(self.levels.count))
        with timed("sort"):
            stacks = [
                sorter.gk_summaries(windows.reshape(-1, size), ranks)
                for size, ranks in zip(sizes, self.levels.sorted_ranks, strict=False)
            ]
        return self.with_sorted(stacks, timed)

    def block(self, level: int, number: int) -> GKSummaries:
        """Return a block, in whatever stage it is."""
        bounds = self.levels.stages[level].bounds(self.position)
        stage = next(s for s, bound in enumerate(bounds[1:]) if number >= bound)
        row = number - bounds[stage + 1]
        return bring_to_host({0: self.held[level, stage][row : row + 1]})[0]

    def _age(
        self, held: dict[Place, GKStack], level: int, new: GKStack | None, position: int
    ) -> None:
        """Hand the oldest blocks of each stage on to the next stage."""
        stages = self.levels.stages[level]
        before, after = stages.bounds(self.position), stages.bounds(position)
        for stage in range(len(stages.entries)):
            old = held.pop((level, stage), None)
            stack = old if new is None else new if old is None else new.prepend(old)
            going, new = after[stage + 1] - before[stage + 1], None
            if stack is None:
                continue
            if going < len(stack):
                held[level, stage] = stack[going:]
            if going and stage < len(stages.steps):
                new = stack[:going].compress(stages.size, stages.steps[stage])

    def _shapes(self, position: int) -> Iterator[tuple[Place, Shape]]:
        for level, stages in enumerate(self.levels.stages):
            odd = position // stages.size % 2
            if odd and self.levels.sorted_level <= level < self.levels.count - 1:
                yield (level, UNPAIRED), Shape(1, stages.entries[0], stages.size)
            for stage, (newer, older) in enumerate(pairwise(stages.bounds(position))):
                if newer > older:
                    yield (level, stage), Shape(newer - older, stages.entries[stage], stages.size)
