"""The blocks of a sliding window as printed: the summaries of sections 5.1 and 5.2 for each."""

from abc import abstractmethod
from collections.abc import Callable, Iterator
from math import ceil
from typing import Any, ClassVar, Self

import numpy as np

from shadersort.keys.numpy_sort import sort_keys
from shadersort.keys.types import Keys
from shadersort.streams.frequencies.item_counts import count_rows
from shadersort.streams.frequencies.lossy_counting_as_printed import PrintedCounts
from shadersort.streams.levels import Levels
from shadersort.streams.quantiles.exponential_histogram import PrintedBudgets, printed_budgets
from shadersort.streams.quantiles.gk_summaries import (
    GKStack,
    GKSummaries,
    Shape,
    bring_to_host,
)
from shadersort.streams.quantiles.rank_answers import with_rest
from shadersort.streams.sliding.arasu_manku_as_printed import PrintedLevels
from shadersort.streams.sliding.arasu_manku_levels import UNPAIRED, Place, S, WindowBlocks
from shadersort.streams.sliding.arasu_manku_quantiles import RankedBlocks
from shadersort.streams.sliding.tallies import Span, Tallies, TallyBlocks, add_in_order
from shadersort.streams.sorters.sorter import Sorter
from shadersort.streams.summary import Timed
from shadersort.streams.values import plain_zeros


class PrintedBlocks(WindowBlocks[PrintedLevels, S]):
    """The complete blocks of each level in the window, and the full windows of one begun."""

    COMPLETE: ClassVar[int]  # the stage of complete blocks

    @abstractmethod
    def _grow(
        self, begun: dict[int, S], windows: Keys, place: Place, sorter: Sorter, timed: Timed
    ) -> dict[int, S]:
        """Return the stages of a block, given its level and number, with windows added."""

    @abstractmethod
    def _complete(self, begun: dict[int, S], rest: Keys, place: Place) -> S:
        """Return a complete block, given its stages and its last values, which fill no window."""

    def _whole(self, values: Keys, place: Place, sorter: Sorter, timed: Timed) -> S | None:
        """Return complete blocks, given their values row by row; None if it makes them singly."""
        return None

    def with_windows(
        self, windows: Any, newest: Callable[[], Keys], sorter: Sorter, timed: Timed
    ) -> Self:
        """Return the blocks with windows added; values may wait among those kept before them."""
        before, values = newest(), sorter.to_host(windows.reshape(-1))
        together, held = np.concatenate([before, values]), dict[Place, S]()
        position = self.position + len(values)
        for level in range(self.levels.count):
            size = self.levels.size(level)
            waiting = self.position % size % self.levels.length(level)
            coming = together[len(before) - waiting :]
            blocks, begun = self._build(level, coming, sorter, timed)
            complete = self.held[level, self.COMPLETE]
            if blocks:
                complete = blocks[-1].prepend(complete, *blocks[:-1])
            outside = self.levels.active(level, position) - (position // size - len(complete))
            held[level, self.COMPLETE] = complete[outside:]
            held.update(((level, stage), each) for stage, each in begun.items())
        return type(self)(self.levels, position, held)

    def _build(
        self, level: int, values: Keys, sorter: Sorter, timed: Timed
    ) -> tuple[list[S], dict[int, S]]:
        """Return the blocks of a level that values complete, and the one that is begun then."""
        size, length, blocks = self.levels.size(level), self.levels.length(level), list[S]()
        position = self.position - self.position % size % length
        begun = {s: each for (i, s), each in self.held.items() if i == level and s != self.COMPLETE}
        while True:
            place = level, position // size
            rows = values[: len(values) // size * size].reshape(-1, size)
            if len(rows) and not position % size:
                whole = self._whole(rows, place, sorter, timed)
                if whole is not None:
                    blocks.append(whole)
                    values, position = values[rows.size :], position + rows.size
                    continue
            coming, values = np.split(values, [size - position % size])
            full, position = len(coming) // length * length, position + len(coming)
            if full:
                begun = self._grow(begun, coming[:full].reshape(-1, length), place, sorter, timed)
            if position % size or not len(coming):
                return blocks, begun
            blocks.append(self._complete(begun, coming[full:], place))
            begun = {}


class PrintedQuantileBlocks(RankedBlocks[PrintedLevels], PrintedBlocks[GKStack]):
    """Blocks of values with bounds of their ranks; a stage above 0 is a bucket of one begun."""

    COMPLETE = -1

    @classmethod
    def empty(cls, levels: PrintedLevels, dtype: np.dtype[Any]) -> "PrintedQuantileBlocks":
        """Return no blocks, of values of a type."""
        none = np.empty(0, np.int32)
        arrays = {"values": none.astype(dtype), "lower": none, "upper": none}
        return cls(levels, 0, {}).restore(arrays, dtype, 0)

    def block(self, level: int, number: int) -> GKSummaries:
        """Return a complete block."""
        row = number - self.levels.active(level, self.position)
        return bring_to_host({0: self.held[level, self.COMPLETE][row : row + 1]})[0]

    def _budgets(self, level: int) -> PrintedBudgets:
        error = self.levels.error(level) / self.levels.PARTS
        return printed_budgets(error, self.levels.size(level))

    def _entries(self, level: int) -> int:
        """Return how many entries a complete block of a level has."""
        full, rest = divmod(self.levels.size(level), self.levels.length(level))
        whole = rest + sum(map(self._budgets(level).entries, _buckets(full)))
        return min(whole, self._pruned(level) + 1)

    def _pruned(self, level: int) -> int:
        """Return B for a complete block of a level: the elements of rank 1, ε_l S, … are B + 1."""
        return ceil(1 / self.levels.error(level))

    def _grow(
        self, begun: dict[int, GKStack], windows: Keys, place: Place, sorter: Sorter, timed: Timed
    ) -> dict[int, GKStack]:
        budgets = self._budgets(place[0])
        with timed("sort"):
            stack = bring_to_host({0: sorter.gk_summaries(windows, np.arange(budgets.window))})[0]
        levels: Levels[GKStack] = Levels(budgets.compress, begun)
        grown, _ = levels.with_stack(0, stack, timed)
        return dict(grown.buckets)

    def _complete(self, begun: dict[int, GKStack], rest: Keys, place: Place) -> GKSummaries:
        here = bring_to_host(begun)
        return self._unite([here[bucket] for bucket in sorted(here)], rest.reshape(1, -1), place[0])

    def _whole(self, values: Keys, place: Place, sorter: Sorter, timed: Timed) -> GKSummaries:
        """Return complete blocks, made together: short ones take a third of the time."""
        level = place[0]
        length, plan = self.levels.length(level), self._budgets(level)
        full = self.levels.size(level) // length
        if not full:
            return self._unite([], values, level)
        with timed("sort"):
            windows = values[:, : full * length].reshape(-1, length)
            summaries = bring_to_host({0: sorter.gk_summaries(windows, np.arange(length))})[0]
        rows, parts, end = np.arange(len(windows)).reshape(-1, full), list[GKSummaries](), full
        for bucket in _buckets(full):  # the last windows of each block are in the smallest bucket
            first, end = end - (1 << bucket), end - (1 << bucket)
            part = summaries[rows[:, first : first + (1 << bucket)].ravel()]
            _, arrived = Levels(plan.compress, {}, bucket).with_stack(0, part, timed)
            parts.append(bring_to_host(arrived)[bucket])
        return self._unite(parts, values[:, full * length :], level)

    def _unite(self, parts: list[GKSummaries], rest: Keys, level: int) -> GKSummaries:
        """Return complete blocks, given their buckets and their last values, block by block."""
        size = self.levels.size(level)
        whole = GKSummaries.union(with_rest(parts, plain_zeros(rest)))
        if whole.entries <= self._pruned(level) + 1:
            return whole.check(size)
        return whole.prune(size, self._pruned(level))

    def _shapes(self, position: int) -> Iterator[tuple[Place, Shape]]:
        for level in range(self.levels.count):
            size, budgets = self.levels.size(level), self._budgets(level)
            complete = position // size - self.levels.active(level, position)
            yield (level, self.COMPLETE), Shape(complete, self._entries(level), size)
            for bucket in _buckets(position % size // budgets.window):
                yield (level, bucket), Shape(1, budgets.entries(bucket), budgets.size(bucket))


def _buckets(windows: int) -> list[int]:
    """Return the levels of the buckets that hold some windows: the 1s of a binary number."""
    return [level for level in range(windows.bit_length()) if windows >> level & 1]


class PrintedFrequencyBlocks(TallyBlocks[PrintedLevels], PrintedBlocks[Tallies]):
    """Blocks of tallies; see `PrintedBlocks`."""

    COMPLETE = 0

    def missed(self, level: int, number: int) -> tuple[int, int]:
        """Return how often any item may be missed: each window of the block may have lost one."""
        return self.levels.size(level) // self.levels.length(level), 0

    def _grow(
        self, begun: dict[int, Tallies], windows: Keys, place: Place, sorter: Sorter, timed: Timed
    ) -> dict[int, Tallies]:
        level, number = place
        held = begun.get(UNPAIRED, self.held[level, 0][:0])
        zeros = np.zeros(len(held.items), np.int64)
        counts = PrintedCounts(windows.shape[1], 0, held.items, held.counts, zeros)
        with timed("sort"):
            found = sorter.sorted_windows(windows)
        grown = counts.with_windows(found, 1, timed)
        numbers = np.full(len(grown.items), number)
        return {UNPAIRED: Tallies((number, number + 1), numbers, grown.items, grown.counts)}

    def _complete(self, begun: dict[int, Tallies], rest: Keys, place: Place) -> Tallies:
        last = Tallies.tally(count_rows(sort_keys(rest.reshape(1, -1))), place[1])
        both = last.prepend(*begun.values())
        return Tallies(last.blocks, *add_in_order(*both.columns()))

    def _span(self, level: int, stage: int, position: int) -> Span:
        size, length = self.levels.size(level), self.levels.length(level)
        number, begun = divmod(position, size)
        if stage == self.COMPLETE:
            return (self.levels.active(level, position), number), size
        return (number, number + 1), begun // length * length
