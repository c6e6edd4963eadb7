"""The blocks of a sliding window for quantiles: Greenwald-Khanna summaries, by age."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from shadersort.keys.types import Keys
from shadersort.streams.levels import Levels
from shadersort.streams.quantiles.gk_summaries import (
    GKStack,
    GKSummaries,
    Shape,
    all_on_host,
    flat_arrays,
    restored_stacks,
)
from shadersort.streams.sliding.arasu_manku_blocks import Place, WindowBlocks
from shadersort.streams.sliding.arasu_manku_quantiles import QuantileLevels

UNPAIRED = -1
"""Stands for a stage in the place of a block that waits for its pair."""


@dataclass(frozen=True, slots=True, eq=False)
class QuantileBlocks(WindowBlocks[GKStack]):
    """Blocks of values with bounds of their ranks; see `WindowBlocks`."""

    levels: QuantileLevels

    @classmethod
    def empty(cls, levels: QuantileLevels) -> "QuantileBlocks":
        """Return no blocks."""
        return cls(levels, 0, {}, Levels(levels.compressed, {}, levels.count - 1))

    @property
    def entries(self) -> int:
        """How many entries all blocks have together."""
        return sum(len(blocks) * blocks.entries for blocks in self._stacks().values())

    def block(self, level: int, number: int) -> GKSummaries:
        """Return a block, in whatever stage it is."""
        bounds = self.levels.stages[level].bounds(self.position)
        stage = next(s for s, bound in enumerate(bounds[1:]) if number >= bound)
        row = number - bounds[stage + 1]
        return all_on_host({0: self.held[level, stage][row : row + 1]})[0]

    def on_host(self) -> "QuantileBlocks":
        """Return the blocks with all of them on the host."""
        here = all_on_host(stacks := self._stacks())
        return self if here is stacks else self._of(here, self.position)

    def _age(
        self, held: dict[Place, GKStack], level: int, new: GKStack | None, position: int
    ) -> None:
        """Hand the oldest blocks of each stage on to the next stage."""
        stages = self.levels.stages[level]
        before, after = stages.bounds(self.position), stages.bounds(position)
        for stage in range(len(stages.entries)):
            old = held.pop((level, stage), None)
            stack = old if new is None else new if old is None else new.preceded_by(old)
            going, new = after[stage + 1] - before[stage + 1], None
            if stack is None:
                continue
            if going < len(stack):
                held[level, stage] = stack[going:]
            if going and stage < len(stages.steps):
                new = stack[:going].compressed(stages.size, stages.steps[stage])

    def _stacks(self) -> dict[Place, GKStack]:
        """Return all blocks by level and stage; those that wait for their pair too."""
        waiting = {(level, UNPAIRED): each for level, each in self.unpaired.buckets.items()}
        return {**self.held, **waiting}

    def _of(self, stacks: Mapping[Place, GKStack], position: int) -> "QuantileBlocks":
        held = {place: each for place, each in stacks.items() if place[1] != UNPAIRED}
        waiting = {level: each for (level, stage), each in stacks.items() if stage == UNPAIRED}
        return replace(
            self, position=position, held=held, unpaired=replace(self.unpaired, buckets=waiting)
        )

    def arrays(self) -> dict[str, Keys]:
        """Return the entries as flat arrays; levels and position tell where they belong."""
        return flat_arrays(self._stacks())

    def restored(self, arrays: Mapping[str, Keys], dtype: Any, position: int) -> "QuantileBlocks":
        """Return the blocks, on these levels, that gave arrays at a position."""
        return self._of(restored_stacks(arrays, dtype, self._shapes(position)), position)

    def _shapes(self, position: int) -> Iterator[tuple[Place, Shape]]:
        """Yield the places that have blocks at a position, in order, and what lies there."""
        for level, stages in enumerate(self.levels.stages):
            odd = position // stages.size % 2
            if odd and self.levels.sorted_level <= level < self.levels.count - 1:
                yield (level, UNPAIRED), Shape(1, stages.entries[0], stages.size)
            bounds = pairwise(stages.bounds(position))
            for stage, (newer, older) in enumerate(bounds):
                if newer > older:
                    yield (level, stage), Shape(newer - older, stages.entries[stage], stages.size)
