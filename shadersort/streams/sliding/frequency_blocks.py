"""The blocks of a sliding window for frequencies: how often items come in each block."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from shadersort.errors import CorruptSummary
from shadersort.keys.types import Integers, Keys, Mask
from shadersort.streams.frequencies.item_counts import ItemCounts, added_up
from shadersort.streams.levels import Levels
from shadersort.streams.sliding.arasu_manku_blocks import Place, WindowBlocks
from shadersort.streams.sliding.arasu_manku_frequencies import FrequencyLevels
from shadersort.streams.summary import Timed
from shadersort.streams.values import plain_zeros

COLUMNS = ("numbers", "items", "counts")


@dataclass(frozen=True, slots=True, eq=False)
class Tallies:
    """How often items come in consecutive blocks: block by block, and in each in order of items.

    Attributes
    ----------
    blocks
        The number of the first block, and of the first block after all these.
    numbers
        The number of the block that each entry belongs to.
    items, counts
        An item, and how often it comes in the block.
    """

    blocks: tuple[int, int]
    numbers: Integers
    items: Keys
    counts: Integers

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
        part = slice(first, last)
        return Tallies(blocks, self.numbers[part], self.items[part], self.counts[part])

    def where(self, which: Mask) -> "Tallies":
        """Return the blocks with some of the entries only."""
        return Tallies(self.blocks, self.numbers[which], self.items[which], self.counts[which])

    def above(self, limits: Integers | int) -> "Tallies":
        """Return the blocks with the entries that come more often than the limit of their block.

        The limit may be one for all blocks.
        """
        each = limits if isinstance(limits, int) else limits[self.numbers - self.blocks[0]]
        return self.where(self.counts > each)

    def on_host(self) -> "Tallies":
        """Return the same: these blocks are on the host."""
        return self

    def preceded_by(self, other: "Tallies") -> "Tallies":
        """Return the blocks of another followed by these."""
        return Tallies.joined([other, self])

    @classmethod
    def joined(cls, parts: Sequence["Tallies"]) -> "Tallies":
        """Return the blocks of some tallies, each of which follows the one before."""
        columns = ([getattr(part, name) for part in parts] for name in COLUMNS)
        return cls((parts[0].blocks[0], parts[-1].blocks[1]), *map(np.concatenate, columns))

    def added_to(self, other: "Tallies") -> "Tallies":
        """Return the tallies of the same blocks, with what another counts in them added."""
        numbers, items, counts = (
            np.concatenate([getattr(self, name), getattr(other, name)]) for name in COLUMNS
        )
        order = np.lexsort((items, numbers))
        return Tallies(self.blocks, *added_up((numbers[order], items[order]), counts[order]))

    def merged_in_pairs(self) -> "Tallies":
        """Return blocks twice as large: 0 and 1 become 0, 2 and 3 become 1.

        Examples
        --------
        >>> two = Tallies((0, 2), np.array([0, 1, 1]), np.array([7, 3, 7]), np.array([1, 1, 2]))
        >>> two.merged_in_pairs()
        Tallies(blocks=(0, 1), numbers=array([0, 0]), items=array([3, 7]), counts=array([1, 3]))
        """
        numbers = self.numbers >> 1
        order = np.lexsort((self.items, numbers))
        ordered = numbers[order], self.items[order]
        blocks = self.blocks[0] >> 1, self.blocks[1] >> 1
        return Tallies(blocks, *added_up(ordered, self.counts[order]))


class TallyBlocks(ABC):
    """What blocks of tallies hold, whatever the blocks are."""

    __slots__ = ()

    @abstractmethod
    def _all(self) -> list[Tallies]:
        """Return all blocks, in the order in which they are saved."""

    @property
    def entries(self) -> int:
        """How many entries all blocks have together."""
        return sum(len(each.numbers) for each in self._all())

    def items(self) -> list[Keys]:
        """Return the items of all blocks; many are there more than once."""
        return [each.items for each in self._all()]

    def arrays(self) -> dict[str, Keys]:
        """Return the entries as flat arrays, and how many there are of each level."""
        return flat_tallies(self._all())


@dataclass(frozen=True, slots=True, eq=False)
class FrequencyBlocks(TallyBlocks, WindowBlocks[Tallies]):
    """Blocks of tallies, all in one stage of each level; see `WindowBlocks`."""

    levels: FrequencyLevels

    @classmethod
    def empty(cls, levels: FrequencyLevels, dtype: np.dtype[Any]) -> "FrequencyBlocks":
        """Return no blocks, of values of a type."""
        none = np.empty(0, np.int64)
        nothing = Tallies((0, 0), none, np.empty(0, dtype), none)
        held = {(level, 0): nothing for level in range(levels.count)}

        def compressed(level: int, stack: Tallies) -> Tallies:
            limit = levels.unpaired[level] if level < levels.count else 0
            return stack.above(limit - levels.blur(level))

        return cls(levels, 0, held, Levels(compressed, {}, levels.count - 1))

    def before(self, coming: int) -> "FrequencyBlocks":
        """Return these blocks, or none at a later position if they are forgotten in any case.

        So many values come. Blocks that begin more than a window before the end are dropped, and so
        is every part of them: it need not be counted.
        """
        levels = self.levels
        top = levels.size(levels.count - 1)
        position = (self.position + coming - levels.window) // top * top
        if position <= self.position:
            return self
        return self.empty(levels, self.held[0, 0].items.dtype)._at(position)

    def _at(self, position: int) -> "FrequencyBlocks":
        """Return these blocks, which are empty, at a position at which no block waits."""
        places = {
            (level, stage): replace(each, blocks=(0, position // self.levels.size(level)))
            for (level, stage), each in self.held.items()
        }
        return replace(self, position=position, held=places)

    def wanted(self, level: int, blocks: int) -> Integers:
        """Return the limits of the newest blocks on a sorted level, the oldest of them first.

        On the highest sorted level blocks also wait for pairs.
        """
        if level == self.levels.sorted_level:
            return np.full(blocks, self.levels.unpaired[level])
        return self.levels.limits(level, self.levels.size(level) * np.arange(blocks, 0, -1))

    def with_sorted(self, stacks: list[Tallies], timed: Timed) -> "FrequencyBlocks":
        """Return the blocks with new ones added, given those of all levels that are sorted."""
        found = WindowBlocks.with_sorted(self, stacks, timed)  # slots: super() finds no class
        waiting = {level: each.on_host() for level, each in found.unpaired.buckets.items()}
        return replace(found, unpaired=replace(found.unpaired, buckets=waiting))

    def _unpaired(self, level: int) -> Tallies:
        """Return the block of a level that waits for its pair, or none."""
        return self.unpaired.buckets.get(level, self.held[level, 0][:0])

    def _all(self) -> list[Tallies]:
        """Return the blocks of all levels, then those of all levels that wait for their pairs."""
        every = range(self.levels.count)
        return [*(self.held[level, 0] for level in every), *map(self._unpaired, every)]

    def block(self, level: int, number: int) -> Tallies:
        """Return a block."""
        return self.held[level, 0][number : number + 1]

    def missed(self, level: int, number: int) -> tuple[int, int]:
        """Return how often any item may be missed in a block, and how much less if it is held."""
        age = self.position - number * self.levels.size(level)
        limit = int(self.levels.limits(level, np.array([age]))[0])
        return limit, limit - self.levels.blur(level)

    def _age(
        self, held: dict[Place, Tallies], level: int, new: Tallies | None, position: int
    ) -> None:
        """Drop the items that blocks of a level may forget by now."""
        old = self._aged(level, held[level, 0], position)
        if new is not None:
            first = position - np.arange(*new.blocks) * self.levels.size(level)
            limits = self.levels.limits(level, first) - self.levels.blur(level)
            old = new.above(limits).on_host().preceded_by(old)
        held[level, 0] = old

    def _aged(self, level: int, blocks: Tallies, position: int) -> Tallies:
        if not len(blocks.numbers):
            return blocks
        ages = position - blocks.numbers * self.levels.size(level)
        limits = self.levels.limits(level, ages)
        return blocks.where(blocks.counts + self.levels.blur(level) > limits)

    def restored(self, arrays: Mapping[str, Keys], dtype: Any, position: int) -> "FrequencyBlocks":
        """Return the blocks, on these levels, that gave arrays at a position."""
        count = self.levels.count
        if not count:
            return replace(self, position=position)
        parts = split_tallies(arrays, 2 * count, dtype)
        ends = [position // self.levels.size(level) for level in range(count)] * 2
        held = [Tallies((0, end), *part) for end, part in zip(ends, parts, strict=True)]
        return self._checked(position, held[:count], held[count:])

    def _checked(
        self, position: int, held: list[Tallies], waiting: list[Tallies]
    ) -> "FrequencyBlocks":
        """Return the blocks with those given, or raise CorruptSummary unless they can be such."""
        buckets = {}
        for level, (blocks, unpaired) in enumerate(zip(held, waiting, strict=True)):
            last = blocks.blocks[1]
            pairs = self.levels.sorted_level <= level < self.levels.count - 1 and last % 2 == 1
            if pairs:
                buckets[level] = replace(unpaired, blocks=(last - 1, last))
            kept = unpaired.counts + self.levels.blur(level) > self.levels.unpaired[level]
            if not (
                all(right_order(each, self.levels.size(level)) for each in (blocks, unpaired))
                and len(self._aged(level, blocks, position).numbers) == len(blocks.numbers)
                and (not len(unpaired.numbers) or pairs)
                and np.all(kept & (unpaired.numbers == last - 1))
            ):
                raise CorruptSummary("blocks hold what blocks of their age cannot hold")
        places = {(level, 0): blocks for level, blocks in enumerate(held)}
        unpaired_levels = replace(self.unpaired, buckets=buckets)
        return replace(self, position=position, held=places, unpaired=unpaired_levels)


def flat_tallies(held: list[Tallies]) -> dict[str, Keys]:
    """Return the entries of tallies as flat arrays, and how many there are in each."""
    flat: dict[str, Keys] = {"rows": np.array([len(each.numbers) for each in held], np.int64)}
    for name in COLUMNS if held else ():
        flat[name] = np.concatenate([getattr(each, name) for each in held])
    return flat


def split_tallies(arrays: Mapping[str, Keys], count: int, dtype: Any) -> list[tuple[Keys, ...]]:
    """Return the columns of so many tallies from flat arrays, or raise CorruptSummary."""
    rows, columns = arrays["rows"], [arrays[name] for name in COLUMNS]
    types = [column.dtype for column in columns]
    if len(rows) != count or np.any(rows < 0) or types != [np.int64, dtype, np.int64]:
        raise CorruptSummary("there are other levels than such a summary has")
    if any(len(column) != rows.sum() for column in columns):
        raise CorruptSummary("the levels have not as many entries as they say")
    parts = (np.split(column, np.cumsum(rows)[:-1]) for column in columns)
    return list(zip(*parts, strict=True))


def right_order(tallies: Tallies, size: int) -> bool:
    """Whether blocks and items are in order, and no block has more values than it can."""
    numbers, items, counts = tallies.numbers, tallies.items, tallies.counts
    if not len(numbers):
        return True
    same, less = numbers[1:] == numbers[:-1], numbers[1:] > numbers[:-1]
    _, totals = added_up((numbers,), counts)
    return bool(
        np.all(less | (same & (items[1:] > items[:-1])))
        and not np.isnan(items).any()
        and numbers[0] >= tallies.blocks[0]
        and numbers[-1] < tallies.blocks[1]
        and np.all((counts > 0) & (counts <= size))
        and np.all(totals <= size)
    )
