"""Stacks of summaries in the memory of a GPU, where they are joined, merged and compressed."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

import cupy
import numpy as np

from modern.streams.transfers import copy_together, join, to_host
from shadersort.keys.types import Keys
from shadersort.streams.quantiles.gk_summaries import Place

COLUMNS = ("values", "low", "high")


@dataclass(frozen=True, slots=True, eq=False)
class StackOnGPU:
    """Summaries of several sets, one a row, in CuPy arrays.

    `low` and `high` bound the ranks or the masses of entries; their last axis but one counts the
    summaries, and the last one the entries.
    """

    values: Any
    low: Any
    high: Any

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, rows: slice) -> Self:
        low, high = self.low[..., rows, :], self.high[..., rows, :]
        return replace(self, values=self.values[rows], low=low, high=high)

    @property
    def entries(self) -> int:
        """How many entries each summary has."""
        return int(self.values.shape[1])

    def preceded_by(self, *others: Any) -> Self:
        """Return the summaries of others followed by these; others may be on the host."""
        stacks = [each if isinstance(each, StackOnGPU) else self._copy(each) for each in others]
        columns = ([getattr(each, name) for each in (*stacks, self)] for name in COLUMNS)
        return replace(self, **dict(zip(COLUMNS, map(join, columns), strict=True)))

    def on_host(self, stacks: Mapping[Place, Any]) -> Mapping[Place, Any]:
        """Return stacks by their places, those of this class on the host, by one copy for all."""
        here = {place: each for place, each in stacks.items() if isinstance(each, type(self))}
        arrays = [getattr(each, name) for each in here.values() for name in COLUMNS]
        if not arrays:
            return stacks
        found = copy_together(arrays, lambda flat: to_host(join(flat)))
        columns = zip(here.items(), found[::3], found[1::3], found[2::3], strict=True)
        return {**stacks, **{place: each._of_host(*three) for (place, each), *three in columns}}

    def _of_host(self, values: Keys, low: Any, high: Any) -> Any:
        """Return summaries as the host has them, given the columns of this stack there."""
        raise NotImplementedError

    def _copy(self, summaries: Any) -> Self:
        """Return summaries of the host as such a stack, by one copy."""
        columns = [summaries.values, *self._bounds_of(summaries)]
        there = copy_together(columns, lambda flat: cupy.asarray(np.concatenate(flat)))
        return replace(self, **dict(zip(COLUMNS, there, strict=True)))

    def _bounds_of(self, summaries: Any) -> tuple[Any, Any]:
        """Return the two other columns for summaries of the host, still there."""
        raise NotImplementedError
