"""The blocks of a sliding window for quantiles as printed: the summary of section 5.2 for each."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import ceil
from typing import Any

import numpy as np

from shadersort.keys.types import Keys
from shadersort.streams.levels import Levels
from shadersort.streams.quantiles.error_budgets_as_printed import PrintedBudgets, printed_budgets
from shadersort.streams.quantiles.exponential_histogram import ExponentialHistogram
from shadersort.streams.quantiles.gk_stacks import Shape, all_on_host, flat_arrays, restored_stacks
from shadersort.streams.quantiles.gk_summaries import GKStack, GKSummaries, rank_type
from shadersort.streams.quantiles.rank_answers import with_rest
from shadersort.streams.sliding.arasu_manku_as_printed import PrintedBlocks
from shadersort.streams.sorters.protocol import Sorter
from shadersort.streams.summary import Timed
from shadersort.streams.values import plain_zeros

COMPLETE = -1
"""Stands for a bucket in the place of complete blocks."""


@dataclass(frozen=True, eq=False)
class PrintedQuantileBlocks(PrintedBlocks[GKSummaries, ExponentialHistogram]):
    """Blocks of values with bounds of their ranks; see `PrintedBlocks`."""

    @property
    def entries(self) -> int:
        """How many entries all blocks have together."""
        complete = sum(len(rows) * rows.entries for rows in self.held.values())
        return complete + sum(begun.entries for begun in self.begun.values())

    def block(self, level: int, number: int) -> GKSummaries:
        """Return a complete block."""
        row = number - self.levels.active(level, self.position)
        return self.held[level][row : row + 1]

    def on_host(self) -> "PrintedQuantileBlocks":
        """Return the blocks, which are all on the host."""
        return self

    def _budgets(self, level: int) -> PrintedBudgets:
        error = self.levels.error(level) / self.levels.PARTS
        return printed_budgets(error, self.levels.size(level))

    def _begin(self, level: int) -> ExponentialHistogram:
        return ExponentialHistogram.empty(self._budgets(level))

    def _no_blocks(self, level: int) -> GKSummaries:
        ranks = np.empty((0, self._entries(level)), rank_type(self.levels.size(level)))
        return GKSummaries(np.empty(ranks.shape, self.dtype), ranks, ranks)

    def _entries(self, level: int) -> int:
        """Return how many entries a complete block of a level has."""
        full, rest = divmod(self.levels.size(level), self.levels.length(level))
        whole = rest + sum(map(self._budgets(level).entries, _buckets(full)))
        return min(whole, self._pruned(level) + 1)

    def _pruned(self, level: int) -> int:
        """Return B for a complete block of a level: the elements of rank 1, ε_l S, … are B + 1."""
        return ceil(1 / self.levels.error(level))

    def _grow(
        self, begun: ExponentialHistogram, windows: Keys, sorter: Sorter, timed: Timed
    ) -> ExponentialHistogram:
        with timed("sort"):
            stack: GKStack = sorter.gk_summaries(windows, begun.budgets.ranks)
        return begun.with_stack(0, all_on_host({0: stack})[0], timed)[0]

    def _complete(
        self, begun: ExponentialHistogram, rest: Keys, level: int, number: int
    ) -> GKSummaries:
        buckets = [bucket for _, bucket in sorted(all_on_host(begun.buckets).items())]
        return self._unite(buckets, rest.reshape(1, -1), level)

    def _whole(
        self, values: Keys, level: int, number: int, sorter: Sorter, timed: Timed
    ) -> GKSummaries:
        length, plan = self.levels.length(level), self._budgets(level)
        full = self.levels.size(level) // length
        if not full:
            return self._unite([], values, level)
        with timed("sort"):
            windows = values[:, : full * length].reshape(-1, length)
            summaries = all_on_host({0: sorter.gk_summaries(windows, plan.ranks)})[0]
        rows, parts, end = np.arange(len(windows)).reshape(-1, full), list[GKSummaries](), full
        for bucket in _buckets(full):  # the last windows of each block are in the smallest bucket
            first, end = end - (1 << bucket), end - (1 << bucket)
            part = summaries[rows[:, first : first + (1 << bucket)].ravel()]
            _, arrived = Levels(plan.compressed, {}, bucket).with_stack(0, part, timed)
            parts.append(all_on_host(arrived)[bucket])
        return self._unite(parts, values[:, full * length :], level)

    def _unite(self, parts: list[GKSummaries], rest: Keys, level: int) -> GKSummaries:
        """Return complete blocks, given their buckets and their last values, block by block."""
        size = self.levels.size(level)
        whole = GKSummaries.union(with_rest(parts, plain_zeros(rest)))
        if whole.entries <= self._pruned(level) + 1:
            return whole.checked(size)
        return whole.pruned(size, self._pruned(level))

    def _join(self, blocks: list[GKSummaries]) -> GKSummaries:
        return blocks[-1].preceded_by(*blocks[:-1])

    def arrays(self) -> dict[str, Keys]:
        """Return the entries as flat arrays; levels and position tell where they belong."""
        stacks: dict[tuple[int, int], GKStack] = {}
        for level, rows in self.held.items():
            buckets = all_on_host(self.begun[level].buckets)
            stacks[level, COMPLETE] = rows
            stacks.update(((level, bucket), each) for bucket, each in buckets.items())
        return flat_arrays(stacks)

    def restored(
        self, arrays: Mapping[str, Keys], dtype: Any, position: int
    ) -> "PrintedQuantileBlocks":
        """Return the blocks, on these levels, that gave arrays at a position."""
        stacks = restored_stacks(arrays, dtype, self._shapes(position))
        begun = {}
        for level, histogram in self.begun.items():
            buckets = {b: rows for (i, b), rows in stacks.items() if i == level and b != COMPLETE}
            begun[level] = replace(histogram, buckets=buckets)
        held = {level: stacks[level, COMPLETE] for level in self.held}
        return replace(self, position=position, held=held, begun=begun)

    def _shapes(self, position: int) -> Iterator[tuple[tuple[int, int], Shape]]:
        """Yield the places that have blocks at a position, in order, and what lies there."""
        for level in self.held:
            size, budgets = self.levels.size(level), self._budgets(level)
            complete = position // size - self.levels.active(level, position)
            yield (level, COMPLETE), Shape(complete, self._entries(level), size)
            for bucket in _buckets(position % size // budgets.window):
                yield (level, bucket), Shape(1, budgets.entries(bucket), budgets.size(bucket))


def _buckets(windows: int) -> list[int]:
    """Return the levels of the buckets that hold some windows: the 1s of a binary number."""
    return [level for level in range(windows.bit_length()) if windows >> level & 1]
