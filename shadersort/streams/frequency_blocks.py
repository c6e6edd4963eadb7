"""Histograms of blocks of a stream, many together, and those of each level of a sliding window."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from shadersort.errors import CorruptSummary
from shadersort.keys.types import Integers, Keys
from shadersort.streams.arasu_manku_frequencies import CountLevels
from shadersort.streams.exponential_histogram import Timed
from shadersort.streams.sorters.host import Histograms
from shadersort.streams.values import plain_zeros

__all__ = ["Tallies", "TallyLevels", "tallied"]


@dataclass(frozen=True, slots=True, eq=False)
class Tallies:
    """How often items come in blocks: in the order of blocks, and in each in that of items.

    Attributes
    ----------
    numbers
        The number of the block that an entry belongs to.
    items
        What comes in it,
    counts
        and how often.
    """

    numbers: Integers
    items: Keys
    counts: Integers

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, which: Any) -> "Tallies":
        return Tallies(self.numbers[which], self.items[which], self.counts[which])

    def followed_by(self, other: "Tallies") -> "Tallies":
        """Return these blocks, and then others."""
        return Tallies(
            np.concatenate([self.numbers, other.numbers]),
            np.concatenate([self.items, other.items]),
            np.concatenate([self.counts, other.counts]),
        )

    def of(self, number: int) -> "Tallies":
        """Return one block."""
        begin, end = np.searchsorted(self.numbers, [number, number + 1])
        return self[begin:end]

    def in_pairs(self) -> "Tallies":
        """Return the blocks twice as large: 0 and 1 become 0, 2 and 3 become 1.

        Examples
        --------
        >>> Tallies(np.array([0, 1, 1]), np.array([7, 3, 7]), np.array([1, 1, 2])).in_pairs()
        Tallies(numbers=array([0, 0]), items=array([3, 7]), counts=array([1, 3]))
        """
        numbers = self.numbers >> 1
        order = np.lexsort((self.items, numbers))
        numbers, items = numbers[order], self.items[order]
        first = np.ones(len(self), np.bool_)
        first[1:] = (numbers[1:] != numbers[:-1]) | (items[1:] != items[:-1])
        begins = np.flatnonzero(first)
        counts = np.add.reduceat(self.counts[order], begins) if len(begins) else self.counts
        return Tallies(numbers[begins], items[begins], counts)


def tallied(found: Histograms, first: int) -> Tallies:
    """Return the histograms of blocks, numbered from `first` on."""
    numbers = np.arange(first, first + len(found.ends))
    entries = np.diff(found.ends, prepend=0)
    return Tallies(np.repeat(numbers, entries), plain_zeros(found.items), found.counts)


@dataclass(frozen=True, slots=True, eq=False)
class TallyLevels:
    """The blocks that a sliding window holds; they are never changed, only replaced.

    Attributes
    ----------
    levels
        What becomes of blocks.
    position
        How many values of the stream lie in blocks.
    blocks
        Of each level those that answer questions.
    unpaired
        Of each level the block that waits for its pair, if there is one.
    """

    levels: CountLevels
    position: int
    blocks: tuple[Tallies, ...]
    unpaired: tuple[Tallies, ...]

    @classmethod
    def empty(cls, levels: CountLevels, dtype: np.dtype[Any]) -> "TallyLevels":
        """Return no blocks, of values of some type."""
        nothing = Tallies(np.empty(0, np.int64), np.empty(0, dtype), np.empty(0, np.int64))
        return cls(levels, 0, (nothing,) * levels.count, (nothing,) * levels.count)

    @property
    def entries(self) -> int:
        """How many entries all blocks have together."""
        return sum(len(each) for each in (*self.blocks, *self.unpaired))

    def with_sorted(self, found: list[Histograms], timed: Timed) -> "TallyLevels":
        """Return them with new blocks, given the histograms of all levels that are sorted.

        These are without what may be unknown in a block that waits for its pair.
        """
        levels, top = self.levels, len(found) - 1
        position = self.position + len(found[top].ends) * levels.size(top)
        new, unpaired = [], list(self.unpaired)
        for level, each in enumerate(found):
            new.append(tallied(each, self.position // levels.size(level)))
        with timed("merge"):
            coming = new[top]
            for level in range(top + 1, levels.count):
                stack = unpaired[level - 1].followed_by(coming)
                whole = stack.numbers < position // levels.size(level) * 2
                unpaired[level - 1] = stack[~whole]
                coming = stack[whole].in_pairs()
                keep = coming.counts + levels.blur(level) > levels.unpaired[level]
                coming = coming[keep]
                new.append(coming)
        with timed("compress"):
            blocks = tuple(
                self._aged(level, old.followed_by(each), position)
                for level, (old, each) in enumerate(zip(self.blocks, new, strict=True))
            )
        return TallyLevels(levels, position, blocks, tuple(unpaired))

    def _aged(self, level: int, blocks: Tallies, position: int) -> Tallies:
        """Return blocks of a level without what they may forget by now."""
        ages = position - blocks.numbers * self.levels.size(level)
        limits = self.levels.limits(level, ages)
        return blocks[blocks.counts + self.levels.blur(level) > limits]

    def arrays(self) -> dict[str, Keys]:
        """Return the entries as flat arrays, and how many there are of each level."""
        held = (*self.blocks, *self.unpaired)
        flat = {"rows": np.array([len(each) for each in held], np.int64)}
        for name in ("numbers", "items", "counts"):
            if held:
                flat[name] = np.concatenate([getattr(each, name) for each in held])
        return flat

    def restored(self, arrays: Mapping[str, Keys], position: int) -> "TallyLevels":
        """Return the blocks, of these levels, that gave such arrays at some position."""
        count = self.levels.count
        if not count:
            return TallyLevels(self.levels, position, (), ())
        rows, columns = arrays["rows"], [arrays[name] for name in ("numbers", "items", "counts")]
        types = [column.dtype for column in columns]
        wanted = [np.dtype(np.int64), self.blocks[0].items.dtype, np.dtype(np.int64)]
        if len(rows) != 2 * count or np.any(rows < 0) or types != wanted:
            raise CorruptSummary("there are other levels than such a summary has")
        if any(len(column) != rows.sum() for column in columns):
            raise CorruptSummary("the levels have not as many entries as they say")
        parts = zip(*(np.split(column, np.cumsum(rows)[:-1]) for column in columns), strict=True)
        held = [Tallies(*part) for part in parts]
        restored = TallyLevels(self.levels, position, tuple(held[:count]), tuple(held[count:]))
        for level in range(count):
            restored._check(level)
        return restored

    def _check(self, level: int) -> None:
        """Raise CorruptSummary unless the blocks of a level can be such."""
        levels, size = self.levels, self.levels.size(level)
        last, blocks, waiting = self.position // size, self.blocks[level], self.unpaired[level]
        pairs = levels.sorted_level <= level < levels.count - 1 and last % 2 == 1
        kept = waiting.counts + levels.blur(level) > levels.unpaired[level]
        right = (
            all(_in_order(each, last, size) for each in (blocks, waiting))
            and len(self._aged(level, blocks, self.position)) == len(blocks)
            and (not len(waiting) or pairs)
            and np.all(kept & (waiting.numbers == last - 1))
        )
        if not right:
            raise CorruptSummary("blocks hold what blocks of their age cannot hold")


def _in_order(blocks: Tallies, last: int, size: int) -> bool:
    """Whether blocks come before the last, in order, each with no more values than there can be."""
    numbers, items, counts = blocks.numbers, blocks.items, blocks.counts
    if not len(blocks):
        return True
    same, less = numbers[1:] == numbers[:-1], numbers[1:] > numbers[:-1]
    begins = np.flatnonzero(np.r_[True, ~same])
    return bool(
        np.all(less | (same & (items[1:] > items[:-1])))
        and not np.isnan(items).any()
        and numbers[0] >= 0
        and numbers[-1] < last
        and np.all((counts > 0) & (counts <= size))
        and np.all(np.add.reduceat(counts, begins) <= size)
    )
