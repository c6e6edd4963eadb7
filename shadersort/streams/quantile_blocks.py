"""The blocks of a sliding window: of each level, those that are still needed, by their age."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from shadersort.errors import CorruptSummary
from shadersort.keys.types import Keys
from shadersort.streams.arasu_manku_quantiles import SlidingPlan
from shadersort.streams.exponential_histogram import Timed, carried, checked_buckets
from shadersort.streams.greenwald_khanna import COLUMNS, Ranked, RankedSets, all_on_host

__all__ = ["Blocks"]

Place = tuple[int, int]
"""A level, and a stage of it."""

UNPAIRED = -1
"""The stage of a block that waits, besides those that are held, for its pair."""


@dataclass(frozen=True, slots=True, eq=False)
class Blocks:
    """Blocks by level and stage; never changed, only replaced.

    Attributes
    ----------
    plan
        What becomes of blocks.
    position
        How many values of the stream lie in blocks.
    held
        Of each level and stage the blocks, oldest first, if there are any.
    """

    plan: SlidingPlan
    position: int = 0
    held: Mapping[Place, RankedSets] = field(default_factory=dict)

    @property
    def entries(self) -> int:
        """How many entries all blocks have together."""
        return sum(len(blocks) * blocks.entries for blocks in self.held.values())

    def block(self, level: int, number: int) -> Ranked:
        """Return a block, in whatever stage it is."""
        bounds = self.plan.levels[level].bounds(self.position)
        stage = next(s for s, bound in enumerate(bounds[1:]) if number >= bound)
        row = number - bounds[stage + 1]
        return all_on_host({0: self.held[level, stage][row : row + 1]})[0]

    def with_sorted(self, stacks: list[RankedSets], timed: Timed) -> "Blocks":
        """Return them with new blocks, given those of all levels that are sorted."""
        held, top = dict(self.held), len(stacks) - 1
        new = dict(enumerate(stacks))
        unpaired = {level: each for (level, stage), each in self.held.items() if stage == UNPAIRED}
        for level, coming in carried(self._compressed, unpaired, top, stacks[top], timed):
            held.pop((level, UNPAIRED), None)
            new[level] = coming[1:] if level in unpaired else coming
            if level == len(self.plan.levels) - 1:
                break
            if len(coming) % 2:
                held[level, UNPAIRED] = coming[-1:]
        position = self.position + len(stacks[top]) * self.plan.size(top)
        with timed("compress"):
            for level in range(len(self.plan.levels)):
                self._age(held, level, new.get(level), position)
        return Blocks(self.plan, position, held)

    def on_host(self) -> "Blocks":
        """Return them with all blocks on the host."""
        return Blocks(self.plan, self.position, all_on_host(self.held))

    def _compressed(self, level: int, stack: RankedSets) -> RankedSets:
        step = self.plan.compression(level)
        return stack.compressed(self.plan.size(level), step) if step > 1 else stack

    def _age(
        self, held: dict[Place, RankedSets], level: int, new: RankedSets | None, to: int
    ) -> None:
        """Let the blocks of a level grow older: each stage hands its oldest on to the next."""
        plan = self.plan.levels[level]
        before, after = plan.bounds(self.position), plan.bounds(to)
        for stage in range(len(plan.entries)):
            old = held.pop((level, stage), None)
            stack = old if new is None else new if old is None else new.preceded_by(old)
            going, new = after[stage + 1] - before[stage + 1], None
            if stack is None:
                continue
            if going < len(stack):
                held[level, stage] = stack[going:]
            if going and stage < len(plan.steps):
                new = stack[:going].compressed(plan.size, plan.steps[stage])

    def arrays(self) -> dict[str, Keys]:
        """Return the entries as flat arrays; which they are, plan and position tell."""
        held = all_on_host(self.held)
        return {
            name: np.concatenate([getattr(held[key], name).ravel() for key in sorted(held)])
            for name in COLUMNS
            if held
        }

    def restored(self, arrays: Mapping[str, Keys], dtype: Any, position: int) -> "Blocks":
        """Return the blocks, of this plan, that gave such arrays at some position."""
        held, end = {}, 0
        for level, stage, rows, entries in self._layout(position):
            part = slice(end, end := end + rows * entries)
            columns = (arrays[name][part].reshape(rows, entries) for name in COLUMNS)
            held[level, stage] = checked_buckets(Ranked(*columns), self.plan.size(level))
        columns_held = [arrays[name] for name in COLUMNS if held]
        if any(len(column) != end for column in columns_held) or (
            held and arrays["values"].dtype != dtype
        ):
            raise CorruptSummary("there are other blocks than such a stream has")
        return Blocks(self.plan, position, held)

    def _layout(self, position: int) -> Iterator[tuple[int, int, int, int]]:
        """Yield level, stage, blocks and entries of a block, in order."""
        for i, level in enumerate(self.plan.levels):
            odd = position // level.size % 2
            if odd and self.plan.sorted_level <= i < len(self.plan.levels) - 1:
                yield i, UNPAIRED, 1, level.entries[0]
            bounds = pairwise(level.bounds(position))
            for stage, (newer, older) in enumerate(bounds):
                if newer > older:
                    yield i, stage, newer - older, level.entries[stage]
