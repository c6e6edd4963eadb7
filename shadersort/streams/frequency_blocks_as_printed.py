"""The blocks of a sliding window for frequencies as printed: the counts of section 5.1 for each."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from shadersort.errors import CorruptSummary
from shadersort.keys.numpy_sort import sort_keys
from shadersort.keys.types import Keys
from shadersort.streams.arasu_manku_as_printed import PrintedBlocks, PrintedLevels
from shadersort.streams.frequency_blocks import Tallies, TallyBlocks, right_order, split_tallies
from shadersort.streams.item_counts import counted_rows
from shadersort.streams.lossy_counting_as_printed import PrintedCounts, deleted_before
from shadersort.streams.sorters.numpy_sorter import item_counts
from shadersort.streams.sorters.protocol import Sorter
from shadersort.streams.summary import Timed


@dataclass(frozen=True, slots=True, eq=False)
class PrintedFrequencyBlocks(TallyBlocks, PrintedBlocks[Tallies, PrintedCounts]):
    """Blocks of tallies; see `PrintedBlocks`.

    Attributes
    ----------
    dtype
        The type of the items.
    """

    dtype: np.dtype[Any]

    @classmethod
    def empty(cls, levels: PrintedLevels, dtype: np.dtype[Any]) -> "PrintedFrequencyBlocks":
        """Return no blocks, of values of a type."""
        none = np.empty(0, np.int64)
        blocks = cls(levels, 0, {}, {}, dtype)
        every, nothing = range(levels.count), Tallies((0, 0), none, np.empty(0, dtype), none)
        begun = {level: blocks._nothing(level) for level in every}
        return replace(blocks, held=dict.fromkeys(every, nothing), begun=begun)

    def block(self, level: int, number: int) -> Tallies:
        """Return a complete block."""
        row = number - self.held[level].blocks[0]
        return self.held[level][row : row + 1]

    def missed(self, level: int, number: int) -> tuple[int, int]:
        """Return how often any item may be missed in a block, and how much less if it is held.

        Each window of the block may have lost one of every item.
        """
        return self.levels.size(level) // self.levels.length(level), 0

    def _nothing(self, level: int) -> PrintedCounts:
        return PrintedCounts.empty(self.levels.length(level), self.dtype)

    def _grown(
        self, begun: PrintedCounts, windows: Keys, sorter: Sorter, timed: Timed
    ) -> PrintedCounts:
        with timed("sort"):
            found = sorter.item_counts(windows)
        return begun.with_windows(found, 1, timed)

    def _completed(self, begun: PrintedCounts, rest: Keys, level: int, number: int) -> Tallies:
        known = begun.known(*item_counts(rest))
        numbers = np.full(len(known.items), number)
        return Tallies((number, number + 1), numbers, known.items, known.lower)

    def _whole(
        self, values: Keys, level: int, number: int, sorter: Sorter, timed: Timed
    ) -> Tallies:
        length = self.levels.length(level)
        full, last = self.levels.size(level) // length, number + len(values)
        rest = counted_rows(sort_keys(values[:, full * length :]))
        if not full:
            return Tallies.tally(rest, number)
        with timed("sort"):
            found = sorter.item_counts(values[:, : full * length].reshape(-1, length))
        with timed("merge"):
            windows = Tallies.tally(found, 0)
            keys = windows.numbers // full + number, windows.items
            order = np.lexsort(keys[::-1])
            keys, counts = (keys[0][order], keys[1][order]), windows.counts[order]
            counts = deleted_before(keys, counts, np.zeros(len(order), np.bool_))
            kept = Tallies((number, last), *(each[counts > 0] for each in (*keys, counts)))
            return kept.added_to(Tallies.tally(rest, number))

    def _joined(self, blocks: list[Tallies]) -> Tallies:
        return Tallies.joined(blocks)

    def _all(self) -> list[Tallies]:
        """Return the complete blocks of all levels, then those that are not complete."""
        every = range(self.levels.count)
        return [*(self.held[level] for level in every), *map(self._incomplete, every)]

    def _incomplete(self, level: int) -> Tallies:
        number, begun = self.position // self.levels.size(level), self.begun[level]
        numbers = np.full(len(begun.items), number)
        return Tallies((number, number + 1), numbers, begun.items, begun.counts)

    def restored(
        self, arrays: Mapping[str, Keys], dtype: Any, position: int
    ) -> "PrintedFrequencyBlocks":
        """Return the blocks, on these levels, that gave arrays at a position."""
        count = self.levels.count
        if not count:
            return replace(self, position=position)
        parts = split_tallies(arrays, 2 * count, dtype)
        held = {level: self._checked(level, parts[level], position) for level in range(count)}
        begun = {
            level: self._resumed(level, parts[count + level], position) for level in range(count)
        }
        return replace(self, position=position, held=held, begun=begun)

    def _checked(self, level: int, columns: tuple[Keys, ...], position: int) -> Tallies:
        """Return the complete blocks of a level, or raise CorruptSummary."""
        size = self.levels.size(level)
        blocks = Tallies((self.levels.active(level, position), position // size), *columns)
        least = 1 if size % self.levels.length(level) else 2
        if not right_order(blocks, size) or np.any(blocks.counts < least):
            raise CorruptSummary("blocks hold what blocks cannot hold")
        return blocks

    def _resumed(self, level: int, columns: tuple[Keys, ...], position: int) -> PrintedCounts:
        """Return the counts of the block that is not complete, or raise CorruptSummary."""
        size, (numbers, items, counts) = self.levels.size(level), columns
        if np.any(numbers != position // size):
            raise CorruptSummary("there are values in a block that has not begun")
        windows = position % size // self.levels.length(level)
        return self.begun[level].restored({"items": items, "counts": counts}, windows)
