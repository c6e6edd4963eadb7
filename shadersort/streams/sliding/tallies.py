"""How often items come in the blocks of a sliding window."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from shadersort.errors import CorruptSummary
from shadersort.keys.types import Integers, Keys, Mask
from shadersort.streams.frequencies.item_counts import ItemCounts, add_up
from shadersort.streams.sliding.arasu_manku_levels import UNPAIRED, L, Place, WindowBlocks
from shadersort.streams.values import plain_zeros

COLUMNS = ("numbers", "items", "counts")
Span = tuple[tuple[int, int], int]
"""The numbers of the first block and of the first one after all, and how many values each has."""


@dataclass(frozen=True, slots=True, eq=False)
class Tallies:
    """How often items come in consecutive blocks: block by block, and in each in order of items."""

    blocks: tuple[int, int]  # the number of the first block, and of the first one after all these
    numbers: Integers  # the block that each entry belongs to
    items: Keys
    counts: Integers  # how often the item comes in the block

    @classmethod
    def tally(cls, found: ItemCounts, first: int) -> "Tallies":
        """Return the tallies of windows as blocks numbered from `first`."""
        blocks = first, first + len(found.ends)
        numbers = np.repeat(np.arange(*blocks), np.diff(found.ends, prepend=0))
        return cls(blocks, numbers, plain_zeros(found.items), found.counts)

    def __len__(self) -> int:
        return self.blocks[1] - self.blocks[0]

    def __getitem__(self, which: slice) -> "Tallies":
        begin, end, _ = which.indices(len(self))
        blocks = self.blocks[0] + begin, self.blocks[0] + end
        first, last = self.numbers.searchsorted(blocks)
        return Tallies(blocks, *(each[first:last] for each in self.columns()))

    def columns(self) -> tuple[Integers, Keys, Integers]:
        """Return the arrays that `COLUMNS` names."""
        return self.numbers, self.items, self.counts

    def select(self, which: Mask) -> "Tallies":
        """Return the blocks with some of the entries only."""
        return Tallies(self.blocks, *(each[which] for each in self.columns()))

    def above(self, limits: Integers | int) -> "Tallies":
        """Return the blocks with the entries above the limit of their block, or of all blocks."""
        each = limits if isinstance(limits, int) else limits[self.numbers - self.blocks[0]]
        return self.select(self.counts > each)

    def to_host(self) -> "Tallies":
        """Return the same: these blocks are on the host."""
        return self

    def prepend(self, *others: "Tallies") -> "Tallies":
        """Return the blocks of others followed by these."""
        every = *others, self
        columns = zip(*(each.columns() for each in every), strict=True)
        return Tallies((every[0].blocks[0], self.blocks[1]), *map(np.concatenate, columns))

    def merge_pairs(self) -> "Tallies":
        """Return blocks twice as large: 0 and 1 become 0, 2 and 3 become 1."""
        blocks = self.blocks[0] >> 1, self.blocks[1] >> 1
        return Tallies(blocks, *add_in_order(self.numbers >> 1, self.items, self.counts))

    def check(self, size: int) -> "Tallies":
        """Return these if they can be of blocks of up to `size` values, or raise CorruptSummary."""
        numbers, items, counts = self.columns()
        same, less = numbers[1:] == numbers[:-1], numbers[1:] > numbers[:-1]
        if not (
            len(numbers) == len(items) == len(counts)
            and np.all(less | (same & (items[1:] > items[:-1])))
            and not np.isnan(items).any()
            and np.all((numbers >= self.blocks[0]) & (numbers < self.blocks[1]))
            and np.all((counts > 0) & (counts <= size))
            and np.all(add_up((numbers,), counts)[1] <= size)
        ):
            raise CorruptSummary("blocks hold what such blocks cannot hold")
        return self


def add_in_order(numbers: Integers, items: Keys, counts: Integers) -> tuple[Keys, ...]:
    """Return the columns in order of blocks and items, with the counts of equal ones added up."""
    order = np.lexsort((items, numbers))
    return add_up((numbers[order], items[order]), counts[order])


class TallyBlocks(WindowBlocks[L, Tallies]):
    """Blocks of tallies in one stage, 0; a level may have one more block in stage `UNPAIRED`."""

    @classmethod
    def empty(cls, levels: L, dtype: np.dtype[Any], position: int = 0) -> Self:
        """Return no blocks, of values of a type, at a position of the stream."""
        none, held = np.empty(0, np.int64), dict[Place, Tallies]()
        for level in range(levels.count):
            first = position // levels.size(level)
            held[level, 0] = Tallies((first, first), none, np.empty(0, dtype), none)
        return cls(levels, position, held)

    @abstractmethod
    def _span(self, level: int, stage: int, position: int) -> Span:
        """Return what blocks of a stage there are at a position."""

    @property
    def _places(self) -> list[Place]:
        """The places in the order of bytes: of all levels, then of the one more of each level."""
        return [(level, stage) for stage in (0, UNPAIRED) for level in range(self.levels.count)]

    @property
    def entries(self) -> int:
        """How many entries all blocks have together."""
        return sum(len(each.numbers) for each in self.held.values())

    def block(self, level: int, number: int) -> Tallies:
        """Return a block."""
        row = number - self.held[level, 0].blocks[0]
        return self.held[level, 0][row : row + 1]

    def arrays(self) -> dict[str, Keys]:
        """Return the entries as flat arrays, and how many each place has."""
        held = (self.held.get(place, self.held[place[0], 0][:0]) for place in self._places)
        columns = [each.columns() for each in held]
        flat: dict[str, Keys] = {"rows": np.array([len(each[0]) for each in columns], np.int64)}
        for name, each in zip(COLUMNS, zip(*columns, strict=True), strict=False):
            flat[name] = np.concatenate(each)
        return flat

    def restore(self, arrays: Mapping[str, Keys], dtype: Any, position: int) -> Self:
        """Return the blocks, on these levels, that gave arrays at a position."""
        held, end = dict(self.held), 0
        columns = [arrays[name] for name in COLUMNS if held]
        if [each.dtype for each in columns] != [np.int64, dtype, np.int64][: len(columns)]:
            raise CorruptSummary("the entries of blocks are of other types")
        for place, rows in zip(self._places, arrays["rows"], strict=True):
            blocks, size = self._span(*place, position)
            part = slice(end, end := end + max(0, int(rows)))
            held[place] = Tallies(blocks, *(each[part] for each in columns)).check(size)
        return type(self)(self.levels, position, held)
