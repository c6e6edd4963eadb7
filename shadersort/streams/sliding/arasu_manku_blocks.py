"""The blocks of a sliding window: which there are, how new ones arrive, and how they grow older.

What a block holds differs: Greenwald-Khanna summaries in `quantile_blocks.py`, tallies of items in
`frequency_blocks.py`.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, Self, TypeVar

from shadersort.streams.levels import Levels, Stack
from shadersort.streams.sliding.arasu_manku_levels import WindowLevels
from shadersort.streams.summary import Timed

Place = tuple[int, int]
"""A level and a stage of it."""

S = TypeVar("S", bound=Stack)


@dataclass(frozen=True, slots=True, eq=False)
class WindowBlocks(ABC, Generic[S]):
    """Blocks by level and stage; a value that is replaced, never changed.

    Attributes
    ----------
    levels
        The levels, and what becomes of blocks: `WindowLevels`.
    position
        How many values of the stream lie in blocks.
    held
        The blocks of each level and stage that answer questions, oldest first.
    unpaired
        On each level, a copy of the block that waits for its pair.
    """

    levels: Any
    position: int
    held: Mapping[Place, S]
    unpaired: Levels[S]

    def before(self, coming: int) -> Self:
        """Return these blocks, or none at a later position if they are forgotten in any case."""
        return self

    def with_sorted(self, stacks: list[S], timed: Timed) -> Self:
        """Return the blocks with new ones added, given those of all levels that are sorted."""
        levels: WindowLevels = self.levels
        top = len(stacks) - 1
        position = self.position + len(stacks[top]) * levels.size(top)
        unpaired, new = self.unpaired.with_stack(top, stacks[top], timed)
        new.update(enumerate(stacks))
        held = dict(self.held)
        with timed("compress"):
            for level in range(levels.count):
                self._age(held, level, new.get(level), position)
        return replace(self, position=position, held=held, unpaired=unpaired)

    @abstractmethod
    def _age(self, held: dict[Place, S], level: int, new: S | None, position: int) -> None:
        """Add the new blocks of a level to those held, and let all grow older, up to a position."""
