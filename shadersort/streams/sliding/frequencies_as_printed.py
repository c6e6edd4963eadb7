"""The blocks of a sliding window for frequencies as printed: the counts of section 5.1 for each."""

from collections.abc import Mapping

import numpy as np

from shadersort.keys.in_order import sort_keys
from shadersort.keys.types import Integers, Keys
from shadersort.streams.frequencies.item_counts import counted_rows
from shadersort.streams.frequencies.lossy_counting_as_printed import PrintedCounts, deleted_before
from shadersort.streams.sliding.arasu_manku_as_printed import PrintedBlocks, PrintedLevels
from shadersort.streams.sliding.arasu_manku_levels import UNPAIRED, Place
from shadersort.streams.sliding.tallies import Tallies, TallyBlocks, added_in_order
from shadersort.streams.sorters.numpy_sorter import item_counts
from shadersort.streams.sorters.protocol import Sorter
from shadersort.streams.summary import Timed


class PrintedFrequencyBlocks(TallyBlocks[PrintedLevels], PrintedBlocks[Tallies, PrintedCounts]):
    """Blocks of tallies; see `PrintedBlocks`."""

    COMPLETE = 0

    def missed(self, level: int, number: int) -> tuple[int, int]:
        """Return how often any item may be missed in a block, and how much less if it is held.

        Each window of the block may have lost one of every item.
        """
        return self.levels.size(level) // self.levels.length(level), 0

    def _begun(self, level: int, held: Mapping[Place, Tallies]) -> PrintedCounts:
        size, length = self.levels.size(level), self.levels.length(level)
        tallies = held.get((level, UNPAIRED))
        if tallies is None:
            return PrintedCounts.empty(length, self.held[level, 0].items.dtype)
        windows, items = self.position % size // length, tallies.items
        return PrintedCounts(length, windows, items, tallies.counts, np.full(len(items), windows))

    def _stages_of(self, begun: PrintedCounts, level: int, number: int) -> dict[Place, Tallies]:
        return {(level, UNPAIRED): _one_block(number, begun.items, begun.counts)}

    def _grow(
        self, begun: PrintedCounts, windows: Keys, sorter: Sorter, timed: Timed
    ) -> PrintedCounts:
        with timed("sort"):
            found = sorter.item_counts(windows)
        return begun.with_windows(found, 1, timed)

    def _complete(self, begun: PrintedCounts, rest: Keys, level: int, number: int) -> Tallies:
        known = begun.known(*item_counts(rest))
        return _one_block(number, known.items, known.lower)

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

    def _numbers(self, level: int, position: int) -> tuple[int, range]:
        number = position // self.levels.size(level)
        return self.levels.active(level, position), range(number, number + 1)

    def _can_be(self, level: int, blocks: Tallies, other: Tallies, position: int) -> bool:
        size, length = self.levels.size(level), self.levels.length(level)
        least = 1 if size % length else 2
        whole = position % size // length * length
        return bool(
            np.all(blocks.counts >= least) and np.all(other.counts > 1) and other.fit(whole)
        )


def _one_block(number: int, items: Keys, counts: Integers) -> Tallies:
    return Tallies((number, number + 1), np.full(len(items), number), items, counts)
