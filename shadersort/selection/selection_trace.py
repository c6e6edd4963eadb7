"""What a selection did, step by step: enough to draw the figures of the papers."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from shadersort.keys.types import Key
from shadersort.selection.primitives import Counts

__all__ = ["Iteration", "SelectionTrace"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Iteration:
    """One step of a method. What a method does not know is None.

    Attributes
    ----------
    name
        What was done: "extent", "sample"; "cut", "halve", "pivot", "digit", "buckets", "bracket",
        and "miss" for a bracket without the answer; "compact", "split", "sort", "proof".
    low, high
        The ends of the bracket before the step: keys between which the answer was known to lie,
        themselves included.
    pivot
        The key at which the keys were counted.
    counts
        Of all keys at the pivot.
    objective, slope
        Objective (2) of Beliakov 2011 at the pivot, and its subgradient, divided by the number of
        finite keys.
    candidates
        Keys that may still be the answer after the step. None for a step that decides nothing, such
        as sorting: a step with candidates is an iteration.
    keys_read, keys_written
        What the step moved, in keys.
    """

    name: str
    low: Key = None
    high: Key = None
    pivot: Key = None
    counts: Counts | None = None
    objective: float | None = None
    slope: float | None = None
    candidates: int | None = None
    keys_read: int = 0
    keys_written: int = 0


@dataclass(frozen=True, slots=True)
class SelectionTrace:
    """The steps of a selection, in their order.

    Attributes
    ----------
    method
        The method that ran; never "auto".
    n, dtype
        How many keys there were, and of what type.
    ks
        The ranks asked for, from zero, ascending.
    steps
        All steps, from the first read to the proof.

    Examples
    --------
    >>> from shadersort.selection.primitives import NumPyPrimitives
    >>> from shadersort.selection import select
    >>> keys = NumPyPrimitives(np.arange(100.0))
    >>> answer, trace = select(keys, 25, method="bisection", return_trace=True)
    >>> [(round(float(step.pivot), 3), step.candidates) for step in trace.iterations]
    [(49.5, 50), (24.75, 25)]
    >>> [step.name for step in trace.steps]
    ['extent', 'halve', 'halve', 'nearest', 'proof']
    >>> trace.keys_read
    500
    """

    method: str
    n: int
    dtype: np.dtype[np.generic]
    ks: tuple[int, ...]
    steps: tuple[Iteration, ...]

    @property
    def iterations(self) -> tuple[Iteration, ...]:
        """The steps that decided which keys may be the answer."""
        return tuple(step for step in self.steps if step.candidates is not None)

    @property
    def keys_read(self) -> int:
        """Keys read by all steps; divided by `n`, reads of the whole."""
        return sum(step.keys_read for step in self.steps)

    @property
    def keys_written(self) -> int:
        """Keys written by all steps."""
        return sum(step.keys_written for step in self.steps)

    @property
    def candidates(self) -> npt.NDArray[np.int64]:
        """How many keys each iteration left."""
        return np.array([step.candidates for step in self.iterations], np.int64)
