"""The blocks of a sliding window for frequencies as printed: the counts of section 5.1 for each."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from shadersort.errors import CorruptSummary
from shadersort.keys.in_order import sort_keys
from shadersort.keys.types import Keys
from shadersort.streams.frequencies.item_counts import counted_rows
from shadersort.streams.frequencies.lossy_counting_as_printed import PrintedCounts, deleted_before
from shadersort.streams.sliding.arasu_manku_as_printed import PrintedBlocks
from shadersort.streams.sliding.tallies import Tallies, added_in_order, flat_tallies, split_tallies
from shadersort.streams.sorters.numpy_sorter import item_counts
from shadersort.streams.sorters.protocol import Sorter
from shadersort.streams.summary import Timed


@dataclass(frozen=True, eq=False)
class PrintedFrequencyBlocks(PrintedBlocks[Tallies, PrintedCounts]):
    """Blocks of tallies; see `PrintedBlocks`."""

    @property
    def entries(self) -> int:
        """How many entries all blocks have together."""
        return sum(len(each.items) for each in (*self.held.values(), *self.begun.values()))

    def block(self, level: int, number: int) -> Tallies:
        """Return a complete block."""
        row = number - self.held[level].blocks[0]
        return self.held[level][row : row + 1]

    def missed(self, level: int, number: int) -> tuple[int, int]:
        """Return how often any item may be missed in a block, and how much less if it is held.

        Each window of the block may have lost one of every item.
        """
        return self.levels.size(level) // self.levels.length(level), 0

    def _no_blocks(self, level: int) -> Tallies:
        return Tallies.empty(self.dtype)

    def _begin(self, level: int) -> PrintedCounts:
        return PrintedCounts.empty(self.levels.length(level), self.dtype)

    def _grow(
        self, begun: PrintedCounts, windows: Keys, sorter: Sorter, timed: Timed
    ) -> PrintedCounts:
        with timed("sort"):
            found = sorter.item_counts(windows)
        return begun.with_windows(found, 1, timed)

    def _complete(self, begun: PrintedCounts, rest: Keys, level: int, number: int) -> Tallies:
        known = begun.known(*item_counts(rest))
        numbers = np.full(len(known.items), number)
        return Tallies((number, number + 1), numbers, known.items, known.lower)

    def _whole(
        self, values: Keys, level: int, number: int, sorter: Sorter, timed: Timed
    ) -> Tallies:
        length = self.levels.length(level)
        full = self.levels.size(level) // length
        rest = Tallies.tally(counted_rows(sort_keys(values[:, full * length :])), number)
        if not full:
            return rest
        with timed("sort"):
            found = sorter.item_counts(values[:, : full * length].reshape(-1, length))
        with timed("merge"):
            windows = Tallies.tally(found, 0)
            numbers = windows.numbers // full + number
            order = np.lexsort((windows.items, numbers))
            numbers, items = keys = numbers[order], windows.items[order]
            counts = deleted_before(keys, windows.counts[order], np.zeros(len(order), np.bool_))
            kept = Tallies(rest.blocks, numbers, items, counts).above(0)
            together = map(np.concatenate, zip(kept.columns(), rest.columns(), strict=True))
            return Tallies(rest.blocks, *added_in_order(*together))

    def _join(self, blocks: list[Tallies]) -> Tallies:
        return Tallies.joined(blocks)

    def arrays(self) -> dict[str, Keys]:
        """Return the entries as flat arrays, and how many there are of each level.

        The complete blocks of all levels come first, then those that are not complete.
        """
        begun = list[Tallies]()
        for level, counts in self.begun.items():
            number = self.position // self.levels.size(level)
            numbers = np.full(len(counts.items), number)
            begun.append(Tallies((number, number + 1), numbers, counts.items, counts.counts))
        return flat_tallies([*self.held.values(), *begun])

    def restored(
        self, arrays: Mapping[str, Keys], dtype: Any, position: int
    ) -> "PrintedFrequencyBlocks":
        """Return the blocks, on these levels, that gave arrays at a position."""
        levels, held, begun = self.levels, dict(self.held), dict(self.begun)
        parts = split_tallies(arrays, 2 * levels.count, dtype)
        for level in range(levels.count):
            size, length = levels.size(level), levels.length(level)
            blocks = Tallies((levels.active(level, position), position // size), *parts[level])
            blocks.check(size)
            numbers, items, counts = parts[levels.count + level]
            if np.any(blocks.counts < 2 - (size % length > 0)) or np.any(
                numbers != position // size
            ):
                raise CorruptSummary("there are values in a block that cannot hold them")
            held[level] = blocks
            windows = position % size // length
            begun[level] = begun[level].restored({"items": items, "counts": counts}, windows)
        return replace(self, position=position, held=held, begun=begun)
