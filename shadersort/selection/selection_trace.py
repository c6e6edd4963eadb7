"""What a selection did, step by step: enough to draw the figures of the papers."""

from dataclasses import dataclass, fields

import numpy as np

from shadersort.keys.types import Integers, Key
from shadersort.names import Variant
from shadersort.selection.primitives import Counts
from shadersort.shown import Row, Shown, first_rows, in_words


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Iteration(Shown):
    """One step of a method; an attribute that the method does not know is None."""

    name: str  # for example "cut", "digit", "proof"; "miss": a bracket without the answer
    low: Key = None  # the first key that might be the answer before the step
    high: Key = None  # the last one
    pivot: Key = None  # the key at which the keys were counted
    counts: Counts | None = None  # the counts of all keys at the pivot
    # how many keys may be the answer after the step; None for a step that is no iteration of the
    # method, as it does not reduce this number: a copy, a sort
    candidates: int | None = None
    keys_read: int = 0  # how many keys the step read
    keys_written: int = 0  # and wrote

    def _told(self) -> str:
        known = ("pivot", "candidates", "keys read")
        told = [f"{name} {in_words(value)}" for name, value in self._rows() if name in known]
        return ", ".join([self.name, *told])

    def _rows(self) -> list[Row]:
        values = [(each.name.replace("_", " "), getattr(self, each.name)) for each in fields(self)]
        return [(name, value) for name, value in values if value is not None]


@dataclass(frozen=True, slots=True, repr=False)
class SelectionTrace(Shown):
    """The steps of a selection, in order.

    Examples
    --------
    >>> from shadersort.selection import select
    >>> from shadersort.selection.primitives import NumPyPrimitives
    >>> keys = NumPyPrimitives(np.arange(100.0))
    >>> answer, trace = select(keys, 25, method="bisection", return_trace=True)
    >>> [(round(float(step.pivot), 3), step.candidates) for step in trace.iterations]
    [(49.5, 50), (24.75, 25)]
    >>> [step.name for step in trace.steps], trace.keys_read
    (['extent', 'halve', 'halve', 'nearest', 'proof'], 500)
    """

    method: str  # the method that ran; never "auto"
    variant: Variant  # "improved", or whether the method did what its paper prints, and how
    n: int  # the number of keys
    dtype: np.dtype[np.generic]
    ks: tuple[int, ...]  # the requested ranks, from zero, ascending
    steps: tuple[Iteration, ...]  # all steps, from the first read to the proof

    @property
    def label(self) -> str:
        """What ran, for figures and tables: the method and its variant."""
        return f"{self.method}, {self.variant}"

    @property
    def iterations(self) -> tuple[Iteration, ...]:
        """The steps that reduced the number of candidates."""
        return tuple(step for step in self.steps if step.candidates is not None)

    @property
    def keys_read(self) -> int:
        """Keys read by all steps; divided by `n`, how often all keys were read."""
        return sum(step.keys_read for step in self.steps)

    @property
    def keys_written(self) -> int:
        """Keys written by all steps."""
        return sum(step.keys_written for step in self.steps)

    @property
    def candidates(self) -> Integers:
        """How many candidates each iteration left."""
        return np.array([step.candidates for step in self.iterations], np.int64)

    def _told(self) -> str:
        ranks = f"k = {self.ks[0]:,}" if len(self.ks) == 1 else f"{len(self.ks):,} ranks"
        what = f"{ranks} of {self.n:,} {self.dtype} keys by {self.label}"
        return f"{what}, {len(self.steps):,} steps"

    def _rows(self) -> list[Row]:
        steps = [
            (each.name, each.pivot, each.candidates, each.keys_read, each.keys_written)
            for each in self.steps
        ]
        return [("", "pivot", "candidates", "read", "written"), *first_rows(steps, "steps")]
